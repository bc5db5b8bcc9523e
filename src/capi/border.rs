//! Values across the border: structs, texts and numbers that a caller's pointers lead to.

use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;
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
    /// Its bytes in the first version; fields that came later may be missing in the caller's.
    const FIRST_SIZE: usize;
}

/// The bytes of the first versions. They stay when fields are added.
const FIRST_POSITION: usize = 4 * 4 + 2 * 8;
const FIRST_LIMITS: usize = 6 * 4 + 8;
const FIRST_RESULT: usize = 8 * 4 + 2 * 8 + 8 + 512;

// Without padding.
const _: () = assert!(size_of::<EmiliaPosition>() == FIRST_POSITION);
const _: () = assert!(size_of::<EmiliaLimits>() == FIRST_LIMITS);
const _: () = assert!(size_of::<EmiliaResult>() == FIRST_RESULT);

// SAFETY: four numbers of 32 bits and two of 64.
unsafe impl Versioned for EmiliaPosition {
    const NAME: &'static str = "emilia_position";
    const FIRST_SIZE: usize = FIRST_POSITION;
}

// SAFETY: six numbers of 32 bits and one of 64.
unsafe impl Versioned for EmiliaLimits {
    const NAME: &'static str = "emilia_limits";
    const FIRST_SIZE: usize = FIRST_LIMITS;
}

// SAFETY: eight numbers of 32 bits, two of 64, and two rows of characters whose sizes are multiples of 8.
unsafe impl Versioned for EmiliaResult {
    const NAME: &'static str = "emilia_result";
    const FIRST_SIZE: usize = FIRST_RESULT;
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
    if (T::FIRST_SIZE..=LARGEST_STRUCT).contains(&size) {
        Ok(size)
    } else {
        Err(Failure::size(T::NAME, size, size_of::<T>()))
    }
}

/// A struct that came in. Fields that came after the caller's version are 0.
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
    let from = from.cast::<u8>();
    for at in known..size {
        // SAFETY: inside the caller's struct.
        if unsafe { from.add(at).read() } != 0 {
            return Err(Failure::unknown_fields(T::NAME, known));
        }
    }
    let mut value = MaybeUninit::<T>::zeroed();
    // SAFETY: so many bytes are in both structs, which are apart. T is made of numbers, and they may have any value.
    unsafe {
        ptr::copy_nonoverlapping(from, value.as_mut_ptr().cast(), known.min(size));
        Ok(value.assume_init())
    }
}

/// Writes a struct that goes out, its size excepted: of its fields those that the caller has. What the caller has beyond
/// them becomes 0.
///
/// # Errors
/// If the pointer is null or the size makes no sense.
///
/// # Safety
/// `to` is null or points to a struct of as many bytes as its first field says, which may be written.
pub(super) unsafe fn write<T: Versioned>(to: *mut T, value: &T) -> Result<(), Failure> {
    // SAFETY: by the contract of this function.
    let size = unsafe { size_of_callers(to.cast_const()) }?;
    let (shared, first) = (size.min(size_of::<T>()), size_of::<u32>());
    let (to, from) = (to.cast::<u8>(), ptr::from_ref(value).cast::<u8>());
    // SAFETY: `shared` bytes are in both structs, which are apart, and `size` in the caller's. T has no padding.
    unsafe {
        ptr::copy_nonoverlapping(from.add(first), to.add(first), shared - first);
        ptr::write_bytes(to.add(shared), 0, size - shared);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A struct whose last two numbers came with later versions.
    #[repr(C)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Grown {
        size: u32,
        old: u32,
        new: u32,
        newest: u32,
    }

    // SAFETY: four numbers of 32 bits.
    unsafe impl Versioned for Grown {
        const NAME: &'static str = "grown";
        const FIRST_SIZE: usize = 8;
    }

    /// A caller's memory, of which its struct is the beginning; the rest is not the library's.
    fn of_caller(size: u32) -> [u32; 6] {
        [size, 11, 12, 13, 0, 15]
    }

    #[test]
    fn programs_of_all_versions_are_served() {
        for (size, read_as, written) in [
            (8, [11, 0, 0], [8, 1, 12, 13, 0, 15]),
            (12, [11, 12, 0], [12, 1, 2, 13, 0, 15]),
            (16, [11, 12, 13], [16, 1, 2, 3, 0, 15]),
            (20, [11, 12, 13], [20, 1, 2, 3, 0, 15]),
        ] {
            let mut memory = of_caller(size);
            let at = memory.as_mut_ptr().cast::<Grown>();
            // SAFETY: the memory has 24 bytes, more than any of these sizes.
            let Ok(value) = (unsafe { read(at.cast_const()) }) else {
                panic!("{size} is refused");
            };
            assert_eq!([value.old, value.new, value.newest], read_as);
            let answer = Grown {
                size: 0,
                old: 1,
                new: 2,
                newest: 3,
            };
            // SAFETY: as above.
            assert!(unsafe { write(at, &answer) }.is_ok());
            assert_eq!(memory, written);
        }
        // Not even the first version, and a field that is not known here.
        for size in [0, 4, 7, 24] {
            let memory = of_caller(size);
            // SAFETY: as above.
            assert!(unsafe { read(memory.as_ptr().cast::<Grown>()) }.is_err());
        }
    }
}
