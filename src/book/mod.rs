//! The opening book: positions with values, in files that programs share.
//!
//! A book is a graph. Its positions are stored once for their eight symmetric images. A move is a
//! link if the position after it is in the book. The leaf of a position is the best of its other
//! moves. The value of a position is the best of its links and its leaf (negamax). Games are
//! counted apart.
//!
//! Reading order: [`Entry`] is what a book stores about a position, [`Book`] a book to play from,
//! and [`BookMove`] a move of it. `BookFile` is the database. `walk` visits the graph, and `negamax`
//! recomputes its values after each change. `learn` extends it by searches, and `games` counts
//! games. `exchange` reads and writes books of other programs. `compact` is the format of the
//! embedded book.

#[cfg(feature = "book")]
mod check;
mod compact;
#[cfg(feature = "book")]
mod database;
mod entry;
#[cfg(feature = "book")]
pub mod exchange;
#[cfg(feature = "book")]
mod file;
#[cfg(feature = "book")]
mod games;
#[cfg(feature = "book")]
mod import;
#[cfg(feature = "book")]
pub mod learn;
mod moves;
#[cfg(feature = "book")]
mod negamax;
#[cfg(feature = "book")]
mod pack;
#[cfg(feature = "book")]
mod parents;
#[cfg(feature = "book")]
#[cfg(test)]
mod tests;
mod walk;

use std::fmt;
use std::path::Path;
#[cfg(feature = "book")]
use std::sync::Arc;

use crate::board::Board;
use crate::files::FileError;
#[cfg(feature = "book")]
pub use check::{Checked, Searched, check_graph, search_again};
use compact::Compact;
#[cfg(feature = "book")]
pub use database::Reserved;
pub use entry::{Counts, Entry, Leaf, SOLVED};
#[cfg(feature = "book")]
pub use file::{BookFile, Changes};
#[cfg(feature = "book")]
pub use games::{AddedGames, add_games};
#[cfg(feature = "book")]
pub use import::{Imported, import};
pub use moves::BookMove;
pub use walk::{Link, children, walk};

/// A book to play from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Book {
    /// No book.
    #[default]
    Off,
    /// The book that the library embeds.
    Embedded,
    /// A book file. Clones share it, and files opened apart are not equal.
    #[cfg(feature = "book")]
    File(Arc<BookFile>),
}

impl Book {
    /// Opens a book file.
    ///
    /// # Errors
    /// If the file does not exist, is no book, or is damaged.
    #[cfg(feature = "book")]
    pub fn open(path: &Path) -> Result<Book, FileError> {
        Ok(Book::File(Arc::new(BookFile::open(path)?)))
    }

    /// Refuses the file: this build reads no book files.
    ///
    /// # Errors
    /// Always.
    #[cfg(not(feature = "book"))]
    pub fn open(path: &Path) -> Result<Book, FileError> {
        Err(FileError::refused(path, "this build reads no book files"))
    }

    /// Looks up the position, or a symmetric image of it.
    pub fn get(&self, board: &Board) -> Result<Option<Entry>, FileError> {
        match self {
            Book::Off => Ok(None),
            Book::Embedded => Ok(Compact::EMBEDDED.get(&board.canonical())),
            #[cfg(feature = "book")]
            Book::File(file) => file.get(board),
        }
    }

    /// The result of [`moves`](Self::moves). The first error of a book file is logged, and from
    /// then on it has no moves.
    pub fn moves_if_readable(&self, board: &Board) -> Vec<BookMove> {
        match self {
            #[cfg(feature = "book")]
            Book::File(file) => file.unless_unreadable(|| self.moves(board)),
            _ => self.moves(board).unwrap_or_default(),
        }
    }

    /// Counts the games of the book that reached the position.
    #[cfg_attr(
        not(feature = "book"),
        expect(unused, reason = "files alone hold games")
    )]
    pub fn played(&self, board: &Board) -> Result<Counts, FileError> {
        match self {
            Book::Off | Book::Embedded => Ok(Counts::default()),
            #[cfg(feature = "book")]
            Book::File(file) => file.played(board),
        }
    }
}

/// Formats as the command line names it: `off`, `on`, or the path of a file.
impl fmt::Display for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Book::Off => f.write_str("off"),
            Book::Embedded => f.write_str("on"),
            #[cfg(feature = "book")]
            Book::File(file) => write!(f, "{}", file.path().display()),
        }
    }
}
