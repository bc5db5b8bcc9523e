//! The functions as a C program calls them, with values in the place of pointers.

use std::ffi::{CStr, CString};
use std::mem::MaybeUninit;

use super::super::*;

/// An engine that is freed at the end of a test.
pub(super) struct Handle(pub(super) *mut EmiliaEngine);

// SAFETY: the tests keep to what `emilia.h` says of threads.
unsafe impl Sync for Handle {}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the engine is from `emilia_new`, and nobody has it any more.
        unsafe { emilia_free(self.0) };
    }
}

impl Handle {
    pub(super) fn new() -> Handle {
        let mut engine = ptr::null_mut();
        // SAFETY: the pointer can be written to.
        done(unsafe { emilia_new(&raw mut engine) });
        assert!(!engine.is_null());
        Handle(engine)
    }

    pub(super) fn set_option(&self, name: &str, value: &str) -> EmiliaStatus {
        let (name, value) = (c(name), c(value));
        // SAFETY: an engine and two texts.
        unsafe { emilia_set_option(self.0, name.as_ptr(), value.as_ptr()) }
    }

    pub(super) fn set_position(&self, text: &str) -> EmiliaStatus {
        // SAFETY: an engine and a text.
        unsafe { emilia_set_position(self.0, c(text).as_ptr()) }
    }

    pub(super) fn play(&self, text: &str) -> EmiliaStatus {
        // SAFETY: an engine and a text.
        unsafe { emilia_play(self.0, c(text).as_ptr()) }
    }

    pub(super) fn undo(&self) -> EmiliaStatus {
        // SAFETY: an engine.
        unsafe { emilia_undo(self.0) }
    }

    pub(super) fn position(&self) -> EmiliaPosition {
        let mut position = MaybeUninit::<EmiliaPosition>::zeroed();
        let at = position.as_mut_ptr();
        // SAFETY: zeros are a position whose size is then set, and an engine.
        unsafe {
            (*at).size = size_of::<EmiliaPosition>() as u32;
            done(emilia_get_position(self.0, at));
            position.assume_init()
        }
    }

    pub(super) fn legal_moves(&self) -> u64 {
        let mut squares = u64::MAX;
        // SAFETY: an engine and a number.
        done(unsafe { emilia_legal_moves(self.0, &raw mut squares) });
        squares
    }

    pub(super) fn go(&self, limits: EmiliaLimits) -> EmiliaStatus {
        // SAFETY: an engine and limits.
        unsafe { emilia_go(self.0, &raw const limits) }
    }

    /// Without limits.
    pub(super) fn hint(&self, count: u32) -> EmiliaStatus {
        // SAFETY: an engine; no limits are allowed.
        unsafe { emilia_hint(self.0, count, ptr::null()) }
    }

    pub(super) fn stop(&self) -> EmiliaStatus {
        // SAFETY: an engine.
        unsafe { emilia_stop(self.0) }
    }

    pub(super) fn wait(&self) -> EmiliaStatus {
        // SAFETY: an engine.
        unsafe { emilia_wait(self.0) }
    }

    pub(super) fn poll(&self) -> EmiliaResult {
        let mut result = no_result();
        // SAFETY: an engine and a result.
        done(unsafe { emilia_poll(self.0, &raw mut result) });
        result
    }

    pub(super) fn line(&self, index: u32) -> Result<EmiliaResult, EmiliaStatus> {
        let mut result = no_result();
        // SAFETY: an engine and a result.
        match unsafe { emilia_line(self.0, index, &raw mut result) } {
            EmiliaStatus::Ok => Ok(result),
            status => Err(status),
        }
    }

    /// What a search within these limits ends with.
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
    // SAFETY: the tests bring characters with a NUL among them.
    let text = unsafe { CStr::from_ptr(characters.as_ptr()) };
    text.to_str().expect("UTF-8")
}

pub(super) fn last_error() -> String {
    // SAFETY: the text stays until the next failure of this thread.
    let text = unsafe { CStr::from_ptr(emilia_last_error()) };
    text.to_str().expect("UTF-8").to_owned()
}

pub(super) fn done(status: EmiliaStatus) {
    assert_eq!(status, EmiliaStatus::Ok, "{}", last_error());
}

/// The call was refused with this code and this sentence.
pub(super) fn refused(status: EmiliaStatus, expected: EmiliaStatus, sentence: &str) {
    assert_eq!((status, &*last_error()), (expected, sentence));
}
