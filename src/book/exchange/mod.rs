//! Exchange of books with other programs: reading and writing their files.
//!
//! The content decides the format of a file that is read. Files are read and written as streams.

mod edax;
mod egaroucid;
mod json;
mod source;

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use super::compact::{self, Compact};
use super::entry::{Entry, Leaf, SOLVED};
use super::file::BookFile;
use super::import::copy;
use super::pack;
use super::walk::{Link, walk};
use crate::board::{Bitboard, Board, Move};
use crate::eval::Value;
use crate::files::{self, FileError, MIB};
use source::{BookReader, BookWriter};

/// Maximum size of a compact book in bytes.
const MAX_COMPACT: u64 = 64 * MIB;

/// Format of a book file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookFormat {
    /// Emilia's own: an `SQLite` database.
    Emilia,
    /// Binary book of Edax, version 4.
    Edax,
    /// Book of Egaroucid, version 3.
    Egaroucid,
    /// A JSON object a line, for scripts.
    Json,
    /// The format of the embedded book, of values and leaves only.
    Compact,
}

impl BookFormat {
    /// All formats.
    pub const ALL: [BookFormat; 5] = [
        BookFormat::Emilia,
        BookFormat::Edax,
        BookFormat::Egaroucid,
        BookFormat::Json,
        BookFormat::Compact,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            BookFormat::Emilia => "emilia",
            BookFormat::Edax => "edax",
            BookFormat::Egaroucid => "egaroucid",
            BookFormat::Json => "json",
            BookFormat::Compact => "compact",
        }
    }

    /// The format that the extension of a file name suggests.
    pub fn of_name(path: &Path) -> Option<BookFormat> {
        match path.extension()?.to_str()? {
            "dat" => Some(BookFormat::Edax),
            "egbk3" => Some(BookFormat::Egaroucid),
            "json" | "jsonl" => Some(BookFormat::Json),
            "book" => Some(BookFormat::Emilia),
            "packed" => Some(BookFormat::Compact),
            _ => None,
        }
    }

    /// The format of a file that begins with these bytes.
    fn of_content(bytes: &[u8]) -> Option<BookFormat> {
        if bytes.starts_with(edax::MAGIC) {
            Some(BookFormat::Edax)
        } else if bytes.starts_with(egaroucid::MAGIC) {
            Some(BookFormat::Egaroucid)
        } else if bytes.starts_with(compact::MAGIC) {
            Some(BookFormat::Compact)
        } else if bytes.starts_with(b"SQLite format 3\0") {
            Some(BookFormat::Emilia)
        } else if bytes.first() == Some(&b'{') {
            Some(BookFormat::Json)
        } else {
            None
        }
    }
}

impl fmt::Display for BookFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Calls `accept` for each position of a book file of any format. Returns its format.
/// Boards are the smallest of their symmetric images, and entries pass [`Entry::fault`].
///
/// # Errors
/// If the file breaks a rule of its format, and the first error of `accept`.
pub fn read(
    path: &Path,
    accept: &mut dyn FnMut(Board, Entry) -> Result<(), FileError>,
) -> Result<BookFormat, FileError> {
    let file = File::open(path).map_err(|error| FileError::new(path, error))?;
    let mut reader = BufReader::with_capacity(1 << 20, file);
    let start = reader.fill_buf();
    let start = start.map_err(|error| FileError::new(path, error))?;
    if BookFormat::of_content(start) != Some(BookFormat::Emilia) {
        return read_stream(path, &mut reader, accept);
    }
    let book = BookFile::open(path)?;
    for empties in 0..=Board::START.empty_count() {
        for (board, entry) in book.ply(empties)? {
            if let Some(fault) = entry.fault(&board) {
                return Err(FileError::refused(path, format!("a position {fault}")));
            }
            accept(board, entry)?;
        }
    }
    Ok(BookFormat::Emilia)
}

/// [`read`] of a stream, which has any format but Emilia's. `path` is for messages.
///
/// # Errors
/// Those of [`read`].
pub fn read_stream(
    path: &Path,
    reader: &mut dyn BufRead,
    accept: &mut dyn FnMut(Board, Entry) -> Result<(), FileError>,
) -> Result<BookFormat, FileError> {
    let start = reader.fill_buf();
    let start = start.map_err(|error| FileError::new(path, error))?;
    let format = BookFormat::of_content(start);
    let mut source = BookReader::new(path, reader);
    match format {
        Some(BookFormat::Edax) => edax::read(&mut source, accept)?,
        Some(BookFormat::Egaroucid) => egaroucid::read(&mut source, accept)?,
        Some(BookFormat::Json) => json::read(&mut source, accept)?,
        Some(BookFormat::Compact) => {
            let bytes = source.rest(MAX_COMPACT)?;
            let book = Compact::new(&bytes).ok_or_else(|| source.refused("the book is damaged"))?;
            let mut positions = book.positions().into_iter();
            positions.try_for_each(|(board, entry)| accept(board, entry))?;
        }
        Some(BookFormat::Emilia) | None => {
            let why = "this is no book (expected one of Emilia, Edax or Egaroucid, or JSON lines)";
            return Err(FileError::refused(path, why));
        }
    }
    Ok(format.unwrap_or(BookFormat::Emilia))
}

/// What an export wrote, and what it changed because the other format cannot hold it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// Positions written.
    pub positions: u64,
    /// Games left out. Only Emilia's own format holds them.
    pub games: u64,
    /// Positions without a known move, which Edax holds as leaves of others.
    pub bare: u64,
    /// Positions without a known leaf, written with a leaf of −64 discs for Edax.
    pub without_leaf: u64,
    /// Highest level of a position that is not solved.
    level: u8,
    /// Least number of empty squares of a position.
    min_empties: u32,
}

/// A position to write, with its links.
#[derive(Debug)]
struct Record<'a> {
    board: &'a Board,
    entry: &'a Entry,
    /// Links with their values for the side to move.
    links: &'a [(Move, Value)],
}

/// Writes the book to `path` in `format`.
///
/// # Errors
/// If the book cannot be read, or `path` cannot be written. The file then keeps its old content.
pub fn export(book: &BookFile, path: &Path, format: BookFormat) -> Result<Exported, FileError> {
    let mut exported = Exported::default();
    if format == BookFormat::Emilia {
        let target = BookFile::create(path)?;
        exported.positions = target.write(|changes| copy(changes, book))?;
        return Ok(exported);
    }
    if format == BookFormat::Compact {
        let mut positions = Vec::new();
        for empties in 0..=Board::START.empty_count() {
            positions.extend(book.ply(empties)?);
        }
        exported.positions = positions.len() as u64;
        files::replace(path, &pack::encode(positions.into_iter()))?;
    } else {
        // The headers describe all positions, so that a first pass counts them.
        let all = visit(book, format, &mut |_| Ok(()))?;
        let mut target = BookWriter::create(path)?;
        match format {
            BookFormat::Edax => target.write(&edax::header(&all))?,
            BookFormat::Egaroucid => target.write(&egaroucid::header(all.positions))?,
            _ => {}
        }
        exported = visit(book, format, &mut |record| match format {
            BookFormat::Edax => target.write(&edax::record(record)),
            BookFormat::Egaroucid => target.write(&egaroucid::record(record)),
            _ => target.write(json::line(record).as_bytes()),
        })?;
        target.finish()?;
    }
    exported.games = book.games()?;
    Ok(exported)
}

/// Calls `write` for each position that `format` can hold, and counts them.
fn visit(
    book: &BookFile,
    format: BookFormat,
    write: &mut dyn FnMut(&Record) -> Result<(), FileError>,
) -> Result<Exported, FileError> {
    let mut exported = Exported::default();
    let of_edax = format == BookFormat::Edax;
    walk(
        |empties| book.ply(empties),
        // The visit returns the value, and whether the position becomes a leaf of others.
        |board, entry, links: &[Link<(Value, bool)>]| {
            let is_bare = of_edax && entry.leaf.is_none() && links.is_empty() && !board.is_over();
            exported.bare += u64::from(is_bare);
            if is_bare {
                return Ok((entry.value, true));
            }
            let (bare, linked): (Vec<_>, Vec<_>) = links.iter().partition(|link| link.child.1);
            let links: Vec<_> = linked
                .iter()
                .map(|link: &&Link<(Value, bool)>| (link.mv, -link.child.0))
                .collect();
            let mut entry = *entry;
            if of_edax {
                entry.leaf = leaf_for_edax(&entry, &bare);
                let linked: Bitboard = links.iter().filter_map(|(mv, _)| mv.square()).collect();
                let free = board.legal_moves() & !linked;
                if let (None, Some(square)) = (entry.leaf, free.first()) {
                    let (value, level) = (Value::MIN, 0);
                    entry.leaf = Some(Leaf {
                        square,
                        value,
                        level,
                    });
                    exported.without_leaf += 1;
                }
            }
            if entry.level < SOLVED {
                exported.level = exported.level.max(entry.level);
            }
            if exported.positions == 0 {
                // From few empty squares to many.
                exported.min_empties = board.empty_count();
            }
            exported.positions += 1;
            write(&Record {
                board,
                entry: &entry,
                links: &links,
            })?;
            Ok((entry.value, false))
        },
    )?;
    Ok(exported)
}

/// The best of the leaf and of the links to positions that Edax holds as leaves.
fn leaf_for_edax(entry: &Entry, bare: &[&Link<(Value, bool)>]) -> Option<Leaf> {
    let level = entry.level;
    let bare = bare.iter().filter_map(|link| {
        let (square, value) = (link.mv.square()?, -link.child.0);
        Some(Leaf {
            square,
            value,
            level,
        })
    });
    bare.chain(entry.leaf).max_by_key(|leaf| leaf.value)
}
