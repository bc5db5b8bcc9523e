//! Memory for large tables, allocated in huge pages.

#![allow(unsafe_code, reason = "allocates zeroed memory")]

use std::alloc::{Layout, alloc_zeroed};
use std::fmt;
use std::io;
use std::ptr::{NonNull, slice_from_raw_parts_mut};
use std::sync::atomic::AtomicBool;

/// Error: a transposition table does not fit in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory {
    mib: usize,
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OutOfMemory { mib } = self;
        write!(f, "a hash table of {mib} MiB does not fit in the memory")
    }
}

impl std::error::Error for OutOfMemory {}

impl From<OutOfMemory> for io::Error {
    fn from(error: OutOfMemory) -> io::Error {
        io::Error::new(io::ErrorKind::OutOfMemory, error)
    }
}

/// A type with a value of which all bytes are zero.
///
/// # Safety
/// All bytes zero must be a valid value.
pub(crate) unsafe trait Zeroable {}

// SAFETY: a byte of 0 is `false`.
unsafe impl Zeroable for AtomicBool {}

/// Allocates `count` elements of which all bytes are zero, in huge pages where possible.
/// The system provides a page at the first write to it, so that a short search uses few pages.
/// Huge pages make most random reads hit the TLB.
/// `mib` is the size of the table in MiB, for the error message.
pub(crate) fn allocate_zeroed<T: Zeroable>(
    count: usize,
    mib: usize,
) -> Result<Vec<T>, OutOfMemory> {
    const { assert!(size_of::<T>() > 0) };
    let error = OutOfMemory { mib };
    let layout = Layout::array::<T>(count).map_err(|_| error)?;
    if count == 0 {
        return Err(error);
    }
    // SAFETY: neither the size of `T` nor `count` is 0, so that the size of the layout is not 0.
    let room = NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or(error)?;
    // SAFETY: the memory comes from the global allocator, with the layout of an array of `count`
    // elements. Its bytes are zero, which is a value of `T`.
    let boxed =
        unsafe { Box::from_raw(slice_from_raw_parts_mut(room.cast::<T>().as_ptr(), count)) };
    let elements = boxed.into_vec();
    #[cfg(all(target_os = "linux", not(miri)))]
    prefer_huge_pages(&elements);
    Ok(elements)
}

/// Requests huge pages for `room`. Call it before the first write, which allocates the pages.
/// Without support by the system, the request has no effect.
#[cfg(all(target_os = "linux", not(miri)))]
fn prefer_huge_pages<T>(room: &[T]) {
    use nix::sys::mman::{MmapAdvise, madvise};

    /// Alignment of the advised range in bytes, a multiple of the page size on most processors.
    const STEP: usize = 1 << 16;
    let bytes = size_of_val(room);
    let start = NonNull::from(room).cast::<u8>();
    let skipped = start.addr().get().next_multiple_of(STEP) - start.addr().get();
    let length = bytes.saturating_sub(skipped) / STEP * STEP;
    if length > 0 {
        // SAFETY: `length` bytes from offset `skipped` lie within `room`, borrowed for this call.
        // The advice changes the page size only, not the contents of the memory.
        let advice =
            unsafe { madvise(start.add(skipped).cast(), length, MmapAdvise::MADV_HUGEPAGE) };
        if let Err(error) = advice {
            log::debug!("huge pages are not available: {error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::allocate_zeroed;
    use crate::board::testing::rounds;
    use crate::search::table::check_hash;

    #[test]
    fn allocated_tables_hold_zeros_and_can_be_written() {
        for count in [1, 1000, rounds(5_000_000, 1000)] {
            let mut table = allocate_zeroed::<AtomicBool>(count, 0).unwrap();
            assert_eq!(table.len(), count);
            for entry in &mut table {
                assert!(!std::mem::replace(entry.get_mut(), true));
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri tries to allocate it")]
    fn a_table_larger_than_any_memory_is_an_error() {
        for mib in [1 << 40, usize::MAX] {
            let error = check_hash(mib).unwrap_err();
            let sentence = format!("a hash table of {mib} MiB does not fit in the memory");
            assert_eq!(error.to_string(), sentence);
        }
        assert_eq!(check_hash(1), Ok(()));
    }
}
