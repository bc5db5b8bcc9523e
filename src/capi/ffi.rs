//! Conversion at the C boundary: reads and writes the data behind a caller's pointers.
//!
//! Structs begin with their size, so that callers compiled with other header versions keep working.
//! Uses the structs of the module `types`. Failures become a [`CallError`].

#[cfg(test)]
mod tests;

use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;
use std::ptr;

use super::error::{CallError, ensure};
use super::types::{EmiliaLimits, EmiliaPosition, EmiliaResult, EmiliaStatus};

/// A struct of `emilia.h` whose first field is its size in bytes.
///
/// # Safety
/// The type is `repr(C)`, has only number fields (any bit pattern is valid) and has no padding.
/// Its first field is the size, a `u32`.
pub(super) unsafe trait Versioned: Copy {
    /// The name of the struct in `emilia.h`, for error messages.
    const NAME: &'static str;
    /// Size in bytes of the struct in ABI version 1: the smallest size accepted from a caller.
    const FIRST_SIZE: usize;
}

// Struct sizes in bytes of ABI version 1. Do not change them when fields are added.
const FIRST_POSITION: usize = 4 * 4 + 2 * 8;
const FIRST_LIMITS: usize = 6 * 4 + 8;
const FIRST_RESULT: usize = 8 * 4 + 2 * 8 + 8 + 512;

// A struct equal to the sum of its fields has no padding.
const _: () = assert!(size_of::<EmiliaPosition>() == FIRST_POSITION);
const _: () = assert!(size_of::<EmiliaLimits>() == FIRST_LIMITS);
const _: () = assert!(size_of::<EmiliaResult>() == FIRST_RESULT);

// SAFETY: four 32-bit numbers and two 64-bit numbers, without padding (asserted above).
unsafe impl Versioned for EmiliaPosition {
    const NAME: &'static str = "emilia_position";
    const FIRST_SIZE: usize = FIRST_POSITION;
}

// SAFETY: six 32-bit numbers and one 64-bit number, without padding (asserted above).
unsafe impl Versioned for EmiliaLimits {
    const NAME: &'static str = "emilia_limits";
    const FIRST_SIZE: usize = FIRST_LIMITS;
}

// SAFETY: eight 32-bit numbers, two 64-bit numbers, and two `c_char` arrays whose lengths are
// multiples of 8, without padding (asserted above).
unsafe impl Versioned for EmiliaResult {
    const NAME: &'static str = "emilia_result";
    const FIRST_SIZE: usize = FIRST_RESULT;
}

/// Largest accepted struct size in bytes. A larger size means that the caller did not set it.
const MAX_STRUCT: usize = 4096;

/// Reads and validates the size that the caller stored in the first field of a struct.
///
/// # Safety
/// `at` is null or points to a struct whose first field is its size in bytes.
unsafe fn caller_size<T: Versioned>(at: *const T) -> Result<usize, CallError> {
    if at.is_null() {
        return Err(CallError::null(T::NAME));
    }
    // SAFETY: `at` is not null, and the first field of the struct is its `u32` size.
    let size = unsafe { at.cast::<u32>().read_unaligned() } as usize;
    let (name, expected) = (T::NAME, size_of::<T>());
    let message = format_args!("{name}: the size is {size} (expected {expected}: sizeof({name}))");
    let is_valid = (T::FIRST_SIZE..=MAX_STRUCT).contains(&size);
    ensure(is_valid, EmiliaStatus::BadStruct, message).map(|()| size)
}

/// Copies a struct from the caller. Fields that the caller's version lacks are 0.
///
/// # Errors
/// If the pointer is null or the size is out of range.
/// Also if a field that this library's version lacks is not 0.
///
/// # Safety
/// `from` is null or points to a struct whose first field is its size in bytes.
pub(crate) unsafe fn read<T: Versioned>(from: *const T) -> Result<T, CallError> {
    // SAFETY: the caller upholds the safety contract of this function.
    let size = unsafe { caller_size(from) }?;
    let own_size = size_of::<T>();
    let from = from.cast::<u8>();
    for at in own_size..size {
        // SAFETY: `at` is less than `size`, so the byte lies inside the caller's struct.
        let is_zero = unsafe { from.add(at).read() } == 0;
        let message = format_args!(
            "{}: fields after byte {own_size} must be 0: this library is older than the header",
            T::NAME
        );
        ensure(is_zero, EmiliaStatus::BadStruct, message)?;
    }
    let mut value = MaybeUninit::<T>::zeroed();
    // SAFETY: the copied bytes lie inside both structs, which do not overlap.
    // `T` has only number fields, so any bytes are a valid value.
    unsafe {
        ptr::copy_nonoverlapping(from, value.as_mut_ptr().cast(), own_size.min(size));
        Ok(value.assume_init())
    }
}

/// Copies a struct to the caller, except its size field.
///
/// Fields that the caller's version lacks are left out.
/// Bytes of the caller's struct beyond this library's version are set to 0.
///
/// # Errors
/// If the pointer is null or the size is out of range.
///
/// # Safety
/// `to` is null or points to a writable struct whose first field is its size in bytes.
pub(crate) unsafe fn write<T: Versioned>(to: *mut T, value: &T) -> Result<(), CallError> {
    // SAFETY: the caller upholds the safety contract of this function.
    let size = unsafe { caller_size(to.cast_const()) }?;
    let (shared, first) = (size.min(size_of::<T>()), size_of::<u32>());
    let (to, from) = (to.cast::<u8>(), ptr::from_ref(value).cast::<u8>());
    // SAFETY: both structs have at least `shared` bytes and do not overlap.
    // The caller's struct has `size` bytes, and `T` has no padding.
    unsafe {
        ptr::copy_nonoverlapping(from.add(first), to.add(first), shared - first);
        ptr::write_bytes(to.add(shared), 0, size - shared);
    }
    Ok(())
}

/// Writes a plain value, such as a mask, through the caller's pointer.
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
