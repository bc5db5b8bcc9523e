//! Room for a large table, or the sentence that there is none.

use std::fmt;
use std::io;

/// A transposition table is larger than the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory {
    mib: usize,
}

impl OutOfMemory {
    /// For a table of `mib` MiB and what goes with it.
    pub(super) fn of(mib: usize) -> OutOfMemory {
        OutOfMemory { mib }
    }
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

/// Whether a transposition table of `mib` MiB can be had now.
///
/// # Errors
/// If it cannot.
pub fn check_hash(mib: usize) -> Result<(), OutOfMemory> {
    let error = OutOfMemory { mib };
    let bytes = mib.checked_mul(1 << 20).ok_or(error)?;
    room_for::<u8>(bytes, mib).map(drop)
}

/// Bytes that can be had without ending other programs or this one. The system may grant more, and end the process that
/// uses it.
#[cfg(target_os = "linux")]
fn available() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1 << 10)
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
fn available() -> Option<usize> {
    None
}

/// Whether `bytes` can be had once `freed` bytes are given back, as far as can be told.
pub(super) fn may_fit(bytes: usize, freed: usize) -> bool {
    available().is_none_or(|available| bytes <= available.saturating_add(freed))
}

/// A vector without elements, with room for `count` of them, for tables that are read at random. Where the system can,
/// it keeps them in huge pages, so that most reads find the address translated: solving FFO #40-44, 46 and 47
/// takes 9% less time.
///
/// # Errors
/// If there is no such room, where a table of `mib` MiB is to be made.
pub(super) fn room_for<T>(count: usize, mib: usize) -> Result<Vec<T>, OutOfMemory> {
    let mut elements = Vec::new();
    let is_granted = may_fit(count.saturating_mul(size_of::<T>()), 0)
        && elements.try_reserve_exact(count).is_ok();
    if !is_granted {
        return Err(OutOfMemory { mib });
    }
    #[cfg(all(target_os = "linux", feature = "huge-pages"))]
    prefer_huge_pages(elements.spare_capacity_mut());
    Ok(elements)
}

/// Asks for huge pages, before the first write settles what pages there are. Where there are none, nothing is lost.
#[cfg(all(target_os = "linux", feature = "huge-pages"))]
fn prefer_huge_pages<T>(room: &mut [std::mem::MaybeUninit<T>]) {
    use nix::sys::mman::{MmapAdvise, madvise};

    /// Memory is advised on in steps of this many bytes; larger than the pages of all processors but few.
    const STEP: usize = 1 << 16;
    let bytes = size_of_val(room);
    let start = std::ptr::NonNull::from(room).cast::<u8>();
    let skipped = start.addr().get().next_multiple_of(STEP) - start.addr().get();
    let length = bytes.saturating_sub(skipped) / STEP * STEP;
    if length > 0 {
        // SAFETY: the bytes from `skipped` on, `length` of them, lie in `room`, which is borrowed for this call; the advice
        // changes how they are kept and nothing that can be read from them.
        let advice =
            unsafe { madvise(start.add(skipped).cast(), length, MmapAdvise::MADV_HUGEPAGE) };
        if let Err(error) = advice {
            log::debug!("no huge pages: {error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{check_hash, room_for};
    use crate::board::testing::rounds;

    #[test]
    fn tables_are_what_plain_vectors_are() {
        for count in [0, 1, 1000, 100_000, rounds(5_000_000, 1000)] {
            let mut table = room_for::<u32>(count, 0).unwrap();
            assert_eq!(table.len(), 0);
            assert!(table.capacity() >= count);
            table.extend(0..count as u32);
            assert_eq!(table, (0..count as u32).collect::<Vec<_>>());
        }
        assert_eq!(room_for::<()>(5, 0).unwrap().len(), 0);
    }

    #[test]
    fn what_no_machine_has_is_refused_in_a_sentence() {
        for mib in [1 << 40, usize::MAX] {
            let error = check_hash(mib).unwrap_err();
            let sentence = format!("a hash table of {mib} MiB does not fit in the memory");
            assert_eq!(error.to_string(), sentence);
        }
        assert_eq!(check_hash(1), Ok(()));
    }
}
