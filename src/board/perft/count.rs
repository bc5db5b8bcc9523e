//! Counting without a table: every leaf made on the board, or the last ply by the number of legal moves.

use std::hint::black_box;

use super::Convention;
use crate::board::Board;

/// A way to count.
pub(super) trait Counter: Sync {
    /// What a pass and a finished game count.
    fn convention(&self) -> Convention;

    /// Whether boards that differ by a symmetry are counted once.
    fn up_to_symmetry(&self) -> bool {
        false
    }

    /// The number of positions `depth` plies after `board`.
    fn count(&self, board: &Board, depth: u32) -> u64;

    /// The count where the side to move has no square, with `depth` plies left, at least one.
    #[cold]
    fn without_moves(&self, board: &Board, depth: u32) -> u64 {
        let passed = board.pass();
        if passed.can_move() {
            self.count(&passed, self.convention().after_pass(depth))
        } else {
            self.convention().finished()
        }
    }
}

/// Makes every leaf on the board.
pub(super) struct OnTheBoard {
    pub(super) convention: Convention,
}

impl Counter for OnTheBoard {
    fn convention(&self) -> Convention {
        self.convention
    }

    fn count(&self, board: &Board, depth: u32) -> u64 {
        if depth == 0 {
            // Nothing is asked of a leaf, so the compiler would leave it unmade.
            black_box(board);
            return 1;
        }
        let moves = board.legal_moves();
        if moves.is_empty() {
            return self.without_moves(board, depth);
        }
        let children = moves.squares().map(|square| board.play(square));
        children.map(|child| self.count(&child, depth - 1)).sum()
    }
}

/// Counts the last ply by the number of legal moves.
pub(super) struct ByMobility {
    pub(super) convention: Convention,
}

impl Counter for ByMobility {
    fn convention(&self) -> Convention {
        self.convention
    }

    fn count(&self, board: &Board, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = board.legal_moves();
        if moves.is_empty() {
            return self.without_moves(board, depth);
        }
        if depth == 1 {
            return u64::from(moves.count());
        }
        let children = moves.squares().map(|square| board.play(square));
        children.map(|child| self.count(&child, depth - 1)).sum()
    }
}
