//! What a call came to: a code, and a sentence that waits in the thread until it is asked for.

use std::any::Any;
use std::cell::Cell;
use std::ffi::c_char;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::types::EmiliaStatus;

/// Why a call came to nothing.
#[derive(Debug)]
pub(super) struct Failure {
    status: EmiliaStatus,
    sentence: String,
}

impl Failure {
    pub(super) fn new(status: EmiliaStatus, sentence: impl Display) -> Failure {
        Failure {
            status,
            sentence: sentence.to_string(),
        }
    }

    pub(super) fn null(name: &str) -> Failure {
        Failure::new(
            EmiliaStatus::NullPointer,
            format_args!("{name}: the pointer is null"),
        )
    }

    pub(super) fn size(name: &str, found: usize, expected: usize) -> Failure {
        Failure::new(
            EmiliaStatus::BadStruct,
            format_args!("{name}: the size is {found} (expected {expected}: sizeof({name}))"),
        )
    }

    pub(super) fn unknown_fields(name: &str, known: usize) -> Failure {
        Failure::new(
            EmiliaStatus::BadStruct,
            format_args!(
                "{name}: this library knows the first {known} bytes, and one after them is not 0"
            ),
        )
    }

    pub(super) fn not_utf8(name: &str) -> Failure {
        Failure::new(
            EmiliaStatus::BadText,
            format_args!("{name}: the text is not UTF-8"),
        )
    }

    fn of_panic(panic: &(dyn Any + Send)) -> Failure {
        let words = panic.downcast_ref::<String>().map(String::as_str);
        let words = words.or_else(|| panic.downcast_ref::<&str>().copied());
        Failure::new(
            EmiliaStatus::Internal,
            format_args!(
                "a defect of the library: {}",
                words.unwrap_or("it does not say which")
            ),
        )
    }
}

/// What a sentence may take with the NUL at its end. Those that quote a text of the user at length are cut.
const SENTENCE_SIZE: usize = 1024;

thread_local! {
    /// The last sentence that was made here. It stays in its place, so that a pointer to it that was kept leads to a sentence.
    static SENTENCE: Cell<[u8; SENTENCE_SIZE]> = const { Cell::new([0; SENTENCE_SIZE]) };
    /// What `emilia_last_error` returns: that sentence, or one that is in the library.
    static LAST: Cell<*const c_char> = const { Cell::new(c"".as_ptr()) };
}

/// The sentence of the last failure in this thread.
pub(super) fn last() -> *const c_char {
    LAST.get()
}

/// Leaves a sentence that is in the library, and does nothing else: for processors that may not run the rest.
#[cfg(target_arch = "x86_64")]
pub(super) fn remember_static(sentence: &'static std::ffi::CStr) {
    LAST.set(sentence.as_ptr());
}

/// Leaves a sentence.
pub(super) fn remember(sentence: &str) {
    let most = sentence.len().min(SENTENCE_SIZE - 1);
    let is_boundary = |&at: &usize| sentence.is_char_boundary(at);
    let length = (0..=most).rev().find(is_boundary).unwrap_or(0);
    let mut bytes = [0; SENTENCE_SIZE];
    bytes[..length].copy_from_slice(&sentence.as_bytes()[..length]);
    SENTENCE.set(bytes);
    LAST.set(SENTENCE.with(Cell::as_ptr).cast_const().cast());
}

/// What `call` came to. A panic ends here, where the build unwinds; where it aborts, it ends the process.
pub(super) fn guarded(call: impl FnOnce() -> Result<(), Failure>) -> EmiliaStatus {
    // What a panic leaves behind is looked at again by those alone who take what they find: see `Session::wait`.
    let result = catch_unwind(AssertUnwindSafe(call));
    match result.unwrap_or_else(|panic| Err(Failure::of_panic(&*panic))) {
        Ok(()) => EmiliaStatus::Ok,
        Err(failure) => {
            remember(&failure.sentence);
            failure.status
        }
    }
}
