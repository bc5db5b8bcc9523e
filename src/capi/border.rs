//! Values across the border: structs, texts and numbers that a caller's pointers lead to.

use std::ffi::{CStr, c_char};
use std::ptr;

use super::error::Failure;
use super::types::{EmiliaLimits, EmiliaPosition, EmiliaResult};

/// A struct of `emilia.h` that begins with its size.
///
/// # Safety
/// It is `repr(C)` and made of numbers alone, without padding; the first is the size, a `u32`.
pub(super) unsafe trait Versioned: Copy {
    /// Its name in `emilia.h`.
    const NAME: &'static str;
}

// Without padding.
const _: () = assert!(size_of::<EmiliaPosition>() == 4 * 4 + 2 * 8);
const _: () = assert!(size_of::<EmiliaLimits>() == 6 * 4 + 8);
const _: () = assert!(size_of::<EmiliaResult>() == 8 * 4 + 2 * 8 + 8 + 512);

// SAFETY: four numbers of 32 bits and two of 64.
unsafe impl Versioned for EmiliaPosition {
    const NAME: &'static str = "emilia_position";
}

// SAFETY: six numbers of 32 bits and one of 64.
unsafe impl Versioned for EmiliaLimits {
    const NAME: &'static str = "emilia_limits";
}

// SAFETY: eight numbers of 32 bits, two of 64, and two rows of characters whose sizes are multiples of 8.
unsafe impl Versioned for EmiliaResult {
    const NAME: &'static str = "emilia_result";
}

/// No version of a struct is larger: a size beyond it was never set.
const LARGEST_STRUCT: usize = 4096;

/// The size that the caller has set in a struct.
///
/// # Safety
/// `at` is null or points to a struct of as many bytes as its first field says.
unsafe fn size_of_callers<T: Versioned>(at: *const T) -> Result<usize, Failure> {
    if at.is_null() {
        return Err(Failure::null(T::NAME));
    }
    // SAFETY: the size comes first.
    let size = unsafe { at.cast::<u32>().read_unaligned() } as usize;
    if (size_of::<T>()..=LARGEST_STRUCT).contains(&size) {
        Ok(size)
    } else {
        Err(Failure::size(T::NAME, size, size_of::<T>()))
    }
}

/// A struct that came in.
///
/// # Errors
/// If the pointer is null, the size makes no sense, or the caller set fields that are not known here.
///
/// # Safety
/// `from` is null or points to a struct of as many bytes as its first field says.
pub(super) unsafe fn read<T: Versioned>(from: *const T) -> Result<T, Failure> {
    // SAFETY: by the contract of this function.
    let size = unsafe { size_of_callers(from) }?;
    let known = size_of::<T>();
    for at in known..size {
        // SAFETY: inside the caller's struct.
        if unsafe { from.cast::<u8>().add(at).read() } != 0 {
            return Err(Failure::unknown_fields(T::NAME, known));
        }
    }
    // SAFETY: it has at least as many bytes as T, which are numbers of any value.
    Ok(unsafe { from.read_unaligned() })
}

/// Writes a struct that goes out, its size excepted; what the caller has beyond it becomes 0.
///
/// # Errors
/// If the pointer is null or the size makes no sense.
///
/// # Safety
/// `to` is null or points to a struct of as many bytes as its first field says, which may be written.
pub(super) unsafe fn write<T: Versioned>(to: *mut T, value: &T) -> Result<(), Failure> {
    // SAFETY: by the contract of this function.
    let size = unsafe { size_of_callers(to.cast_const()) }?;
    let (known, first) = (size_of::<T>(), size_of::<u32>());
    let (to, from) = (to.cast::<u8>(), ptr::from_ref(value).cast::<u8>());
    // SAFETY: `known` bytes are in both structs, which are apart, and `size` in the caller's. T has no padding.
    unsafe {
        ptr::copy_nonoverlapping(from.add(first), to.add(first), known - first);
        ptr::write_bytes(to.add(known), 0, size - known);
    }
    Ok(())
}

/// Writes a value that goes out, such as a mask.
///
/// # Errors
/// If the pointer is null.
///
/// # Safety
/// `to` is null or points to a T, which may be written.
pub(super) unsafe fn write_plain<T>(to: *mut T, name: &str, value: T) -> Result<(), Failure> {
    if to.is_null() {
        return Err(Failure::null(name));
    }
    // SAFETY: by the contract of this function.
    unsafe { to.write_unaligned(value) };
    Ok(())
}

/// A text that came in.
///
/// # Errors
/// If the pointer is null or the text is not UTF-8.
///
/// # Safety
/// `from` is null or points to characters with a NUL at their end that stay as they are for `'a`.
pub(super) unsafe fn text<'a>(from: *const c_char, name: &str) -> Result<&'a str, Failure> {
    if from.is_null() {
        return Err(Failure::null(name));
    }
    // SAFETY: by the contract of this function.
    let text = unsafe { CStr::from_ptr(from) };
    text.to_str().map_err(|_| Failure::not_utf8(name))
}
