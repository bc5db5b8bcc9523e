//! Exchange of books with other programs: reading and writing their files.
//!
//! The content decides the format of a file that is read. Files are read and written as streams.

mod edax;
mod edax_text;
mod egaroucid;
mod json;
mod source;

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use super::compact::{self, Compact};
use super::entry::{Entry, Leaf};
use super::file::BookFile;
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
    /// Text of Edax (`book export`): a position and its leaf a line, without links and values.
    EdaxText,
    /// Book of Egaroucid, version 3.
    Egaroucid,
    /// A JSON object a line, for scripts.
    Json,
    /// The format of the embedded book, of values and leaves only.
    Compact,
}

impl BookFormat {
    /// All formats.
    pub const ALL: [BookFormat; 6] = [
        BookFormat::Emilia,
        BookFormat::Edax,
        BookFormat::EdaxText,
        BookFormat::Egaroucid,
        BookFormat::Json,
        BookFormat::Compact,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            BookFormat::Emilia => "emilia",
            BookFormat::Edax => "edax",
            BookFormat::EdaxText => "edax-text",
            BookFormat::Egaroucid => "egaroucid",
            BookFormat::Json => "json",
            BookFormat::Compact => "compact",
        }
    }

    /// The format that the extension of a file name suggests.
    pub fn of_name(path: &Path) -> Option<BookFormat> {
        match path.extension()?.to_str()? {
            "dat" => Some(BookFormat::Edax),
            "txt" => Some(BookFormat::EdaxText),
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
        } else if bytes.len() >= 64 && bytes[..64].iter().all(|byte| b"XO-*.".contains(byte)) {
            Some(BookFormat::EdaxText)
        } else {
            None
        }
    }

    /// Whether the format stores the values of positions. Otherwise the graph gives them.
    pub fn has_values(self) -> bool {
        self != BookFormat::EdaxText
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
/// If the file cannot be read or breaks a rule of its format, and the first error of `accept`.
pub fn read(
    path: &Path,
    accept: &mut dyn FnMut(Board, Entry) -> Result<(), FileError>,
) -> Result<BookFormat, FileError> {
    let file = File::open(path).map_err(|error| FileError::new(path, error))?;
    let size = file
        .metadata()
        .map_err(|error| FileError::new(path, error))?;
    let mut reader = BufReader::with_capacity(1 << 20, file);
    let start = reader
        .fill_buf()
        .map_err(|error| FileError::new(path, error))?;
    let Some(format) = BookFormat::of_content(start) else {
        let why = "this is no book (expected one of Emilia, Edax or Egaroucid, or JSON lines)";
        return Err(FileError::refused(path, why));
    };
    if format == BookFormat::Emilia {
        let book = BookFile::open(path)?;
        for empties in 0..=Board::START.empty_count() {
            for (board, entry) in book.ply(empties)? {
                if let Some(fault) = entry.fault(&board) {
                    return Err(FileError::refused(path, format!("a position {fault}")));
                }
                accept(board, entry)?;
            }
        }
        return Ok(format);
    }
    read_stream(path, format, size.len(), &mut reader, accept)?;
    Ok(format)
}

/// Calls `accept` for each position of a stream of `size` bytes. `path` is for messages.
fn read_stream(
    path: &Path,
    format: BookFormat,
    size: u64,
    reader: &mut dyn BufRead,
    accept: &mut dyn FnMut(Board, Entry) -> Result<(), FileError>,
) -> Result<(), FileError> {
    let mut source = BookReader::new(path, reader);
    match format {
        BookFormat::Edax => edax::read(&mut source, size, accept),
        BookFormat::EdaxText => edax_text::read(&mut source, accept),
        BookFormat::Egaroucid => egaroucid::read(&mut source, size, accept),
        BookFormat::Json => json::read(&mut source, accept),
        BookFormat::Compact => {
            let bytes = source.rest(MAX_COMPACT)?;
            let book = Compact::new(&bytes).ok_or_else(|| source.refused("the book is damaged"))?;
            let mut positions = book.positions().into_iter();
            positions.try_for_each(|(board, entry)| accept(board, entry))
        }
        BookFormat::Emilia => unreachable!("databases are no streams"),
    }
}

/// Reads a book in memory, of any format but Emilia's, for fuzzing.
///
/// # Errors
/// Those of [`read`].
pub fn read_bytes(
    bytes: &[u8],
    accept: &mut dyn FnMut(Board, Entry) -> Result<(), FileError>,
) -> Result<Option<BookFormat>, FileError> {
    let format = BookFormat::of_content(bytes).filter(|format| *format != BookFormat::Emilia);
    if let Some(format) = format {
        let size = bytes.len() as u64;
        read_stream(Path::new("bytes"), format, size, &mut &*bytes, accept)?;
    }
    Ok(format)
}

/// What an export left out because the other format cannot hold it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// Positions written.
    pub positions: u64,
    /// Positions without a value, which only JSON lines and Emilia's own format hold.
    pub unvalued: u64,
    /// Positions with a value but without a known move, which Edax holds as leaves of others.
    pub bare: u64,
    /// Positions without a known leaf, written with a leaf of −64 discs for Edax.
    pub without_leaf: u64,
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
    let mut exported = Exported::default();
    if format == BookFormat::Emilia {
        for empties in 0..=Board::START.empty_count() {
            exported.positions += book.ply(empties)?.len() as u64;
        }
        book.copy_to(path)?;
        return Ok(exported);
    }
    if format == BookFormat::Compact {
        let mut positions = Vec::new();
        for empties in 0..=Board::START.empty_count() {
            positions.extend(book.ply(empties)?);
        }
        let count = positions.len() as u64;
        positions.retain(|(_, entry)| entry.value.is_some());
        exported.positions = positions.len() as u64;
        exported.unvalued = count - exported.positions;
        files::replace(path, &pack::encode(positions.into_iter()))?;
        return Ok(exported);
    }
    // The headers hold the number of positions, so that a first pass counts them.
    visit(book, format, &mut exported, &mut |_| Ok(()))?;
    let count = exported.positions;
    exported = Exported::default();
    let mut target = BookWriter::create(path)?;
    match format {
        BookFormat::Edax => target.write(&edax::header(count))?,
        BookFormat::Egaroucid => target.write(&egaroucid::header(count))?,
        _ => {}
    }
    visit(book, format, &mut exported, &mut |record| match format {
        BookFormat::Edax => target.write(&edax::record(record)),
        BookFormat::Egaroucid => target.write(&egaroucid::record(record)),
        BookFormat::EdaxText => target.write(edax_text::line(record).as_bytes()),
        BookFormat::Json | BookFormat::Emilia | BookFormat::Compact => {
            target.write(json::line(record).as_bytes())
        }
    })?;
    target.finish()?;
    Ok(exported)
}

/// What a position passes on to those before it in an export.
#[derive(Clone, Copy, Debug)]
struct Child {
    value: Option<Value>,
    /// Whether the position has a value but no known move.
    is_bare: bool,
}

/// Calls `write` for each position that `format` can hold.
fn visit(
    book: &BookFile,
    format: BookFormat,
    exported: &mut Exported,
    write: &mut dyn FnMut(&Record) -> Result<(), FileError>,
) -> Result<(), FileError> {
    let needs_moves = matches!(format, BookFormat::Edax | BookFormat::EdaxText);
    walk(
        |empties| book.ply(empties),
        |board, entry, links: &[Link<Child>]| {
            let mut entry = *entry;
            let mut child = Child {
                value: entry.value,
                is_bare: false,
            };
            if entry.value.is_none() && format != BookFormat::Json {
                exported.unvalued += 1;
                return Ok(child);
            }
            if needs_moves {
                child.is_bare = entry.leaf == Leaf::Unknown
                    && !board.is_over()
                    && links.iter().all(|link| link.child.value.is_none());
                if child.is_bare {
                    exported.bare += 1;
                    return Ok(child);
                }
                exported.without_leaf += u64::from(complete_leaf(board, &mut entry, links));
            }
            exported.positions += 1;
            write(&Record {
                board,
                entry: &entry,
                links: &written(links),
            })?;
            Ok(child)
        },
    )
}

/// The links that are written, with their values for the side to move.
fn written(links: &[Link<Child>]) -> Vec<(Move, Value)> {
    let links = links.iter().filter(|link| !link.child.is_bare);
    links
        .filter_map(|link| Some((link.mv, -link.child.value?)))
        .collect()
}

/// Makes the best of the leaf and of the bare positions after the moves the leaf. If there is none,
/// the first move without a link gets −64 discs. Returns whether that was necessary.
fn complete_leaf(board: &Board, entry: &mut Entry, links: &[Link<Child>]) -> bool {
    let bare = links.iter().filter(|link| link.child.is_bare);
    let bare = bare.filter_map(|link| Some((link.mv.square()?, -link.child.value?)));
    if let Some((square, value)) = bare.max_by_key(|&(_, value)| value)
        && entry.leaf.value().is_none_or(|leaf| leaf < value)
    {
        let level = entry.level;
        entry.leaf = Leaf::Move {
            square,
            value,
            level,
        };
    }
    if matches!(entry.leaf, Leaf::Move { .. }) {
        return false;
    }
    let linked: Bitboard = (written(links).iter())
        .filter_map(|(mv, _)| mv.square())
        .collect();
    let free = (board.legal_moves() & !linked).first();
    entry.leaf = free.map_or(Leaf::None, |square| Leaf::Move {
        square,
        value: Value::MIN,
        level: 0,
    });
    free.is_some()
}
