//! A safe wrapper around the exported functions of the C interface, for its tests.

use std::ffi::{CStr, CString};
use std::mem::MaybeUninit;

use super::super::*;

/// An engine of the C interface, freed on drop.
pub(super) struct Handle(pub(super) *mut EmiliaEngine);

// SAFETY: the tests follow the threading rules of `emilia.h`.
unsafe impl Sync for Handle {}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the engine comes from `emilia_new` and is not used afterwards.
        unsafe { emilia_free(self.0) };
    }
}

impl Handle {
    pub(super) fn new() -> Handle {
        let mut engine = ptr::null_mut();
        // SAFETY: the pointer is valid for writes.
        done(unsafe { emilia_new(&raw mut engine) });
        assert!(!engine.is_null());
        Handle(engine)
    }

    /// Makes an engine whose searches last an hour unless they are stopped.
    pub(super) fn searching_for_an_hour() -> Handle {
        let engine = Handle::new();
        done(engine.set_option("time", "3600"));
        engine
    }

    pub(super) fn set_option(&self, name: &str, value: &str) -> EmiliaStatus {
        let (name, value) = (c(name), c(value));
        // SAFETY: a live engine and two NUL-terminated strings.
        unsafe { emilia_set_option(self.0, name.as_ptr(), value.as_ptr()) }
    }

    pub(super) fn set_position(&self, text: &str) -> EmiliaStatus {
        // SAFETY: a live engine and a NUL-terminated string.
        unsafe { emilia_set_position(self.0, c(text).as_ptr()) }
    }

    pub(super) fn play(&self, text: &str) -> EmiliaStatus {
        // SAFETY: a live engine and a NUL-terminated string.
        unsafe { emilia_play(self.0, c(text).as_ptr()) }
    }

    pub(super) fn undo(&self) -> EmiliaStatus {
        // SAFETY: a live engine.
        unsafe { emilia_undo(self.0) }
    }

    pub(super) fn position(&self) -> EmiliaPosition {
        let mut position = MaybeUninit::<EmiliaPosition>::zeroed();
        let at = position.as_mut_ptr();
        // SAFETY: a live engine; zeros are a valid position, whose size is set before the call.
        unsafe {
            (*at).size = size_of::<EmiliaPosition>() as u32;
            done(emilia_get_position(self.0, at));
            position.assume_init()
        }
    }

    pub(super) fn legal_moves(&self) -> u64 {
        let mut squares = u64::MAX;
        // SAFETY: a live engine and a writable number.
        done(unsafe { emilia_legal_moves(self.0, &raw mut squares) });
        squares
    }

    pub(super) fn perft(&self, depth: u32, count: &mut u64) -> EmiliaStatus {
        // SAFETY: a live engine and a writable number.
        unsafe { emilia_perft(self.0, depth, count) }
    }

    pub(super) fn go(&self, limits: EmiliaLimits) -> EmiliaStatus {
        // SAFETY: a live engine and limits whose size is set.
        unsafe { emilia_go(self.0, &raw const limits) }
    }

    /// Starts `emilia_hint` without limits.
    pub(super) fn hint(&self, count: u32) -> EmiliaStatus {
        // SAFETY: a live engine; null limits are allowed.
        unsafe { emilia_hint(self.0, count, ptr::null()) }
    }

    pub(super) fn stop(&self) -> EmiliaStatus {
        // SAFETY: a live engine.
        unsafe { emilia_stop(self.0) }
    }

    pub(super) fn wait(&self) -> EmiliaStatus {
        // SAFETY: a live engine.
        unsafe { emilia_wait(self.0) }
    }

    pub(super) fn poll(&self) -> EmiliaResult {
        let mut result = no_result();
        // SAFETY: a live engine and a result whose size is set.
        done(unsafe { emilia_poll(self.0, &raw mut result) });
        result
    }

    pub(super) fn line(&self, index: u32) -> Result<EmiliaResult, EmiliaStatus> {
        let mut result = no_result();
        // SAFETY: a live engine and a result whose size is set.
        match unsafe { emilia_line(self.0, index, &raw mut result) } {
            EmiliaStatus::Ok => Ok(result),
            status => Err(status),
        }
    }

    /// Runs a search within `limits` and returns its final result.
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
    // SAFETY: the message stays valid until the next failed call of this thread.
    let text = unsafe { CStr::from_ptr(emilia_last_error()) };
    text.to_str().expect("UTF-8").to_owned()
}

pub(super) fn done(status: EmiliaStatus) {
    assert_eq!(status, EmiliaStatus::Ok, "{}", last_error());
}

/// Asserts that a call returned the status `expected` and left `message`.
pub(super) fn refused(status: EmiliaStatus, expected: EmiliaStatus, message: &str) {
    assert_eq!((status, &*last_error()), (expected, message));
}
