//! Safe wrapper around the exported functions of the C interface, for tests.

use std::ffi::{CStr, CString};
use std::mem::MaybeUninit;

use super::super::*;

/// Engine of the C interface. Freed on drop.
pub(super) struct Handle(pub(super) *mut EmiliaEngine);

// SAFETY: the tests obey the threading rules in `emilia.h`.
unsafe impl Sync for Handle {}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the engine was created by `emilia_new` and is not used after this call.
        unsafe { emilia_free(self.0) };
    }
}

impl Handle {
    pub(super) fn new() -> Handle {
        let mut engine = ptr::null_mut();
        // SAFETY: the pointer is valid for writing.
        done(unsafe { emilia_new(&raw mut engine) });
        assert!(!engine.is_null());
        Handle(engine)
    }

    /// Creates an engine whose searches take an hour unless they are stopped.
    pub(super) fn searching_for_an_hour() -> Handle {
        let engine = Handle::new();
        done(engine.set_option("time", "3600"));
        engine
    }

    pub(super) fn set_option(&self, name: &str, value: &str) -> EmiliaStatus {
        let (name, value) = (c(name), c(value));
        // SAFETY: the engine is live and both strings end with NUL.
        unsafe { emilia_set_option(self.0, name.as_ptr(), value.as_ptr()) }
    }

    pub(super) fn set_position(&self, text: &str) -> EmiliaStatus {
        // SAFETY: the engine is live and the string ends with NUL.
        unsafe { emilia_set_position(self.0, c(text).as_ptr()) }
    }

    pub(super) fn play(&self, text: &str) -> EmiliaStatus {
        // SAFETY: the engine is live and the string ends with NUL.
        unsafe { emilia_play(self.0, c(text).as_ptr()) }
    }

    pub(super) fn undo(&self) -> EmiliaStatus {
        // SAFETY: the engine is live.
        unsafe { emilia_undo(self.0) }
    }

    pub(super) fn position(&self) -> EmiliaPosition {
        let mut position = MaybeUninit::<EmiliaPosition>::zeroed();
        let at = position.as_mut_ptr();
        // SAFETY: the engine is live. Zero bytes are a valid position, and its size is set before
        // the call.
        unsafe {
            (*at).size = size_of::<EmiliaPosition>() as u32;
            done(emilia_get_position(self.0, at));
            position.assume_init()
        }
    }

    pub(super) fn legal_moves(&self) -> u64 {
        let mut squares = u64::MAX;
        // SAFETY: the engine is live and the number is writable.
        done(unsafe { emilia_legal_moves(self.0, &raw mut squares) });
        squares
    }

    pub(super) fn perft(&self, depth: u32, count: &mut u64) -> EmiliaStatus {
        // SAFETY: the engine is live and the number is writable.
        unsafe { emilia_perft(self.0, depth, count) }
    }

    pub(super) fn go(&self, limits: EmiliaLimits) -> EmiliaStatus {
        // SAFETY: the engine is live and the size of the limits is set.
        unsafe { emilia_go(self.0, &raw const limits) }
    }

    /// Starts a search for the best `count` moves, without limits of the call.
    pub(super) fn hint(&self, count: u32) -> EmiliaStatus {
        // SAFETY: the engine is live. The limits may be null.
        unsafe { emilia_hint(self.0, count, ptr::null()) }
    }

    pub(super) fn stop(&self) -> EmiliaStatus {
        // SAFETY: the engine is live.
        unsafe { emilia_stop(self.0) }
    }

    pub(super) fn wait(&self) -> EmiliaStatus {
        // SAFETY: the engine is live.
        unsafe { emilia_wait(self.0) }
    }

    pub(super) fn poll(&self) -> EmiliaResult {
        let mut result = no_result();
        // SAFETY: the engine is live and the size of the result is set.
        done(unsafe { emilia_poll(self.0, &raw mut result) });
        result
    }

    pub(super) fn line(&self, index: u32) -> Result<EmiliaResult, EmiliaStatus> {
        let mut result = no_result();
        // SAFETY: the engine is live and the size of the result is set.
        match unsafe { emilia_line(self.0, index, &raw mut result) } {
            EmiliaStatus::Ok => Ok(result),
            status => Err(status),
        }
    }

    /// Runs a search with `limits` and returns its final result.
    pub(super) fn found(&self, limits: EmiliaLimits) -> EmiliaResult {
        done(self.go(limits));
        done(self.wait());
        self.poll()
    }
}

pub(super) fn c(text: &str) -> CString {
    CString::new(text).expect("no NUL inside")
}

pub(super) fn no_result() -> EmiliaResult {
    EmiliaResult {
        size: size_of::<EmiliaResult>() as u32,
        ..EmiliaResult::NONE
    }
}

pub(super) fn level(level: u32) -> EmiliaLimits {
    EmiliaLimits {
        size: size_of::<EmiliaLimits>() as u32,
        level,
        ..EmiliaLimits::default()
    }
}

pub(super) fn string(characters: &[c_char]) -> &str {
    // SAFETY: the tests pass arrays that contain a NUL.
    let text = unsafe { CStr::from_ptr(characters.as_ptr()) };
    text.to_str().expect("UTF-8")
}

pub(super) fn last_error() -> String {
    // SAFETY: the message stays valid until the next call of this thread fails.
    let text = unsafe { CStr::from_ptr(emilia_last_error()) };
    text.to_str().expect("UTF-8").to_owned()
}

pub(super) fn done(status: EmiliaStatus) {
    assert_eq!(status, EmiliaStatus::Ok, "{}", last_error());
}

/// Asserts that a call returned the status `expected` and set the error text `message`.
pub(super) fn refused(status: EmiliaStatus, expected: EmiliaStatus, message: &str) {
    assert_eq!((status, &*last_error()), (expected, message));
}
