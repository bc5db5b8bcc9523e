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
mod check;
mod compact;
mod database;
mod entry;
pub mod exchange;
mod file;
mod games;
mod import;
pub mod learn;
mod moves;
mod negamax;
mod pack;
mod parents;
#[cfg(test)]
mod tests;
mod walk;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

pub use check::{Checked, Searched, check_graph, search_again};
use compact::Compact;
pub use database::Reserved;
use emilia_core::board::Board;
use emilia_files::FileError;
pub use entry::{Counts, Entry, Leaf, SOLVED};
pub use file::{BookFile, Changes};
pub use games::{AddedGames, add_games};
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
    File(Arc<BookFile>),
}

impl Book {
    /// Opens a book file.
    ///
    /// # Errors
    /// If the file does not exist, is no book, or is damaged.
    pub fn open(path: &Path) -> Result<Book, FileError> {
        Ok(Book::File(Arc::new(BookFile::open(path)?)))
    }

    /// Looks up the position, or a symmetric image of it.
    pub fn get(&self, board: &Board) -> Result<Option<Entry>, FileError> {
        match self {
            Book::Off => Ok(None),
            Book::Embedded => Ok(Compact::EMBEDDED.get(&board.canonical())),
            Book::File(file) => file.get(board),
        }
    }

    /// The result of [`moves`](Self::moves). The first error of a book file is logged, and from
    /// then on it has no moves.
    pub fn moves_if_readable(&self, board: &Board) -> Vec<BookMove> {
        match self {
            Book::File(file) => file.unless_unreadable(|| self.moves(board)),
            _ => self.moves(board).unwrap_or_default(),
        }
    }

    /// Counts the games of the book that reached the position.
    pub fn played(&self, board: &Board) -> Result<Counts, FileError> {
        match self {
            Book::Off | Book::Embedded => Ok(Counts::default()),
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
            Book::File(file) => write!(f, "{}", file.path().display()),
        }
    }
}
