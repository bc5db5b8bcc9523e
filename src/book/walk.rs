//! `walk`: visits all positions of a book with their links, from few empty squares to many.

use std::collections::HashMap;

use super::entry::Entry;
use emilia_core::board::{Board, Move};
use emilia_files::FileError;

/// A move to another position of the book, with the result of the visit of that position.
#[derive(Clone, Copy, Debug)]
pub struct Link<S> {
    /// The move.
    pub mv: Move,
    /// What the visit of the position after the move returned.
    pub child: S,
}

/// Visits each position with its links, after the positions that they lead to.
///
/// `ply` returns the positions with a number of empty squares. The memory needed is that of the
/// largest two plies.
///
/// # Errors
/// The first error of `ply` or `visit`.
pub fn walk<S: Copy>(
    ply: impl Fn(u32) -> Result<Vec<(Board, Entry)>, FileError>,
    mut visit: impl FnMut(&Board, &Entry, &[Link<S>]) -> Result<S, FileError>,
) -> Result<(), FileError> {
    let mut below: HashMap<Board, S> = HashMap::new();
    for empties in 0..=Board::START.empty_count() {
        let entries = ply(empties)?;
        let mut visited = HashMap::with_capacity(entries.len());
        // A pass leads to a position with as many empty squares, whose side to move can move.
        let (moving, passing): (Vec<_>, Vec<_>) =
            entries.into_iter().partition(|(board, _)| board.can_move());
        let mut links = Vec::new();
        for (board, entry) in moving.iter().chain(&passing) {
            links.clear();
            for (mv, child) in children(board) {
                let plies = if mv == Move::Pass { &visited } else { &below };
                if let Some(&child) = plies.get(&child) {
                    links.push(Link { mv, child });
                }
            }
            let result = visit(board, entry, &links)?;
            visited.insert(*board, result);
        }
        below = visited;
    }
    Ok(())
}

/// The legal moves of a position, a forced pass included, with the boards after them.
/// These boards are the smallest of their symmetric images.
pub fn children(board: &Board) -> impl Iterator<Item = (Move, Board)> {
    let moves = board.legal_moves();
    let pass = (moves.is_empty() && board.pass().can_move()).then_some(Move::Pass);
    let board = *board;
    let moves = moves.squares().map(Move::Place).chain(pass);
    moves.map(move |mv| (mv, board.make(mv).canonical()))
}
