//! `import`: adds the positions and games of book files of any format to a book.

use std::collections::HashMap;
use std::path::Path;

use super::entry::{Entry, Leaf};
use super::exchange::{self, BookFormat};
use super::file::{BookFile, Changes};
use super::games::add_games_of;
use super::negamax::recompute_all;
use emilia_core::board::Board;
use emilia_files::FileError;

/// Positions that are sorted and written together. Sorted rows are written several times faster.
const CHUNK: usize = 1 << 19;

/// What a file added to a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Format of the file.
    pub format: BookFormat,
    /// Positions of the file.
    pub positions: u64,
    /// Those that the book did not have.
    pub new: u64,
    /// Games that the book did not have.
    pub games: u64,
}

/// Adds the positions and games of all files to `book` in one transaction. Returns what each file
/// added, and the number of values that the graph of all books changed.
pub fn import<P: AsRef<Path>>(
    book: &BookFile,
    paths: &[P],
) -> Result<(Vec<Imported>, u64), FileError> {
    let _reserved = book.reserve()?;
    book.write(|changes| {
        let mut spare = HashMap::new();
        let imported = paths
            .iter()
            .map(|path| add(changes, path.as_ref(), &mut spare));
        let imported = imported.collect::<Result<_, _>>()?;
        Ok((imported, recompute_all(changes, &spare)?))
    })
}

/// Adds the positions and games of a file. Values are not recomputed, and leaves of a lower level
/// than the one that is stored go to `spare`.
fn add(
    changes: &Changes,
    path: &Path,
    spare: &mut HashMap<Board, Leaf>,
) -> Result<Imported, FileError> {
    let mut chunk = Vec::with_capacity(CHUNK);
    let (mut positions, mut new) = (0, 0);
    let format = exchange::read(path, &mut |board, entry| {
        positions += 1;
        chunk.push((board, entry));
        if chunk.len() == CHUNK {
            new += merge(changes, &mut chunk, spare)?;
        }
        Ok(())
    })?;
    new += merge(changes, &mut chunk, spare)?;
    let games = match format {
        BookFormat::Emilia => add_games_of(changes, &BookFile::open(path)?)?,
        _ => 0,
    };
    Ok(Imported {
        format,
        positions,
        new,
        games,
    })
}

/// Merges the entries into the book in its order, and empties `chunk`.
/// Returns the number of new positions.
fn merge(
    changes: &Changes,
    chunk: &mut Vec<(Board, Entry)>,
    spare: &mut HashMap<Board, Leaf>,
) -> Result<u64, FileError> {
    chunk.sort_unstable_by_key(|(board, _)| (board.empty_count(), *board));
    let mut new = 0;
    for (board, entry) in chunk.drain(..) {
        let Some(mut merged) = changes.get(&board)? else {
            new += 1;
            changes.put(&board, &entry)?;
            continue;
        };
        let leaves = [merged.leaf, entry.leaf, spare.get(&board).copied()];
        merged.merge(&entry);
        changes.put(&board, &merged)?;
        let taken = merged.leaf.map(|leaf| leaf.square);
        let others = leaves
            .into_iter()
            .flatten()
            .filter(|leaf| Some(leaf.square) != taken);
        if let Some(other) = others.max_by_key(|leaf| leaf.level) {
            spare.insert(board, other);
        }
    }
    Ok(new)
}
