//! One after the other.

use crate::board::{Bitboard, Board, Square};

/// The board after `square` is played, and the legal moves there.
pub(super) fn advance(board: &Board, square: Square) -> (Board, Bitboard) {
    let next = board.play(square);
    (next, next.legal_moves())
}
