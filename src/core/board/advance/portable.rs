//! Portable version: plays the move, then generates its legal replies.

use crate::board::{Bitboard, Board, Square};

/// Plays `square`. Returns the next board and its legal moves.
pub(super) fn advance(board: &Board, square: Square) -> (Board, Bitboard) {
    let next = board.play(square);
    (next, next.legal_moves())
}
