//! Counts distinct positions at a depth, up to symmetry.

use super::ProgressFn;
use crate::board::Board;

/// Number of distinct positions `depth` plies after `board`, up to symmetry.
/// A pass is not a ply. A game that ends before `depth` plies is not counted.
///
/// The count needs about 32 bytes of memory for each position at `depth`.
pub fn unique(board: &Board, depth: u32, progress: &ProgressFn<'_>) -> u64 {
    let mut boards = vec![board.canonical()];
    for _ in 0..depth {
        boards = next_ply(&boards, progress);
    }
    boards.len() as u64
}

/// The distinct canonical boards one ply after `boards`.
fn next_ply(boards: &[Board], progress: &ProgressFn<'_>) -> Vec<Board> {
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
        // Removes duplicates when the list exceeds `enough`. The limit then at least doubles, so
        // that few sorts are needed.
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
