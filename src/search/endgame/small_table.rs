//! The small table of [`SmallSolver`](super::SmallSolver): direct-mapped, and it fits in the caches. The newest board always
//! replaces the one before, but the few boards that took long to solve have slots of their own.

use crate::board::{Board, Score, Square};
use crate::work::prefetch;

/// What is known of a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// The score is at least this.
    pub(super) lower: Score,
    /// The score is at most this.
    pub(super) upper: Score,
    /// The move that was best when it was searched last.
    pub(super) best: Option<Square>,
}

impl Bounds {
    const NOTHING: Bounds = Bounds {
        lower: -64,
        upper: 64,
        best: None,
    };

    /// What a search in the null window above `alpha` may return at once.
    #[inline]
    pub(super) fn cut(&self, alpha: Score) -> Option<Score> {
        if self.lower > alpha {
            Some(self.lower)
        } else {
            (self.upper <= alpha).then_some(self.upper)
        }
    }

    /// What is known after such a search has returned `score`, by the move `best`.
    #[inline]
    pub(super) fn with(&self, score: Score, best: Option<Square>, alpha: Score) -> Bounds {
        let is_lower = score > alpha;
        Bounds {
            lower: if is_lower { score } else { self.lower },
            upper: if is_lower { self.upper } else { score },
            best,
        }
    }
}

/// An entry with its whole board, so that a hit is never false; 24 bytes.
#[derive(Clone, Copy, Debug)]
struct SmallEntry {
    board: Board,
    lower: i8,
    upper: i8,
    best: Option<Square>,
}

/// The entries by [`slot`](SmallTable::slot). There are none before it is used: most searches end before they need any, and to
/// fill 1.9 MiB takes as long as a search of four plies.
#[derive(Debug, Default)]
pub(super) struct SmallTable(Vec<SmallEntry>);

impl SmallTable {
    /// log2 of the number of entries for boards with few empties: 384 KiB. With 12 or 16 it takes 2 to 3% more time.
    const BITS: u32 = 14;

    /// Boards with so many empties have slots of their own: saves 5% of the nodes of FFO #40-47.
    const MANY_EMPTIES: u32 = 11;

    /// log2 of the number of entries for these: 1.5 MiB. With 18 it takes 5% more time for 1% fewer nodes.
    const MANY_BITS: u32 = 16;

    /// The number of entries.
    const ENTRIES: usize = (1 << Self::BITS) + (1 << Self::MANY_BITS);

    /// Reserves the memory that the table is going to need. Whether there is any.
    pub(super) fn reserve(&mut self) -> bool {
        let missing = SmallTable::ENTRIES - self.0.len();
        self.0.try_reserve_exact(missing).is_ok()
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Makes the entries if there are none. To be called before any other use.
    #[inline]
    pub(super) fn prepare(&mut self) {
        if self.0.is_empty() {
            self.fill();
        }
    }

    #[cold]
    fn fill(&mut self) {
        // The start of the game is no endgame, so these entries are never asked for.
        let nothing = SmallEntry {
            board: Board::START,
            lower: -64,
            upper: 64,
            best: None,
        };
        self.0.resize(Self::ENTRIES, nothing);
    }

    /// The slot of a board.
    #[inline]
    pub(super) fn slot(board: &Board) -> usize {
        // Multiplication by large odd numbers carries each bit into the top ones, which are taken.
        let player = board.player.0.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let opponent = board.opponent.0.wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
        let mixed = (player ^ opponent.rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        if board.empty_count() >= Self::MANY_EMPTIES {
            (1 << Self::BITS) + (mixed >> (64 - Self::MANY_BITS)) as usize
        } else {
            (mixed >> (64 - Self::BITS)) as usize
        }
    }

    /// Starts to bring a slot from memory.
    #[inline]
    pub(super) fn prefetch(&self, slot: usize) {
        prefetch(&self.0[slot]);
    }

    /// What is known of `board`, which belongs in `slot`.
    #[inline]
    pub(super) fn get(&self, slot: usize, board: &Board) -> Bounds {
        let entry = &self.0[slot];
        if entry.board == *board {
            Bounds {
                lower: entry.lower.into(),
                upper: entry.upper.into(),
                best: entry.best,
            }
        } else {
            Bounds::NOTHING
        }
    }

    /// Keeps what was found of `board`.
    #[inline]
    pub(super) fn put(&mut self, slot: usize, board: &Board, found: Bounds) {
        self.0[slot] = SmallEntry {
            board: *board,
            // Scores lie within -64..=64.
            lower: found.lower as i8,
            upper: found.upper as i8,
            best: found.best,
        };
    }
}
