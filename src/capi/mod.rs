//! The engine for programs in C, and in what calls C: the functions of `emilia.h`, which says what each does, what it owns, and
//! what threads may do.
//!
//! Here pointers become values; `session` does the rest, in safe code. Nothing is meant to panic, and what does so all the same
//! is caught in `error` where the build unwinds.

mod border;
mod error;
mod session;
#[cfg(test)]
mod tests;
mod types;

use std::ffi::c_char;
use std::ptr;
use std::sync::{Mutex, PoisonError, TryLockError};

use crate::search::Stop;
use error::{Failure, guarded};
use session::Session;
pub use types::{
    EMILIA_BLACK, EMILIA_DONE, EMILIA_IDLE, EMILIA_MUST_PASS, EMILIA_NO_SQUARE, EMILIA_OVER,
    EMILIA_PASS, EMILIA_RUNNING, EMILIA_TO_MOVE, EMILIA_WHITE, EmiliaLimits, EmiliaPosition,
    EmiliaResult, EmiliaStatus,
};

/// The version of the interface, `EMILIA_ABI_VERSION`.
const ABI_VERSION: u32 = 1;

/// What is said of a processor that cannot run this build.
#[cfg(target_arch = "x86_64")]
const OLD_PROCESSOR: &std::ffi::CStr =
    c"this processor lacks instructions that the library was built for: build it with \
RUSTFLAGS=\"-C target-cpu=x86-64\"";

/// An engine with its game.
#[derive(Debug)]
pub struct EmiliaEngine {
    session: Mutex<Session>,
    /// Ends the search that was begun last: apart from the session, so that other threads can do so at any time.
    stop: Mutex<Stop>,
}

impl EmiliaEngine {
    fn set_stop(&self, stop: Stop) {
        *self.stop.lock().unwrap_or_else(PoisonError::into_inner) = stop;
    }
}

/// Does `call` with the engine and its session.
///
/// # Safety
/// `engine` is null or came from [`emilia_new`] and was not freed.
unsafe fn with_session(
    engine: *const EmiliaEngine,
    call: impl FnOnce(&EmiliaEngine, &mut Session) -> Result<(), Failure>,
) -> EmiliaStatus {
    guarded(|| {
        // SAFETY: by the contract of this function it is null or an engine, which is only ever borrowed shared.
        let engine = unsafe { engine.as_ref() }.ok_or_else(|| Failure::null("engine"))?;
        let mut session = match engine.session.try_lock() {
            Ok(session) => session,
            // After a panic no search is left over; the rest is whole.
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                let sentence = "another thread is in a call on this engine";
                return Err(Failure::new(EmiliaStatus::Busy, sentence));
            }
        };
        call(engine, &mut session)
    })
}

/// The limits that were given; none if the pointer is null.
///
/// # Safety
/// `limits` is null or points to limits of as many bytes as their first field says.
unsafe fn limits_at(limits: *const EmiliaLimits) -> Result<EmiliaLimits, Failure> {
    if limits.is_null() {
        return Ok(EmiliaLimits::default());
    }
    // SAFETY: by the contract of this function.
    unsafe { border::read(limits) }
}

/// The version of the library.
#[unsafe(no_mangle)]
pub extern "C" fn emilia_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// The version of the interface.
#[unsafe(no_mangle)]
pub extern "C" fn emilia_abi_version() -> u32 {
    ABI_VERSION
}

/// What went wrong in this thread.
#[unsafe(no_mangle)]
pub extern "C" fn emilia_last_error() -> *const c_char {
    error::last()
}

/// Makes an engine.
///
/// # Safety
/// `engine` is null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_new(engine: *mut *mut EmiliaEngine) -> EmiliaStatus {
    #[cfg(target_arch = "x86_64")]
    if !crate::cpu::is_supported(|_| ()) {
        if !engine.is_null() {
            // SAFETY: by the contract of this function.
            unsafe { engine.write_unaligned(ptr::null_mut()) };
        }
        error::remember_static(OLD_PROCESSOR);
        return EmiliaStatus::OldProcessor;
    }
    // SAFETY: by the contract of this function.
    unsafe { make(engine) }
}

/// Makes an engine on a processor that can run it. Kept out of line, so that nothing of it moves before the question.
///
/// # Safety
/// `engine` is null or can be written to.
#[inline(never)]
unsafe fn make(engine: *mut *mut EmiliaEngine) -> EmiliaStatus {
    guarded(|| {
        // SAFETY: by the contract of this function.
        unsafe { border::write_plain(engine, "engine", ptr::null_mut()) }?;
        let session =
            Session::new().map_err(|error| Failure::new(EmiliaStatus::NoMemory, error))?;
        let made = Box::new(EmiliaEngine {
            session: Mutex::new(session),
            stop: Mutex::default(),
        });
        // SAFETY: as above.
        unsafe { border::write_plain(engine, "engine", Box::into_raw(made)) }
    })
}

/// Frees an engine.
///
/// # Safety
/// `engine` is null or came from [`emilia_new`], was not freed, and no other thread is using it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_free(engine: *mut EmiliaEngine) {
    guarded(|| {
        if !engine.is_null() {
            // SAFETY: it was made by `Box::into_raw` in `make`, and nobody uses it any more.
            drop(unsafe { Box::from_raw(engine) });
        }
        Ok(())
    });
}

/// Sets an option.
///
/// # Safety
/// `engine` is null or from [`emilia_new`] and not freed; the texts are null or have a NUL at their end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_set_option(
    engine: *mut EmiliaEngine,
    name: *const c_char,
    value: *const c_char,
) -> EmiliaStatus {
    // SAFETY: by the contract of this function.
    unsafe {
        with_session(engine, |_, session| {
            let (name, value) = (border::text(name, "name")?, border::text(value, "value")?);
            session.set_option(name, value)
        })
    }
}

/// Sets the position.
///
/// # Safety
/// `engine` is null or from [`emilia_new`] and not freed; the text is null or has a NUL at its end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_set_position(
    engine: *mut EmiliaEngine,
    position: *const c_char,
) -> EmiliaStatus {
    // SAFETY: by the contract of this function.
    unsafe {
        with_session(engine, |_, session| {
            session.set_position(border::text(position, "position")?)
        })
    }
}

/// Plays a move.
///
/// # Safety
/// `engine` is null or from [`emilia_new`] and not freed; the text is null or has a NUL at its end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_play(
    engine: *mut EmiliaEngine,
    r#move: *const c_char,
) -> EmiliaStatus {
    // SAFETY: by the contract of this function.
    unsafe {
        with_session(engine, |_, session| {
            session.play(border::text(r#move, "move")?)
        })
    }
}

/// Takes back what was played last.
///
/// # Safety
/// `engine` is null or from [`emilia_new`] and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_undo(engine: *mut EmiliaEngine) -> EmiliaStatus {
    // SAFETY: by the contract of this function.
    unsafe { with_session(engine, |_, session| session.undo()) }
}

/// The position.
///
/// # Safety
/// `engine` is null or from [`emilia_new`] and not freed; `position` is null or has as many bytes as its first field says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_get_position(
    engine: *mut EmiliaEngine,
    position: *mut EmiliaPosition,
) -> EmiliaStatus {
    // SAFETY: by the contract of this function.
    unsafe {
        with_session(engine, |_, session| {
            border::write(position, &session.position())
        })
    }
}

/// The legal squares.
///
/// # Safety
/// `engine` is null or from [`emilia_new`] and not freed; `squares` is null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_legal_moves(
    engine: *mut EmiliaEngine,
    squares: *mut u64,
) -> EmiliaStatus {
    // SAFETY: by the contract of this function.
    unsafe {
        with_session(engine, |_, session| {
            border::write_plain(squares, "squares", session.legal_moves())
        })
    }
}

/// Begins to search for a move.
///
/// # Safety
/// `engine` is null or from [`emilia_new`] and not freed; `limits` is null or has as many bytes as its first field says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_go(
    engine: *mut EmiliaEngine,
    limits: *const EmiliaLimits,
) -> EmiliaStatus {
    // SAFETY: by the contract of this function.
    unsafe {
        with_session(engine, |engine, session| {
            engine.set_stop(session.go(&limits_at(limits)?)?);
            Ok(())
        })
    }
}

/// Begins to search for the best moves.
///
/// # Safety
/// `engine` is null or from [`emilia_new`] and not freed; `limits` is null or has as many bytes as its first field says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_hint(
    engine: *mut EmiliaEngine,
    count: u32,
    limits: *const EmiliaLimits,
) -> EmiliaStatus {
    // SAFETY: by the contract of this function.
    unsafe {
        with_session(engine, |engine, session| {
            engine.set_stop(session.hint(count, &limits_at(limits)?)?);
            Ok(())
        })
    }
}

/// Ends the search.
///
/// # Safety
/// `engine` is null or from [`emilia_new`] and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_stop(engine: *mut EmiliaEngine) -> EmiliaStatus {
    guarded(|| {
        // SAFETY: by the contract of this function it is null or an engine, which is only ever borrowed shared.
        let engine = unsafe { engine.as_ref() }.ok_or_else(|| Failure::null("engine"))?;
        (engine.stop.lock())
            .unwrap_or_else(PoisonError::into_inner)
            .set();
        Ok(())
    })
}

/// How the search stands.
///
/// # Safety
/// `engine` is null or from [`emilia_new`] and not freed; `result` is null or has as many bytes as its first field says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_poll(
    engine: *mut EmiliaEngine,
    result: *mut EmiliaResult,
) -> EmiliaStatus {
    // SAFETY: by the contract of this function.
    unsafe {
        with_session(engine, |_, session| {
            session.poll();
            border::write(result, &session.result())
        })
    }
}

/// One of its lines.
///
/// # Safety
/// `engine` is null or from [`emilia_new`] and not freed; `result` is null or has as many bytes as its first field says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_line(
    engine: *mut EmiliaEngine,
    index: u32,
    result: *mut EmiliaResult,
) -> EmiliaStatus {
    // SAFETY: by the contract of this function.
    unsafe {
        with_session(engine, |_, session| {
            border::write(result, &session.line(index)?)
        })
    }
}

/// Waits for the end of the search.
///
/// # Safety
/// `engine` is null or from [`emilia_new`] and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_wait(engine: *mut EmiliaEngine) -> EmiliaStatus {
    // SAFETY: by the contract of this function.
    unsafe {
        with_session(engine, |_, session| {
            session.wait();
            Ok(())
        })
    }
}
