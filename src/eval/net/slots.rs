//! Which rows a position has.

use crate::eval::pattern::features::{Features, Full};
use crate::eval::pattern::shapes::MOST_PATTERNS;

/// Lanes of a state: instances of patterns, rounded up to whole registers.
const LANES: usize = Full::INSTANCES.next_multiple_of(16);

/// Rows of all patterns, the gaps included.
pub(super) const ROWS: usize = Full::ROOM;

/// Where the rows of the pattern of each lane begin.
static STARTS: [u32; LANES] = places().0;

/// The bits of the pattern index in each lane that tell the row.
static MASKS: [u16; LANES] = places().1;

/// The row of each pattern instance, below [`ROWS`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Slots([u32; LANES]);

const fn places() -> ([u32; LANES], [u16; LANES]) {
    let (mut starts, mut masks) = ([0; LANES], [0; LANES]);
    let mut at = 0;
    while at < MOST_PATTERNS {
        let pattern = Full::PATTERNS[at];
        let mut lane = pattern.first;
        while lane < pattern.first + pattern.instances {
            starts[lane] = pattern.start as u32;
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
            STARTS[lane] + u32::from(lanes[lane] as u16 & MASKS[lane])
        }))
    }

    /// The rows, one after the other.
    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        let instances = self.0[..Full::INSTANCES].iter();
        instances.map(|&slot| slot as usize)
    }
}
