//! The C interface: the `extern "C"` functions that `emilia.h` declares.
//!
//! `cbindgen` makes the header from this file, `types` and `cbindgen.toml`. Comments of exported
//! items are therefore written for callers in C, with the names that the items have there.
//! The functions here convert pointers to Rust values and call `session`, which is safe code.
//!
//! Safety rules for callers of all functions: an engine is null or a live pointer from `emilia_new`.
//! Every other pointer is null, or points to a NUL-terminated string, or to a struct whose first field
//! is its size in bytes, or to memory that the function may write to.
//!
//! Reading order:
//! - `cbindgen.toml`: the contract, for callers in C.
//! - `types`: structs, constants and status codes.
//! - `lib` (this file): the exported functions.
//! - `ffi`: reads and writes the caller's structs and strings.
//! - `session`: the game and the search of one engine.
//! - `error`: status codes and error messages.

#![allow(unsafe_code, reason = "pointers of callers in C")]
#![allow(
    clippy::missing_safety_doc,
    reason = "the safety of all functions is above, and no text for C"
)]
#![allow(
    clippy::doc_markdown,
    reason = "the comments of exported items are for C"
)]

mod error;
mod ffi;
mod session;
#[cfg(test)]
mod tests;
mod types;

use std::ffi::c_char;
use std::ptr;

use emilia_core::search::StopFlag;
use error::{CallError, status_of};
use parking_lot::Mutex;
use session::EngineSession;
pub use types::{
    EMILIA_BLACK, EMILIA_DONE, EMILIA_IDLE, EMILIA_MUST_PASS, EMILIA_NO_SQUARE, EMILIA_OVER,
    EMILIA_PASS, EMILIA_RUNNING, EMILIA_TO_MOVE, EMILIA_WHITE, EmiliaLimits, EmiliaPosition,
    EmiliaResult, EmiliaStatus,
};

/// The version of the C interface that this header declares.
pub const EMILIA_ABI_VERSION: u32 = 2;

/// Error message of `emilia_new` on a processor that cannot run this build.
#[cfg(target_arch = "x86_64")]
const OLD_PROCESSOR: &std::ffi::CStr =
    c"this processor lacks instructions that the library was built for: build it with \
RUSTFLAGS=\"-C target-cpu=x86-64\"";

/// An engine and its game. Opaque: create it with emilia_new.
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
    status_of(|| {
        // SAFETY: `engine` is null or live by the contract of this function. It is only shared, never
        // borrowed mutably.
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

/// Reads the caller's limits. A null pointer gives limits of 0 in all fields, so that the options
/// apply.
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

/// Returns the version of the library, such as "0.1.0". Never null. The string is valid as long as
/// the library is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn emilia_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Returns the EMILIA_ABI_VERSION of the library. If it differs from the EMILIA_ABI_VERSION of your
/// header, do not call any other function.
#[unsafe(no_mangle)]
pub extern "C" fn emilia_abi_version() -> u32 {
    EMILIA_ABI_VERSION
}

/// Returns the error message of the last failed call of this thread: one sentence in UTF-8, or
/// "" if no call has failed. Never null. The string is valid until the thread ends and changes
/// only when another call of this thread fails.
#[unsafe(no_mangle)]
pub extern "C" fn emilia_last_error() -> *const c_char {
    error::last()
}

/// Creates an engine at the start position and writes its pointer to `engine`, or null on
/// failure. The engine has one search thread and a hash table of 64 MiB. emilia_set_option changes
/// these defaults.
///
/// Errors: EMILIA_STATUS_NO_MEMORY, EMILIA_STATUS_OLD_PROCESSOR.
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
    status_of(|| {
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

/// Stops the search of the engine within milliseconds and frees the engine. Null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_free(engine: *mut EmiliaEngine) {
    status_of(|| {
        if !engine.is_null() {
            // SAFETY: `make` created the pointer by `Box::into_raw`, and it is not used afterwards.
            drop(unsafe { Box::from_raw(engine) });
        }
        Ok(())
    });
}

/// Sets an option by its command-line name, for all later searches: "threads", "hash" (MiB),
/// "level" ("1" to "60", "h0" to "h14"), "seed" (for h0 to h14 and the book), "depth", "time"
/// (seconds), "nodes", "exact", "ponder" ("on", "off"), "selectivity", "eval", "weights" (a
/// file), "book" ("on" for the embedded opening book, "off", or a file), "book-error" (discs).
/// The book is off at first. The result of a book move has 0 nodes. The value "none" removes a
/// limit, a level or a weights file. With "ponder" on, the engine goes on searching after the move of emilia_go is played. It
/// stops when an unexpected reply is played or the option is turned off.
///
/// Errors: EMILIA_STATUS_BAD_OPTION, EMILIA_STATUS_SEARCHING.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_set_option(
    engine: *mut EmiliaEngine,
    name: *const c_char,
    value: *const c_char,
) -> EmiliaStatus {
    // SAFETY: the caller upholds the rules of this module.
    unsafe {
        with_session(engine, |_, session| {
            session.set_option(ffi::text(name, "name")?, ffi::text(value, "value")?)
        })
    }
}

/// Starts another game, or sets up any position. `position` is one of: 64 squares from a1 to h8
/// (X or * black, O white, - or . empty) and the side to move; a board drawn over eight lines; an
/// OBF line; a FEN; the discs of the side to move and of the opponent as hexadecimal numbers, bit 0
/// is a1 ("0x810000000 0x1008000000", Black to move unless "O" follows); a transcript ("f5d6c3",
/// with or without passes); or "start". Moves before the position cannot be undone. The hash table
/// is kept.
///
/// Errors: EMILIA_STATUS_BAD_POSITION, EMILIA_STATUS_SEARCHING.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_set_position(
    engine: *mut EmiliaEngine,
    position: *const c_char,
) -> EmiliaStatus {
    // SAFETY: the caller upholds the rules of this module.
    unsafe {
        with_session(engine, |_, session| {
            session.set_position(ffi::text(position, "position")?)
        })
    }
}

/// Plays a move: a square such as "f5", or "pass" if no square is legal. If the side to move must
/// pass and `move` is a square, the pass is played first.
///
/// Errors: EMILIA_STATUS_BAD_MOVE, EMILIA_STATUS_SEARCHING.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_play(
    engine: *mut EmiliaEngine,
    r#move: *const c_char,
) -> EmiliaStatus {
    // SAFETY: the caller upholds the rules of this module.
    unsafe {
        with_session(engine, |_, session| {
            session.play(ffi::text(r#move, "move")?)
        })
    }
}

/// Undoes the last emilia_play. If that call played a pass first, the pass is undone too.
///
/// Errors: EMILIA_STATUS_NO_UNDO, EMILIA_STATUS_SEARCHING.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_undo(engine: *mut EmiliaEngine) -> EmiliaStatus {
    // SAFETY: the caller upholds the rules of this module.
    unsafe { with_session(engine, |_, session| session.undo()) }
}

/// Writes the current position to `position`. Allowed during a search.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_get_position(
    engine: *mut EmiliaEngine,
    position: *mut EmiliaPosition,
) -> EmiliaStatus {
    // SAFETY: the caller upholds the rules of this module.
    unsafe {
        with_session(engine, |_, session| {
            ffi::write(position, session.position())
        })
    }
}

/// Writes the legal moves of the side to move to `squares`, as a mask. Allowed during a search.
/// The mask is 0 if the side must pass or the game is over. emilia_get_position distinguishes
/// these two states.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_legal_moves(
    engine: *mut EmiliaEngine,
    squares: *mut u64,
) -> EmiliaStatus {
    // SAFETY: the caller upholds the rules of this module.
    unsafe {
        with_session(engine, |_, session| {
            ffi::write_plain(squares, "squares", session.legal_moves())
        })
    }
}

/// Writes the number of positions `depth` plies after the current position to `count`, to check
/// move generation. A pass is one ply, and a game that ends earlier counts 1. `depth` is at most 20.
/// From the start position, depths up to 9 take at most 10 ms. Each further ply takes about ten
/// times as long.
///
/// Errors: EMILIA_STATUS_BAD_LIMITS.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_perft(
    engine: *mut EmiliaEngine,
    depth: u32,
    count: *mut u64,
) -> EmiliaStatus {
    // SAFETY: the caller upholds the rules of this module.
    unsafe {
        with_session(engine, |_, session| {
            ffi::write_plain(count, "count", session.perft(depth)?)
        })
    }
}

/// Starts a search for the move to play and returns at once. The move is not played. If `limits`
/// is null, the options apply. If neither `limits` nor an option sets a level, depth, time, clock or
/// number of nodes, the search lasts one second. If the side to move must pass, the search finds the
/// pass.
///
/// Errors: EMILIA_STATUS_GAME_OVER, EMILIA_STATUS_BAD_LIMITS, EMILIA_STATUS_SEARCHING.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_go(
    engine: *mut EmiliaEngine,
    limits: *const EmiliaLimits,
) -> EmiliaStatus {
    // SAFETY: the caller upholds the rules of this module.
    unsafe {
        with_session(engine, |engine, session| {
            // The lock is held until the search runs, so that a simultaneous `emilia_stop` waits and
            // then stops this search.
            let mut stop = engine.stop.lock();
            *stop = session.go(&limits_at(limits)?)?;
            Ok(())
        })
    }
}

/// Starts a MultiPV search for the best `count` moves, at least 1, and returns at once. If `limits`
/// is null, the options apply. Without a limit on depth, time or nodes, the search lasts one second,
/// as in emilia_go. For a search that lasts until emilia_stop, set time_ms to 3600000000. A human
/// level is ignored.
///
/// Errors: EMILIA_STATUS_GAME_OVER, EMILIA_STATUS_BAD_LIMITS, EMILIA_STATUS_SEARCHING.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_hint(
    engine: *mut EmiliaEngine,
    count: u32,
    limits: *const EmiliaLimits,
) -> EmiliaStatus {
    // SAFETY: the caller upholds the rules of this module.
    unsafe {
        with_session(engine, |engine, session| {
            // The lock is held until the search runs, as in `emilia_go`.
            let mut stop = engine.stop.lock();
            *stop = session.hint(count, &limits_at(limits)?)?;
            Ok(())
        })
    }
}

/// Writes the state of the search and its best line so far to `result`. Does not wait. Once the
/// state is EMILIA_DONE, the line begins with the move to play. If the system could not start a
/// thread for the search, the search runs inside this call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_poll(
    engine: *mut EmiliaEngine,
    result: *mut EmiliaResult,
) -> EmiliaStatus {
    // SAFETY: the caller upholds the rules of this module.
    unsafe {
        with_session(engine, |_, session| {
            session.poll();
            ffi::write(result, session.result(0))
        })
    }
}

/// Writes line `index` (0 is the best) as of the last emilia_poll or emilia_wait to `result`.
/// All lines have the same depth.
///
/// Errors: EMILIA_STATUS_NO_LINE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_line(
    engine: *mut EmiliaEngine,
    index: u32,
    result: *mut EmiliaResult,
) -> EmiliaStatus {
    // SAFETY: the caller upholds the rules of this module.
    unsafe {
        with_session(engine, |_, session| {
            ffi::write(result, session.line(index)?)
        })
    }
}

/// Waits until the running search ends. Returns at once if no search is running. emilia_stop from
/// another thread ends the search, and this call returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_wait(engine: *mut EmiliaEngine) -> EmiliaStatus {
    // SAFETY: the caller upholds the rules of this module.
    unsafe {
        with_session(engine, |_, session| {
            session.wait();
            Ok(())
        })
    }
}

/// Stops the running search, if any, and returns at once. May be called from any thread, but not
/// from a signal handler. The search ends within milliseconds and still finds a move: call
/// emilia_wait, and then emilia_poll to get it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn emilia_stop(engine: *mut EmiliaEngine) -> EmiliaStatus {
    status_of(|| {
        // SAFETY: `engine` is null or live by the rules of this module. It is only shared, never
        // borrowed mutably.
        let engine = unsafe { engine.as_ref() }.ok_or_else(|| CallError::null("engine"))?;
        engine.stop.lock().set();
        Ok(())
    })
}
