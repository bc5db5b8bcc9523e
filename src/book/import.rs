//! Makes books from other books. `import` adds the positions of files of any format to a book, and
//! [`BookFile::embedded`] copies the embedded book.

use std::collections::HashMap;

use super::compact::Compact;
use super::entry::{Entry, Leaf};
use super::file::BookFile;
use super::graph::recompute_all;
use super::positions::key_of;
use emilia_core::board::Board;
use emilia_files::FileError;

impl BookFile {
    /// Creates a copy of the embedded book in memory.
    pub fn embedded() -> Result<BookFile, FileError> {
        let book = BookFile::in_memory()?;
        book.write(|| {
            for (board, entry) in Compact::EMBEDDED.positions() {
                book.put(&board, &entry)?;
            }
            recompute_all(&book, &HashMap::new())
        })?;
        Ok(book)
    }
}

/// Counts of the positions of an imported file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Number of positions of the file.
    pub positions: u64,
    /// Number of positions that the book did not have.
    pub new: u64,
}

/// Adds the positions of several files to `book` in one transaction, and recomputes the whole
/// graph. Each element of `files` holds the positions of one file, from
/// [`read`](crate::exchange::read). Returns the counts of each file, and the number of values that
/// the recomputation changed.
pub fn import(
    book: &BookFile,
    files: Vec<Vec<(Board, Entry)>>,
) -> Result<(Vec<Imported>, u64), FileError> {
    book.write(|| {
        let mut spare = HashMap::new();
        let adding = files.into_iter().map(|read| add(book, read, &mut spare));
        let imported = adding.collect::<Result<_, _>>()?;
        Ok((imported, recompute_all(book, &spare)?))
    })
}

/// Adds the positions of a file without recomputing values. If the book, the file and `spare` have
/// different leaves for a position, the book keeps one leaf ([`Entry::merge`]). Of the remaining
/// leaves, `spare` keeps the leaf of the highest level.
fn add(
    book: &BookFile,
    mut positions: Vec<(Board, Entry)>,
    spare: &mut HashMap<Board, Leaf>,
) -> Result<Imported, FileError> {
    // Sorted rows are written several times faster than unsorted rows.
    positions.sort_by_key(|(board, _)| key_of(board));
    let mut new = 0;
    for (board, entry) in &positions {
        let Some(mut merged) = book.get(board)? else {
            new += 1;
            book.put(board, entry)?;
            continue;
        };
        let leaves = [merged.leaf, entry.leaf, spare.get(board).copied()];
        merged.merge(entry);
        book.put(board, &merged)?;
        let taken = merged.leaf.map(|leaf| leaf.square);
        let all = leaves.into_iter().flatten();
        let others = all.filter(|leaf| Some(leaf.square) != taken);
        if let Some(other) = others.max_by_key(|leaf| leaf.level) {
            spare.insert(*board, other);
        }
    }
    Ok(Imported {
        positions: positions.len() as u64,
        new,
    })
}
