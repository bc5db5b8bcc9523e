//! Bulk counting: moves of the last ply are counted, but not made.

use super::Convention;
use crate::board::{Bitboard, Board};

/// Counts positions in bulk by the rules of a [`Convention`].
#[derive(Clone, Copy)]
pub(super) struct Bulk(pub(super) Convention);

impl Bulk {
    /// Number of positions `depth` plies after `board`.
    pub(super) fn count(self, board: &Board, depth: u32) -> u64 {
        if depth == 0 {
            1
        } else {
            self.below(board, board.legal_moves(), depth)
        }
    }

    /// The count for `board` with the legal moves `moves`. `depth` is at least 1.
    fn below(self, board: &Board, moves: Bitboard, depth: u32) -> u64 {
        if depth == 1 {
            return self.last_ply(board, moves);
        }
        if moves.is_empty() {
            return self.without_moves(board, depth);
        }
        let mut children = moves.squares().map(|square| board.advance(square));
        if depth == 2 {
            let counts = children.map(|(child, moves)| self.last_ply(&child, moves));
            return counts.sum();
        }
        // Makes the next child before counting the current one, so that the CPU overlaps both.
        let mut sum = 0;
        let mut next = children.next();
        while let Some((child, moves)) = next {
            next = children.next();
            sum += self.below(&child, moves, depth - 1);
        }
        sum
    }

    /// The count for `board` with one ply left: the number of legal moves. Without a legal move,
    /// the convention decides.
    #[inline]
    fn last_ply(self, board: &Board, moves: Bitboard) -> u64 {
        if moves.is_empty() {
            self.without_moves(board, 1)
        } else {
            u64::from(moves.count())
        }
    }

    /// The count if the side to move has no legal square. `depth` is at least 1.
    #[cold]
    fn without_moves(self, board: &Board, depth: u32) -> u64 {
        let passed = board.pass();
        if passed.can_move() {
            self.count(&passed, self.0.after_pass(depth))
        } else {
            self.0.finished()
        }
    }
}
