//! Conversion at the C boundary: reads and writes the data behind a caller's pointers.
//!
//! Each struct of the module `types` begins with its size. A caller that was compiled with another
//! version of the header has another size, and is refused. Failures become a [`CallError`].

use std::ffi::{CStr, c_char};

use super::error::{CallError, ensure};
use super::types::{EmiliaLimits, EmiliaPosition, EmiliaResult, EmiliaStatus};

/// A struct of `emilia.h` whose first field is its size in bytes.
///
/// # Safety
/// The type is `repr(C)` and has only number fields, so that any bit pattern is valid.
/// Its first field is the size, a `u32`.
pub(super) unsafe trait SizedStruct: Copy {
    /// The name of the struct in `emilia.h`, for error messages.
    const NAME: &'static str;
}

// SAFETY: four 32-bit numbers and two 64-bit numbers.
unsafe impl SizedStruct for EmiliaPosition {
    const NAME: &'static str = "emilia_position";
}

// SAFETY: six 32-bit numbers and one 64-bit number.
unsafe impl SizedStruct for EmiliaLimits {
    const NAME: &'static str = "emilia_limits";
}

// SAFETY: eight 32-bit numbers, two 64-bit numbers and two arrays of `c_char`.
unsafe impl SizedStruct for EmiliaResult {
    const NAME: &'static str = "emilia_result";
}

/// Checks the size that the caller stored in the first field of a struct.
///
/// # Safety
/// `at` is null or points to a struct whose first field is its size in bytes.
unsafe fn check_size<T: SizedStruct>(at: *const T) -> Result<(), CallError> {
    if at.is_null() {
        return Err(CallError::null(T::NAME));
    }
    // SAFETY: `at` is not null, and the first field of the struct is its `u32` size.
    let size = unsafe { at.cast::<u32>().read_unaligned() } as usize;
    let (name, expected) = (T::NAME, size_of::<T>());
    let message = format_args!("{name}: the size is {size} (expected {expected}: sizeof({name}))");
    ensure(size == expected, EmiliaStatus::BadStruct, message)
}

/// Copies a struct from the caller.
///
/// # Errors
/// If the pointer is null, or the size in the struct is not the size of `T`.
///
/// # Safety
/// `from` is null or points to a struct whose first field is its size in bytes.
pub(crate) unsafe fn read<T: SizedStruct>(from: *const T) -> Result<T, CallError> {
    // SAFETY: the caller upholds the safety contract of this function.
    unsafe { check_size(from) }?;
    // SAFETY: `check_size` has verified that the struct has the size of `T`. It has only number
    // fields, so any bytes are a valid value.
    Ok(unsafe { from.read_unaligned() })
}

/// Copies `value` to a struct of the caller.
///
/// # Errors
/// If the pointer is null, or the size in the caller's struct is not the size of `T`.
///
/// # Safety
/// `to` is null or points to a writable struct whose first field is its size in bytes.
pub(crate) unsafe fn write<T: SizedStruct>(to: *mut T, value: T) -> Result<(), CallError> {
    // SAFETY: the caller upholds the safety contract of this function.
    unsafe { check_size(to.cast_const()) }?;
    // SAFETY: `check_size` has verified that the pointer is not null and that the struct has the
    // size of `T`.
    unsafe { to.write_unaligned(value) };
    Ok(())
}

/// Writes a value that is not a struct, such as a mask, through the caller's pointer.
///
/// # Errors
/// If the pointer is null.
///
/// # Safety
/// `to` is null or valid for writing a `T`. It need not be aligned.
pub(super) unsafe fn write_plain<T>(to: *mut T, name: &str, value: T) -> Result<(), CallError> {
    if to.is_null() {
        return Err(CallError::null(name));
    }
    // SAFETY: `to` is not null, and valid for writes by the contract of this function.
    unsafe { to.write_unaligned(value) };
    Ok(())
}

/// Borrows a NUL-terminated string of the caller as UTF-8.
///
/// # Errors
/// If the pointer is null or the string is not UTF-8.
///
/// # Safety
/// `from` is null or points to a NUL-terminated string that is not modified during `'a`.
pub(super) unsafe fn text<'a>(from: *const c_char, name: &str) -> Result<&'a str, CallError> {
    if from.is_null() {
        return Err(CallError::null(name));
    }
    // SAFETY: `from` is not null, and NUL-terminated by the contract of this function.
    let text = unsafe { CStr::from_ptr(from) };
    let message = format_args!("{name}: the text is not UTF-8");
    text.to_str()
        .map_err(|_| CallError::new(EmiliaStatus::BadText, message))
}
