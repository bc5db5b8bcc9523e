//! Status codes, and the error message of the calling thread.
//!
//! [`status_of`] runs the body of each exported function, stores the error message for
//! `emilia_last_error`, and returns the status.

use std::cell::Cell;
use std::ffi::c_char;
use std::fmt::Display;

use super::types::EmiliaStatus;

/// A failed call: the status code that it returns and its error message.
#[derive(Debug)]
pub(super) struct CallError {
    status: EmiliaStatus,
    message: String,
}

impl CallError {
    pub(crate) fn new(status: EmiliaStatus, message: impl Display) -> CallError {
        CallError {
            status,
            message: message.to_string(),
        }
    }

    pub(super) fn null(name: &str) -> CallError {
        let message = format_args!("{name}: the pointer is null");
        CallError::new(EmiliaStatus::NullPointer, message)
    }
}

/// Returns an error of this status and message unless `condition` holds.
pub(super) fn ensure(
    condition: bool,
    status: EmiliaStatus,
    message: impl Display,
) -> Result<(), CallError> {
    if condition {
        Ok(())
    } else {
        Err(CallError::new(status, message))
    }
}

/// Size of the message buffer in bytes, with its terminating NUL. Longer messages are cut.
const MESSAGE_SIZE: usize = 1024;

thread_local! {
    /// The latest formatted message of the thread. The buffer is never moved, so that pointers from
    /// earlier calls stay readable.
    static MESSAGE: Cell<[u8; MESSAGE_SIZE]> = const { Cell::new([0; MESSAGE_SIZE]) };
    /// The pointer that `emilia_last_error` returns: `MESSAGE` or a static string.
    static LAST: Cell<*const c_char> = const { Cell::new(c"".as_ptr()) };
}

/// Returns the message of the last failed call of this thread. Never null.
pub(super) fn last() -> *const c_char {
    LAST.get()
}

/// Stores a pointer to a static message and does nothing else.
///
/// Safe to call on processors that lack instructions used by the rest of the library.
#[cfg(target_arch = "x86_64")]
pub(super) fn remember_static(message: &'static std::ffi::CStr) {
    LAST.set(message.as_ptr());
}

/// Copies `message` into the buffer of this thread, cut at a character boundary if too long.
pub(super) fn remember(message: &str) {
    let most = message.len().min(MESSAGE_SIZE - 1);
    let is_boundary = |&at: &usize| message.is_char_boundary(at);
    let length = (0..=most).rev().find(is_boundary).unwrap_or(0);
    let mut bytes = [0; MESSAGE_SIZE];
    bytes[..length].copy_from_slice(&message.as_bytes()[..length]);
    MESSAGE.set(bytes);
    LAST.set(MESSAGE.with(Cell::as_ptr).cast_const().cast());
}

/// Runs `call`, stores the message of a failure, and returns the status code.
pub(super) fn status_of(call: impl FnOnce() -> Result<(), CallError>) -> EmiliaStatus {
    match call() {
        Ok(()) => EmiliaStatus::Ok,
        Err(failure) => {
            remember(&failure.message);
            failure.status
        }
    }
}
