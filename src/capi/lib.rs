//! The C interface: the `extern "C"` functions that `emilia.h` declares.
//!
//! The header documents behaviour, ownership and threading for callers in C.
//! The functions here convert pointers to Rust values and call `session`, which is safe code.
//!
//! Reading order:
//! - `emilia.h`: the contract, for callers in C.
//! - `types`: the structs and constants of the header in Rust.
//! - `lib` (this file): one exported function for each declaration of the header.
//! - `ffi`: reads and writes the caller's structs and strings.
//! - `session`: the game and the search of one engine.
//! - `error`: status codes, error messages, and the catching of panics.

mod error;
mod ffi;
mod session;
#[cfg(test)]
mod tests;
mod types;

use std::ffi::c_char;
use std::ptr;

use emilia_core::search::StopFlag;
use error::{CallError, catch_errors};
use parking_lot::Mutex;
use session::EngineSession;
pub use types::{
    EMILIA_BLACK, EMILIA_DONE, EMILIA_IDLE, EMILIA_MUST_PASS, EMILIA_NO_SQUARE, EMILIA_OVER,
    EMILIA_PASS, EMILIA_RUNNING, EMILIA_TO_MOVE, EMILIA_WHITE, EmiliaLimits, EmiliaPosition,
    EmiliaResult, EmiliaStatus,
};

/// The version of the C interface. Equals `EMILIA_ABI_VERSION` of the header.
const ABI_VERSION: u32 = 1;

/// Error message of `emilia_new` on a processor that cannot run this build.
#[cfg(target_arch = "x86_64")]
const OLD_PROCESSOR: &std::ffi::CStr =
    c"this processor lacks instructions that the library was built for: build it with \
RUSTFLAGS=\"-C target-cpu=x86-64\"";

/// An engine handle of the C interface: one game and its search.
#[derive(Debug)]
pub struct EmiliaEngine {
    session: Mutex<EngineSession>,
    /// Stop flag of the latest search, outside `session` so that any thread can set it at any time.
    stop: Mutex<StopFlag>,
}

/// Locks the session of `engine` and runs `call` on it.
///
/// Returns [`EmiliaStatus::Busy`] if another thread holds the lock.
///
/// # Safety
/// `engine` is null or a live pointer from [`emilia_new`].
unsafe fn with_session(
    engine: *const EmiliaEngine,
    call: impl FnOnce(&EmiliaEngine, &mut EngineSession) -> Result<(), CallError>,
) -> EmiliaStatus {
    catch_errors(|| {
        // SAFETY: `engine` is null or live by this function's contract; borrowed shared only.
        let engine = unsafe { engine.as_ref() }.ok_or_else(|| CallError::null("engine"))?;
        let mut session = engine.session.try_lock().ok_or_else(|| {
            CallError::new(
                EmiliaStatus::Busy,
                "another thread is in a call on this engine",
            )
        })?;
        call(engine, &mut session)
    })
}

/// Defines exported functions whose first parameter is an engine, null or live: each locks its
/// session and runs the closure after `=>` on engine and session.
macro_rules! on_session {
    ($($(#[$about:meta])* fn $name:ident($($argument:ident: $kind:ty),*) => $call:expr;)*) => {$(
        $(#[$about])*
        ///
        /// # Safety
        /// `engine` is null or a live pointer from [`emilia_new`]. Another pointer is null, or points
        /// to a NUL-terminated string, or to a struct whose first field is its size in bytes. What
        /// the function writes to is writable.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            engine: *mut EmiliaEngine,
            $($argument: $kind),*
        ) -> EmiliaStatus {
            // SAFETY: the caller upholds the safety contract of this function.
            unsafe { with_session(engine, $call) }
        }
    )*};
}

/// Reads the caller's limits. A null pointer means all zeros: the options apply.
///
/// # Safety
/// `limits` is null or points to a struct whose first field is its size in bytes.
unsafe fn limits_at(limits: *const EmiliaLimits) -> Result<EmiliaLimits, CallError> {
    if limits.is_null() {
        return Ok(EmiliaLimits::default());
    }
    // SAFETY: the caller upholds the safety contract of this function.
    unsafe { ffi::read(limits) }
}

/// Returns the version of the library, such as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn emilia_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Returns the version of the C interface.
#[unsafe(no_mangle)]
pub extern "C" fn emilia_abi_version() -> u32 {
    ABI_VERSION
}

/// Returns the message of the last failed call of this thread, or "" if none failed.
#[unsafe(no_mangle)]
pub extern "C" fn emilia_last_error() -> *const c_char {
    error::last()
}

/// Creates an engine at the start position and writes its pointer to `engine`.
///
/// # Safety
/// `engine` is null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_new(engine: *mut *mut EmiliaEngine) -> EmiliaStatus {
    #[cfg(target_arch = "x86_64")]
    if !emilia_core::cpu::is_supported(|_| ()) {
        if !engine.is_null() {
            // SAFETY: the caller upholds the safety contract of this function.
            unsafe { engine.write_unaligned(ptr::null_mut()) };
        }
        error::remember_static(OLD_PROCESSOR);
        return EmiliaStatus::OldProcessor;
    }
    // SAFETY: the caller upholds the safety contract of this function.
    unsafe { make(engine) }
}

/// Implements [`emilia_new`] on a supported processor.
///
/// Never inlined, so that none of its instructions runs before the processor check.
///
/// # Safety
/// `engine` is null or valid for writes.
#[inline(never)]
unsafe fn make(engine: *mut *mut EmiliaEngine) -> EmiliaStatus {
    catch_errors(|| {
        // SAFETY: `engine` is null or valid for writes by the contract of this function.
        unsafe { ffi::write_plain(engine, "engine", ptr::null_mut()) }?;
        let session =
            EngineSession::new().map_err(|error| CallError::new(EmiliaStatus::NoMemory, error))?;
        let made = Box::new(EmiliaEngine {
            session: Mutex::new(session),
            stop: Mutex::default(),
        });
        // SAFETY: `engine` is null or valid for writes by the contract of this function.
        unsafe { ffi::write_plain(engine, "engine", Box::into_raw(made)) }
    })
}

/// Stops the search of an engine and frees the engine. A null pointer is ignored.
///
/// # Safety
/// `engine` is null or a live pointer from [`emilia_new`] that no other thread is using.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_free(engine: *mut EmiliaEngine) {
    catch_errors(|| {
        if !engine.is_null() {
            // SAFETY: `make` created the pointer by `Box::into_raw`, and it is not used afterwards.
            drop(unsafe { Box::from_raw(engine) });
        }
        Ok(())
    });
}

on_session! {
    /// Sets an engine option by name.
    fn emilia_set_option(name: *const c_char, value: *const c_char) => |_, session| {
        session.set_option(ffi::text(name, "name")?, ffi::text(value, "value")?)
    };
    /// Sets the position and clears the undo history.
    fn emilia_set_position(position: *const c_char) => |_, session| {
        session.set_position(ffi::text(position, "position")?)
    };
    /// Plays a move in the current position.
    fn emilia_play(r#move: *const c_char) => |_, session| {
        session.play(ffi::text(r#move, "move")?)
    };
    /// Undoes the last [`emilia_play`].
    fn emilia_undo() => |_, session| session.undo();
    /// Writes the current position to `position`.
    fn emilia_get_position(position: *mut EmiliaPosition) => |_, session| {
        ffi::write(position, session.position())
    };
    /// Writes the legal moves to `squares` as a mask: bit 0 is a1, bit 63 is h8.
    fn emilia_legal_moves(squares: *mut u64) => |_, session| {
        ffi::write_plain(squares, "squares", session.legal_moves())
    };
    /// Writes the number of positions `depth` plies after the current one to `count`.
    fn emilia_perft(depth: u32, count: *mut u64) => |_, session| {
        ffi::write_plain(count, "count", session.perft(depth)?)
    };
    /// Starts a search for the move to play and returns at once.
    fn emilia_go(limits: *const EmiliaLimits) => |engine, session| {
        *engine.stop.lock() = session.go(&limits_at(limits)?)?;
        Ok(())
    };
    /// Starts a MultiPV search for the best `count` moves and returns at once.
    fn emilia_hint(count: u32, limits: *const EmiliaLimits) => |engine, session| {
        *engine.stop.lock() = session.hint(count, &limits_at(limits)?)?;
        Ok(())
    };
    /// Writes the state of the search and its best line so far to `result`. Does not wait.
    fn emilia_poll(result: *mut EmiliaResult) => |_, session| {
        session.poll();
        ffi::write(result, session.result(0))
    };
    /// Writes line `index` of the latest completed iteration to `result`; index 0 is the best line.
    fn emilia_line(index: u32, result: *mut EmiliaResult) => |_, session| {
        ffi::write(result, session.line(index)?)
    };
    /// Blocks until the running search has ended. Returns at once if none is running.
    fn emilia_wait() => |_, session| {
        session.wait();
        Ok(())
    };
}

/// Sets the stop flag of the running search and returns at once. Callable from any thread.
///
/// # Safety
/// `engine` is null or a live pointer from [`emilia_new`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_stop(engine: *mut EmiliaEngine) -> EmiliaStatus {
    catch_errors(|| {
        // SAFETY: `engine` is null or live by this function's contract; borrowed shared only.
        let engine = unsafe { engine.as_ref() }.ok_or_else(|| CallError::null("engine"))?;
        engine.stop.lock().set();
        Ok(())
    })
}
