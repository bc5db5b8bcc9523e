//! Portable version: plays the move, then generates its legal replies.

use crate::board::{Bitboard, Board, Square};

/// Plays `square` and returns the board after it with the legal moves there.
pub(super) fn advance(board: &Board, square: Square) -> (Board, Bitboard) {
    let next = board.play(square);
    (next, next.legal_moves())
}
