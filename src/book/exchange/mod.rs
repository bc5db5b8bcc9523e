//! Exchange of books with other programs: reading and writing their files.
//!
//! The content decides the format of a file that is read.

mod edax;
mod egaroucid;
mod json;
mod source;

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::compact::{self, Compact};
use super::entry::{Entry, Leaf, SOLVED};
use super::file::BookFile;
use super::pack;
use super::walk::{Link, walk};
use emilia_core::board::{Bitboard, Board, Move};
use emilia_core::eval::Value;
use emilia_files::{FileError, MIB};
use source::BookReader;

/// The first bytes of an `SQLite` database.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// Maximum size of a book of another format in bytes.
const MAX_SIZE: u64 = 4096 * MIB;

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
}

/// Formats as one word, such as `egaroucid`.
impl fmt::Display for BookFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{self:?}").to_lowercase())
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
    let wrong = |error| FileError::new(path, error);
    let file = File::open(path).map_err(wrong)?;
    let mut start = Vec::new();
    let length = SQLITE.len() as u64;
    (&file)
        .take(length)
        .read_to_end(&mut start)
        .map_err(wrong)?;
    if start != SQLITE {
        let bytes = emilia_files::read_stream(path, start.chain(file), MAX_SIZE)?;
        return read_bytes(path, &bytes, accept);
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

/// [`read`] of bytes in any format but Emilia's. `path` is for messages.
///
/// # Errors
/// Those of [`read`].
pub fn read_bytes(
    path: &Path,
    bytes: &[u8],
    accept: &mut dyn FnMut(Board, Entry) -> Result<(), FileError>,
) -> Result<BookFormat, FileError> {
    let mut source = BookReader {
        path,
        bytes,
        number: 0,
        accept,
    };
    if bytes.starts_with(edax::MAGIC) {
        edax::read(&mut source)?;
        Ok(BookFormat::Edax)
    } else if bytes.starts_with(egaroucid::MAGIC) {
        egaroucid::read(&mut source)?;
        Ok(BookFormat::Egaroucid)
    } else if bytes.starts_with(compact::MAGIC) {
        let book = Compact::new(bytes).ok_or_else(|| source.refused("the book is damaged"))?;
        let mut positions = book.positions().into_iter();
        positions.try_for_each(|(board, entry)| source.accept(board, entry))?;
        Ok(BookFormat::Compact)
    } else if bytes.starts_with(b"{") {
        json::read(&mut source)?;
        Ok(BookFormat::Json)
    } else {
        let why = "this is no book (expected one of Emilia, Edax or Egaroucid, or JSON lines)";
        Err(source.refused(why))
    }
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
    book.check_pages()?;
    if format == BookFormat::Emilia {
        let mut exported = Exported::default();
        for empties in 0..=Board::START.empty_count() {
            exported.positions += book.count(empties)?;
        }
        book.copy_to(path)?;
        return Ok(exported);
    }
    let (mut bytes, mut compact) = (Vec::new(), Vec::new());
    let mut exported = visit(book, format, &mut |record| match format {
        BookFormat::Edax => bytes.extend(edax::record(record)),
        BookFormat::Egaroucid => bytes.extend(egaroucid::record(record)),
        BookFormat::Json => bytes.extend(json::line(record).as_bytes()),
        BookFormat::Compact | BookFormat::Emilia => compact.push((*record.board, *record.entry)),
    })?;
    match format {
        BookFormat::Edax => drop(bytes.splice(..0, edax::header(&exported))),
        BookFormat::Egaroucid => drop(bytes.splice(..0, egaroucid::header(exported.positions))),
        BookFormat::Compact => bytes = pack::encode(compact.into_iter()),
        BookFormat::Json | BookFormat::Emilia => {}
    }
    emilia_files::replace(path, &bytes)?;
    exported.games = book.games()?;
    Ok(exported)
}

/// Calls `write` for each position that `format` can hold, and counts them.
fn visit(
    book: &BookFile,
    format: BookFormat,
    write: &mut dyn FnMut(&Record),
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
                    entry.leaf = Some(Leaf::new(square, Value::MIN, 0));
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
            });
            Ok((entry.value, false))
        },
    )?;
    Ok(exported)
}

/// The best of the leaf and of the links to positions that Edax holds as leaves.
fn leaf_for_edax(entry: &Entry, bare: &[&Link<(Value, bool)>]) -> Option<Leaf> {
    let bare = bare.iter().filter_map(|link| {
        let square = link.mv.square()?;
        Some(Leaf::new(square, -link.child.0, entry.level))
    });
    bare.chain(entry.leaf).max_by_key(|leaf| leaf.value)
}
