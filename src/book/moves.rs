//! `moves`: the moves of a position that the book has, with their values.

use super::entry::{Entry, Leaf, Lines, Results};
use super::walk::children;
use crate::board::{Board, Move};
use crate::eval::Value;

/// A move that the book has for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// Its value for the side to move. `None` if it is known from games only.
    pub value: Option<Value>,
    /// Level of the value: depth of the search in plies, or [`SOLVED`](super::SOLVED).
    pub level: u8,
    /// Whether the move leads out of the book.
    pub is_leaf: bool,
    /// Lines of the book below the move, by result for the side to move.
    pub lines: Lines,
    /// Games in which the move was played, by result for the side to move.
    pub games: Results,
}

/// The moves of `board` that the book has, best first: its links and its leaf.
/// `entry` is the entry of `board`, and `get` looks up another board.
///
/// # Errors
/// The first error of `get`.
pub fn moves<E>(
    board: &Board,
    entry: &Entry,
    mut get: impl FnMut(&Board) -> Result<Option<Entry>, E>,
) -> Result<Vec<BookMove>, E> {
    let mut moves = Vec::new();
    for (mv, child) in children(board) {
        if let Some(child) = get(&child)? {
            let mut lines = Lines::default();
            lines.add_child(child.lines);
            moves.push(BookMove {
                mv,
                value: child.value.map(|value| -value),
                level: child.level,
                is_leaf: false,
                lines,
                games: child.games.reversed(),
            });
        }
    }
    if let Leaf::Move {
        square,
        value,
        level,
    } = entry.leaf_of(board)
        && !moves.iter().any(|link| link.mv == Move::Place(square))
    {
        moves.push(BookMove {
            mv: Move::Place(square),
            value: Some(value),
            level,
            is_leaf: true,
            lines: Lines::of_leaf(value),
            games: Results::default(),
        });
    }
    // Stable: moves of equal value stay in the order of their squares.
    moves.sort_by_key(|book_move| (std::cmp::Reverse(book_move.value), book_move.is_leaf));
    Ok(moves)
}

impl Entry {
    /// The leaf as a move of `board`, which may be any symmetric image of the stored position.
    pub fn leaf_of(&self, board: &Board) -> Leaf {
        let Leaf::Move {
            square,
            value,
            level,
        } = self.leaf
        else {
            return self.leaf;
        };
        let after = board.canonical().play(square).canonical();
        let mut squares = board.legal_moves().squares();
        let square = squares.find(|&mv| board.play(mv).canonical() == after);
        square.map_or(Leaf::Unknown, |square| Leaf::Move {
            square,
            value,
            level,
        })
    }
}
