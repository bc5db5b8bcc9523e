//! Direct-mapped table of [`EndgameSolver`](super::EndgameSolver), sized for the caches of a core.
//! A new board always replaces the old one in its slot.
//! A second part holds boards with many empties, which are expensive to solve again.

use crate::board::{Board, Score, WIPE_OUT};
use crate::search::parameters::endgame::{BITS, MANY_BITS, MANY_EMPTIES};
use crate::work::prefetch;

/// Bounds of a board's score. Scores lie within ±64 and fit in an `i8`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Lower bound: the score is at least this.
    lower: i8,
    /// Upper bound: the score is at most this.
    upper: i8,
}

impl Bounds {
    const NOTHING: Bounds = Bounds {
        lower: -WIPE_OUT as i8,
        upper: WIPE_OUT as i8,
    };

    /// Returns the upper bound.
    #[inline]
    pub(super) fn upper(self) -> Score {
        self.upper.into()
    }

    /// Returns the score of a cut-off in the null window above `alpha`, if the bounds allow one.
    #[inline]
    pub(super) fn cut(self, alpha: Score) -> Option<Score> {
        let (lower, upper) = (self.lower.into(), self.upper.into());
        if lower > alpha {
            return Some(lower);
        }
        (upper <= alpha).then_some(upper)
    }

    /// Returns the bounds, narrowed by a null-window search above `alpha` that returned `score`.
    #[inline]
    pub(super) fn with(mut self, score: Score, alpha: Score) -> Bounds {
        let bound = if score > alpha {
            &mut self.lower
        } else {
            &mut self.upper
        };
        *bound = score as i8;
        self
    }
}

/// Entry of 24 bytes with its whole board, so a hit is never for another board.
#[derive(Clone, Copy, Debug)]
struct SmallEntry {
    board: Board,
    bounds: Bounds,
}

/// Entries, indexed by [`slot`](SmallTable::slot).
/// Entries are created at first use: filling 1.9 MiB takes as long as a search of four plies.
#[derive(Debug, Default)]
pub(super) struct SmallTable(Vec<SmallEntry>);

impl SmallTable {
    /// Total number of entries.
    const ENTRIES: usize = (1 << BITS) + (1 << MANY_BITS);

    /// Removes all entries. Call [`prepare`](Self::prepare) before the next use.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Creates the entries if there are none. Call this before any other use.
    #[inline]
    pub(super) fn prepare(&mut self) {
        if self.0.is_empty() {
            self.fill();
        }
    }

    #[cold]
    fn fill(&mut self) {
        // The start position has too many empties for this table, so it is never looked up.
        let nothing = SmallEntry {
            board: Board::START,
            bounds: Bounds::NOTHING,
        };
        self.0.resize(Self::ENTRIES, nothing);
    }

    /// Returns the slot of a board: a hash of its discs, in the part for its number of empties.
    #[inline]
    pub(super) fn slot(board: &Board) -> usize {
        // Multiplication by large odd numbers carries every bit into the top bits, which are used.
        let player = board.player.0.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let opponent = board.opponent.0.wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
        let mixed = (player ^ opponent.rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        if board.empty_count() >= MANY_EMPTIES {
            (1 << BITS) + (mixed >> (64 - MANY_BITS)) as usize
        } else {
            (mixed >> (64 - BITS)) as usize
        }
    }

    /// Prefetches the entry of `slot`.
    #[inline]
    pub(super) fn prefetch(&self, slot: usize) {
        prefetch(&self.0[slot]);
    }

    /// Returns the bounds of `board` from its `slot`, or the widest bounds if it is not stored.
    #[inline]
    pub(super) fn get(&self, slot: usize, board: &Board) -> Bounds {
        let entry = &self.0[slot];
        if entry.board == *board {
            entry.bounds
        } else {
            Bounds::NOTHING
        }
    }

    /// Stores the bounds of `board` in its `slot`.
    #[inline]
    pub(super) fn put(&mut self, slot: usize, board: Board, bounds: Bounds) {
        self.0[slot] = SmallEntry { board, bounds };
    }
}
