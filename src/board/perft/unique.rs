//! How many different positions there are at a depth, up to symmetry.

use super::PartsDone;
use crate::board::Board;

/// Images of one board count once. A pass costs no ply, and a game that ended before `depth` plies counts nothing.
///
/// It takes 16 bytes of memory for each position at the depth, twice over.
pub fn unique(board: &Board, depth: u32, progress: &PartsDone<'_>) -> u64 {
    let mut boards = vec![board.canonical()];
    for _ in 0..depth {
        boards = next_ply(&boards, progress);
    }
    boards.len() as u64
}

/// The different boards one ply after `boards`.
fn next_ply(boards: &[Board], progress: &PartsDone<'_>) -> Vec<Board> {
    let mut children = Vec::new();
    let mut enough = 2 * boards.len().max(1 << 20);
    for (done, board) in boards.iter().enumerate() {
        let to_move = if board.can_move() {
            *board
        } else {
            board.pass()
        };
        let moves = to_move.legal_moves().squares();
        children.extend(moves.map(|square| to_move.play(square).canonical()));
        // Copies are thrown out as soon as they may be half of all.
        if children.len() > enough {
            merge(&mut children);
            enough = 2 * children.len().max(enough);
            progress(done, boards.len());
        }
    }
    merge(&mut children);
    children
}

fn merge(boards: &mut Vec<Board>) {
    boards.sort_unstable();
    boards.dedup();
}
