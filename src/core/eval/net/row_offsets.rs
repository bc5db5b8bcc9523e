//! Byte offsets of the pattern rows of a position. Each pattern instance has one lane, as in
//! `State`, which holds the pattern indices of a board.

use super::layout::Row;
use super::patterns::{INSTANCES, PATTERNS, ROWS};

/// Number of lanes: the number of pattern instances, rounded up to whole registers.
const LANES: usize = INSTANCES.next_multiple_of(16);

/// Size of a pattern row in bytes.
const ROW_BYTES: u32 = size_of::<Row>() as u32;

const _: () = assert!(ROWS as u64 * ROW_BYTES as u64 <= u32::MAX as u64);

/// Byte offset of the first row of each lane's pattern.
static STARTS: [u32; LANES] = places().0;

/// For each lane, the mask of the bits of the pattern index that select the row.
static MASKS: [u16; LANES] = places().1;

/// The byte offset of the row of each pattern instance.
/// Every offset is the offset of one of the [`ROWS`] rows, so it is a multiple of the row size.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowOffsets([u32; LANES]);

const fn places() -> ([u32; LANES], [u16; LANES]) {
    let (mut starts, mut masks) = ([0; LANES], [0; LANES]);
    let mut at = 0;
    while at < PATTERNS.len() {
        let pattern = PATTERNS[at];
        let mut lane = pattern.first;
        while lane < pattern.first + pattern.instances {
            starts[lane] = pattern.start as u32 * ROW_BYTES;
            masks[lane] = (pattern.room - 1) as u16;
            lane += 1;
        }
        assert!(
            pattern.start + pattern.room <= ROWS,
            "every row is in range"
        );
        at += 1;
    }
    (starts, masks)
}

impl RowOffsets {
    /// Computes the offsets from pattern indices.
    #[inline]
    pub(super) fn of(lanes: &[i16]) -> RowOffsets {
        let lanes = &lanes[..LANES];
        RowOffsets(std::array::from_fn(|lane| {
            STARTS[lane] + u32::from(lanes[lane] as u16 & MASKS[lane]) * ROW_BYTES
        }))
    }

    /// Iterates over the rows of all pattern instances.
    #[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
    #[inline]
    pub(super) fn rows<'a>(&self, rows: &'a [Row; ROWS]) -> impl Iterator<Item = &'a Row> {
        let row = |&offset: &u32| &rows[(offset / ROW_BYTES) as usize];
        self.in_bytes().iter().map(row)
    }

    /// The byte offsets, one for each pattern instance.
    #[inline]
    pub(super) fn in_bytes(&self) -> &[u32] {
        &self.0[..INSTANCES]
    }
}
