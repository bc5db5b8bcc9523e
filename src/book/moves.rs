//! `BookMove`: a move that the book has for a position.

use std::cmp::Reverse;

use super::Book;
use super::entry::Counts;
use super::walk::children;
use emilia_core::board::{Board, Move};
use emilia_core::eval::Value;
use emilia_files::FileError;

/// A move that the book has for a position, a link or the leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// Its value for the side to move.
    pub value: Value,
    /// Level of the value: depth of the search in plies, or [`SOLVED`](super::SOLVED).
    pub level: u8,
    /// Whether the move leads out of the book.
    pub is_leaf: bool,
    /// Lines of the book below the move, by result for the side to move.
    pub lines: Counts,
    /// Games in which the move was played, by result for the side to move.
    pub games: Counts,
}

impl Book {
    /// The moves that the book has for a position, best first. There are none if the position is
    /// not in the book.
    pub fn moves(&self, board: &Board) -> Result<Vec<BookMove>, FileError> {
        let Some(entry) = self.get(board)? else {
            return Ok(Vec::new());
        };
        // The stored position may be another symmetric image.
        let leaf = entry.leaf.map(|leaf| {
            let after = board.canonical().play(leaf.square);
            (after.canonical(), leaf)
        });
        let mut moves = Vec::new();
        for (mv, child) in children(board) {
            let link = self.get(&child)?;
            let (value, level, lines) = match (link, leaf) {
                (Some(link), _) => (-link.value, link.level, link.lines.reversed()),
                (None, Some((after, leaf))) if after == child => {
                    (leaf.value, leaf.level, Counts::one(leaf.value))
                }
                _ => continue,
            };
            moves.push(BookMove {
                mv,
                value,
                level,
                is_leaf: link.is_none(),
                lines,
                games: self.played(&child)?.reversed(),
            });
        }
        // Stable: moves of equal value stay in the order of their squares.
        moves.sort_by_key(|book_move| (Reverse(book_move.value), book_move.is_leaf));
        Ok(moves)
    }

    /// The moves that the games of the book played, with their results for the side to move.
    pub fn played_moves(&self, board: &Board) -> Result<Vec<(Move, Counts)>, FileError> {
        let mut moves = Vec::new();
        for (mv, child) in children(board) {
            moves.push((mv, self.played(&child)?.reversed()));
        }
        moves.retain(|(_, games)| games.all > 0);
        Ok(moves)
    }
}
