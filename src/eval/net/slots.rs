//! Where the rows of a position are.

use super::layout::Row;
use crate::eval::pattern::features::{Features, Full};
use crate::eval::pattern::shapes::MOST_PATTERNS;

/// Lanes of a state: instances of patterns, rounded up to whole registers.
const LANES: usize = Full::INSTANCES.next_multiple_of(16);

/// Rows of all patterns, the gaps included.
pub(super) const ROWS: usize = Full::ROOM;

/// Bytes of a row.
const ROW_BYTES: u32 = size_of::<Row>() as u32;

const _: () = assert!(ROWS as u64 * ROW_BYTES as u64 <= u32::MAX as u64);

/// Where the rows of the pattern of each lane begin, in bytes.
static STARTS: [u32; LANES] = places().0;

/// The bits of the pattern index in each lane that tell the row.
static MASKS: [u16; LANES] = places().1;

/// Where the row of each pattern instance begins, in bytes from the first row: whole rows, fewer than [`ROWS`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Slots([u32; LANES]);

const fn places() -> ([u32; LANES], [u16; LANES]) {
    let (mut starts, mut masks) = ([0; LANES], [0; LANES]);
    let mut at = 0;
    while at < MOST_PATTERNS {
        let pattern = Full::PATTERNS[at];
        let mut lane = pattern.first;
        while lane < pattern.first + pattern.instances {
            starts[lane] = pattern.start as u32 * ROW_BYTES;
            masks[lane] = (pattern.room - 1) as u16;
            lane += 1;
        }
        assert!(pattern.start + pattern.room <= ROWS, "no row is outside");
        at += 1;
    }
    (starts, masks)
}

impl Slots {
    /// The rows of a state with these pattern indices.
    #[inline]
    pub(super) fn of(lanes: &[i16]) -> Slots {
        let lanes = &lanes[..LANES];
        Slots(std::array::from_fn(|lane| {
            STARTS[lane] + u32::from(lanes[lane] as u16 & MASKS[lane]) * ROW_BYTES
        }))
    }

    /// The row of each pattern instance.
    #[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
    #[inline]
    pub(super) fn rows<'a>(&self, rows: &'a [Row; ROWS]) -> impl Iterator<Item = &'a Row> {
        let row = |&offset: &u32| &rows[(offset / ROW_BYTES) as usize];
        self.offsets().iter().map(row)
    }

    /// The places one by one.
    #[inline]
    pub(super) fn offsets(&self) -> &[u32] {
        &self.0[..Full::INSTANCES]
    }
}
