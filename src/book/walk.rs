//! `walk`: visits all positions of a book with their links, from few empty squares to many.

use std::collections::HashMap;

use super::entry::Entry;
use crate::board::{Bitboard, Board, Move, Square};
use crate::files::FileError;

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

/// The boards from which a move or a forced pass leads to `board`. Some may not occur in a game.
#[cfg(feature = "book")]
pub(super) fn parents(board: &Board) -> Vec<Board> {
    let passed = board.pass();
    let mut parents = Vec::new();
    if !passed.can_move() && board.can_move() {
        parents.push(passed);
    }
    for square in board.opponent.squares() {
        // For each direction, the sets of discs that the move may have turned.
        let mut turned = vec![Bitboard(0)];
        for direction in DIRECTIONS {
            let run: Vec<Bitboard> = ray(square, direction)
                .take_while(|next| board.opponent.contains(*next))
                .map(Bitboard::of)
                .collect();
            // The last disc of the run has enclosed the others.
            let mut discs = Bitboard(0);
            let sets: Vec<Bitboard> = std::iter::once(discs)
                .chain(run.iter().take(run.len().saturating_sub(1)).map(|&disc| {
                    discs |= disc;
                    discs
                }))
                .collect();
            turned = turned
                .iter()
                .flat_map(|&before| sets.iter().map(move |&set| before | set))
                .collect();
        }
        for flips in turned.into_iter().filter(|flips| !flips.is_empty()) {
            let parent = Board {
                player: board.opponent & !(flips | Bitboard::of(square)),
                opponent: board.player | flips,
            };
            // Discs of `board` that the move would have turned as well exclude it.
            if parent.flips(square) == flips {
                parents.push(parent);
            }
        }
    }
    parents
}

/// Steps by file and rank.
#[cfg(feature = "book")]
const DIRECTIONS: [(i8, i8); 8] = [
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
];

/// The squares from the neighbour of `square` to the edge.
#[cfg(feature = "book")]
fn ray(square: Square, (files, ranks): (i8, i8)) -> impl Iterator<Item = Square> {
    let start = (square.file() as i8, square.rank() as i8);
    (1..).map_while(move |step| {
        let (file, rank) = (start.0 + step * files, start.1 + step * ranks);
        let is_on_board = (0..8).contains(&file) && (0..8).contains(&rank);
        is_on_board.then(|| Square::at(file as u8, rank as u8))
    })
}
