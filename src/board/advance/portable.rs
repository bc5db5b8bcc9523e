//! One after the other.

use crate::board::{Bitboard, Board, Square};

/// The move, then its legal replies.
pub(super) fn advance(board: &Board, square: Square) -> (Board, Bitboard) {
    let next = board.play(square);
    (next, next.legal_moves())
}
