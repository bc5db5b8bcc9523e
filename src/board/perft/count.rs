//! Counting without a table: leaf by leaf, or with bulk counting of the last ply.

use std::hint::black_box;

use super::Convention;
use crate::board::{Bitboard, Board};

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

/// Counts without a table: bulk counting of the last ply, or, with `LEAVES`, every leaf made on the board.
pub(super) struct Walk<const LEAVES: bool> {
    pub(super) convention: Convention,
}

impl<const LEAVES: bool> Counter for Walk<LEAVES> {
    fn convention(&self) -> Convention {
        self.convention
    }

    fn count(&self, board: &Board, depth: u32) -> u64 {
        if depth == 0 {
            1
        } else {
            self.below(board, board.legal_moves(), depth)
        }
    }
}

impl<const LEAVES: bool> Walk<LEAVES> {
    /// The count where `moves` are the legal moves, with `depth` plies left, at least one.
    fn below(&self, board: &Board, moves: Bitboard, depth: u32) -> u64 {
        if depth == 1 {
            return self.last_ply(board, moves);
        }
        if moves.is_empty() {
            return self.without_moves(board, depth);
        }
        let mut children = moves.squares().map(|square| board.advance(square));
        if depth == 2 && !LEAVES {
            let counts = children.map(|(child, moves)| self.last_ply(&child, moves));
            return counts.sum();
        }
        // A child is made while the one before it is counted, so that its moves are known when they are asked for.
        let mut sum = 0;
        let mut next = children.next();
        while let Some((child, moves)) = next {
            next = children.next();
            sum += self.below(&child, moves, depth - 1);
        }
        sum
    }

    /// The count one ply ahead.
    #[inline]
    fn last_ply(&self, board: &Board, moves: Bitboard) -> u64 {
        if moves.is_empty() {
            self.without_moves(board, 1)
        } else if LEAVES {
            // Nothing is asked of a leaf: without the black box the compiler would leave it unmade.
            let leaves = moves.squares().map(|square| black_box(board.play(square)));
            leaves.count() as u64
        } else {
            u64::from(moves.count())
        }
    }
}
