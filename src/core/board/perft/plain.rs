//! Plain [`perft`]: makes every move of every position on the board, without any shortcut.

use std::hint::black_box;

use super::Convention;
use crate::board::Board;

/// Number of positions `depth` plies after `board`, where a pass is one ply and a game that ends
/// earlier counts 1.
///
/// [`Perft`](super::Perft) counts by other conventions, and faster.
///
/// ```
/// use emilia_core::board::{Board, perft::perft};
/// let counts = [1, 2, 3, 4, 5].map(|depth| perft(&Board::START, depth));
/// assert_eq!(counts, [4, 12, 56, 244, 1396]);
/// ```
pub fn perft(board: &impl AsRef<Board>, depth: u32) -> u64 {
    count(Convention::A, board.as_ref(), depth)
}

/// Same as [`perft`], by the rules of `convention`.
pub(super) fn count(convention: Convention, board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        // The board is unused: without `black_box` the compiler would not make the last move.
        black_box(board);
        return 1;
    }
    let moves = board.legal_moves();
    if moves.is_empty() {
        let passed = board.pass();
        if !passed.can_move() {
            return convention.finished();
        }
        return count(convention, &passed, convention.after_pass(depth));
    }
    let children = moves.squares().map(|square| board.play(square));
    children
        .map(|child| count(convention, &child, depth - 1))
        .sum()
}
