//! `import`: adds the positions of a book file of any format to a book.

use std::path::Path;

use super::entry::Entry;
use super::exchange::{self, BookFormat};
use super::file::{BookFile, Changes};
use super::negamax;
use crate::board::Board;
use crate::files::FileError;

/// Positions that are sorted and written together. Sorted rows are written several times faster.
const CHUNK: usize = 1 << 19;

/// What an import added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Format of the file.
    pub format: BookFormat,
    /// Positions of the file.
    pub positions: u64,
    /// Those that the book did not have.
    pub new: u64,
    /// Entries whose values the graph of both books changed.
    pub changed: u64,
}

/// Adds the positions of the file at `path` to `book`, all or nothing.
///
/// # Errors
/// If the file cannot be read or breaks a rule of its format, or the book cannot be written.
pub fn import(book: &BookFile, path: &Path) -> Result<Imported, FileError> {
    let _reserved = book.reserve()?;
    let was_empty = book.counts()?.iter().all(|&count| count == 0);
    let mut imported = book.write(|changes| {
        let mut chunk = Vec::with_capacity(CHUNK);
        let (mut positions, mut new) = (0, 0);
        let format = exchange::read(path, &mut |board, entry| {
            positions += 1;
            chunk.push((board, entry));
            if chunk.len() == CHUNK {
                new += add(changes, &mut chunk)?;
            }
            Ok(())
        })?;
        new += add(changes, &mut chunk)?;
        Ok(Imported {
            format,
            positions,
            new,
            changed: 0,
        })
    })?;
    if !was_empty || !imported.format.has_values() {
        imported.changed = negamax::recompute_all(book)?;
    }
    Ok(imported)
}

/// Merges the entries into the book in its order, and empties `chunk`.
/// Returns the number of new positions.
pub(super) fn add(changes: &Changes, chunk: &mut Vec<(Board, Entry)>) -> Result<u64, FileError> {
    chunk.sort_unstable_by_key(|(board, _)| (board.empty_count(), *board));
    let mut new = 0;
    for (board, entry) in chunk.drain(..) {
        let old = changes.get(&board)?;
        new += u64::from(old.is_none());
        let mut merged = old.unwrap_or_default();
        merged.merge(&entry);
        changes.put(&board, &merged)?;
    }
    Ok(new)
}
