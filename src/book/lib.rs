//! The opening book: positions with values, in files that programs share.
//!
//! A book is a graph of positions. A position is stored once for its eight symmetric images. A move
//! is a link if the position after the move is in the book. The leaf of a position is the best of
//! its other moves, which lead out of the book. A line of the book is a sequence of links that ends
//! with a leaf. The value of a position is the best value among its links and its leaf (negamax).
//!
//! # A look-up
//!
//! [`Book::moves`] returns the moves of a position. The player (`player/opening.rs`) draws one of
//! them. `moves` calls [`Book::get`] for the position to get the leaf. It also calls `get` for the
//! position after each move ([`children`]): the move is a link if that position has an entry.
//!
//! For a book file, `get` calls [`BookFile::get`] (`positions`), which finds the row by its key in
//! the database. For the embedded book, `get` calls [`Compact::get`], which finds the entry by bits
//! of the board's hash.
//!
//! # Reading order
//!
//! [`Entry`] is the data that a book stores about a position, [`Book`] is a book to play from, and
//! [`BookMove`] is a move of a book. `file` opens the database of a book, and `positions` reads and
//! writes its rows. `graph` visits the positions and recomputes their values after each change.
//! `learn` extends a book by searches. `exchange` reads and writes books of other programs.
//! `compact` is the format of the embedded book. WebAssembly has no book files.

#[cfg_attr(
    target_family = "wasm",
    expect(dead_code, reason = "only book files are written")
)]
mod compact;
#[cfg_attr(
    target_family = "wasm",
    expect(dead_code, reason = "only book files are written")
)]
mod entry;
#[cfg(not(target_family = "wasm"))]
pub mod exchange;
#[cfg(not(target_family = "wasm"))]
mod file;
#[cfg(not(target_family = "wasm"))]
mod graph;
#[cfg(not(target_family = "wasm"))]
mod import;
#[cfg(not(target_family = "wasm"))]
pub mod learn;
#[cfg(not(target_family = "wasm"))]
mod positions;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::fmt;
use std::path::Path;
#[cfg(not(target_family = "wasm"))]
use std::sync::Arc;

use compact::Compact;
#[cfg(target_family = "wasm")]
pub use compact::embed;
use emilia_core::board::{Board, Move};
use emilia_core::eval::Value;
use emilia_files::FileError;
pub use entry::{Counts, Entry, Leaf, SOLVED};
#[cfg(not(target_family = "wasm"))]
pub use file::{BookFile, Reserved};
#[cfg(not(target_family = "wasm"))]
pub use graph::{Checked, check_graph};
#[cfg(not(target_family = "wasm"))]
pub use import::{Imported, import};

/// A book to play from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Book {
    /// No book.
    #[default]
    Off,
    /// The book that the library embeds. In WebAssembly, the book that was given to `embed`.
    Embedded,
    /// A book file. Clones share the open file and are equal. Two books opened from one path are
    /// not equal.
    #[cfg(not(target_family = "wasm"))]
    File(Arc<BookFile>),
}

/// A move that the book has for a position: a link, which leads to another position of the book, or
/// the leaf, the best move that leads out of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// A square, or a forced pass.
    pub mv: Move,
    /// Value of the move for the side to move.
    pub value: Value,
    /// Level of the value: depth of the search in plies, or [`SOLVED`].
    pub level: u8,
    /// Whether the move is the leaf. Otherwise it is a link.
    pub is_leaf: bool,
    /// Numbers of won, drawn and lost lines of the book that begin with this move, for the side to
    /// move.
    pub lines: Counts,
}

impl Book {
    /// Opens a book file.
    ///
    /// # Errors
    /// If the file does not exist, is not a book, or is damaged.
    pub fn open(path: &Path) -> Result<Book, FileError> {
        #[cfg(target_family = "wasm")]
        return Err(FileError::refused(path, "this build reads no book files"));
        #[cfg(not(target_family = "wasm"))]
        Ok(Book::File(Arc::new(BookFile::open(path)?)))
    }

    /// Looks up a position by any of its symmetric images. Returns `None` if the book lacks it.
    pub fn get(&self, board: &Board) -> Result<Option<Entry>, FileError> {
        match self {
            Book::Off => Ok(None),
            #[cfg(not(target_family = "wasm"))]
            Book::Embedded => Ok(Compact::EMBEDDED.get(&board.canonical())),
            #[cfg(target_family = "wasm")]
            Book::Embedded => Ok(Compact::embedded().and_then(|book| book.get(&board.canonical()))),
            #[cfg(not(target_family = "wasm"))]
            Book::File(file) => file.get(board),
        }
    }

    /// Returns the moves that the book has for a position, best first. The list is empty if the
    /// position is not in the book.
    pub fn moves(&self, board: &Board) -> Result<Vec<BookMove>, FileError> {
        let Some(entry) = self.get(board)? else {
            return Ok(Vec::new());
        };
        // The book stores the canonical image of `board`, so the square of the leaf is a square of
        // that image.
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
            });
        }
        // At equal values, links come before the leaf. The sort is stable, so equal links stay in
        // the order of their squares.
        moves.sort_by_key(|book_move| (Reverse(book_move.value), book_move.is_leaf));
        Ok(moves)
    }

    /// Returns the move `first`, and after it the best moves of the book, up to and including a
    /// leaf.
    pub fn line(&self, board: &Board, first: Move) -> Vec<Move> {
        let mut line = vec![first];
        let mut board = board.play_or_pass(first);
        while let Some(next) = self.moves_if_readable(&board).first() {
            line.push(next.mv);
            board = board.play_or_pass(next.mv);
        }
        line
    }

    /// Returns the result of [`moves`](Self::moves), or no moves if the book file cannot be read.
    /// The first error of a book file is logged, and the file is not read again.
    pub fn moves_if_readable(&self, board: &Board) -> Vec<BookMove> {
        match self {
            #[cfg(not(target_family = "wasm"))]
            Book::File(file) => file.unless_unreadable(|| self.moves(board)),
            _ => self.moves(board).unwrap_or_default(),
        }
    }
}

/// Formats the book as the command line names it: `off`, `on`, or the path of a file.
impl fmt::Display for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Book::Off => f.write_str("off"),
            Book::Embedded => f.write_str("on"),
            #[cfg(not(target_family = "wasm"))]
            Book::File(file) => write!(f, "{}", file.path().display()),
        }
    }
}

/// Returns the legal moves of a position, a forced pass included, each with the board after it.
/// The board is in the canonical orientation in which the book stores it.
fn children(board: &Board) -> impl Iterator<Item = (Move, Board)> {
    let legal = board.legal_moves();
    let pass = (legal.is_empty() && board.pass().can_move()).then_some(Move::Pass);
    let board = *board;
    let moves = legal.squares().map(Move::Place).chain(pass);
    moves.map(move |mv| (mv, board.play_or_pass(mv).canonical()))
}
