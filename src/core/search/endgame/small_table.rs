//! Direct-mapped table of [`EndgameSolver`](super::EndgameSolver), sized for the caches of a core.
//! A slot is the place of one entry, and a hash of the board selects it. A new board always
//! replaces the board in its slot.

use crate::board::{Board, Score, WIPE_OUT};
use crate::search::parameters::endgame::BITS;
use crate::work::prefetch;

/// Bounds of a board's score. Scores lie within ±64 and fit in an `i8`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// The score is at least `lower`.
    lower: i8,
    /// The score is at most `upper`.
    upper: i8,
}

impl Bounds {
    const NOTHING: Bounds = Bounds {
        lower: -WIPE_OUT as i8,
        upper: WIPE_OUT as i8,
    };

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

/// Entry of 24 bytes. It holds the whole board, so a hit is never for another board.
#[derive(Clone, Copy, Debug)]
struct SmallEntry {
    board: Board,
    bounds: Bounds,
}

impl SmallEntry {
    /// Entry of an empty slot. Its board is the start position, which has too many empties to be
    /// looked up.
    const NOTHING: SmallEntry = SmallEntry {
        board: Board::START,
        bounds: Bounds::NOTHING,
    };
}

/// Entries, indexed by [`slot`](SmallTable::slot).
#[derive(Debug)]
pub(crate) struct SmallTable(Vec<SmallEntry>);

impl Default for SmallTable {
    fn default() -> SmallTable {
        SmallTable(vec![SmallEntry::NOTHING; 1 << BITS])
    }
}

impl SmallTable {
    /// Returns the slot of a board: a hash of its discs.
    #[inline]
    pub(super) fn slot(board: &Board) -> usize {
        // Multiplication by large odd numbers lets every bit affect the top bits, which are the
        // slot.
        let player = board.player.0.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let opponent = board.opponent.0.wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
        let mixed = (player ^ opponent.rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> (64 - BITS)) as usize
    }

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

    /// Stores the bounds of `board` in its `slot`, and so removes any other board from this slot.
    #[inline]
    pub(super) fn put(&mut self, slot: usize, board: Board, bounds: Bounds) {
        self.0[slot] = SmallEntry { board, bounds };
    }
}
