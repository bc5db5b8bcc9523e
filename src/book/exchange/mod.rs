//! Exchange of books with other programs: reads and writes their files.
//!
//! The content of a file decides in which format it is read, not its name.

mod edax;
mod egaroucid;
mod source;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::compact::{self, Compact};
use super::entry::Entry;
use super::file::BookFile;
use emilia_core::board::Board;
use emilia_files::{FileError, MIB, database};
use source::BookReader;

const FOREIGN: &str = "this is not a book (expected a book of Emilia, of Edax, version 4, or of \
                       Egaroucid, version 3)";

/// Number of bytes at the start of a file in which the magic bytes are looked for.
const START: u64 = 16;

/// Maximum size in bytes of a book in another format than Emilia's.
const MAX_SIZE: u64 = 4096 * MIB;

/// Format of a book file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookFormat {
    /// Book of Emilia: an `SQLite` database.
    Emilia,
    /// Binary book of Edax, version 4.
    Edax,
    /// Book of Egaroucid, version 3.
    Egaroucid,
    /// Format of the embedded book, which has only values and leaves.
    Compact,
}

impl BookFormat {
    /// Returns the format that the extension of a file name suggests.
    pub fn of_name(path: &Path) -> Option<BookFormat> {
        match path.extension()?.to_str()? {
            "dat" => Some(BookFormat::Edax),
            "egbk3" => Some(BookFormat::Egaroucid),
            "book" => Some(BookFormat::Emilia),
            "packed" => Some(BookFormat::Compact),
            _ => None,
        }
    }
}

/// Reads a book file of any format. The boards are the smallest of their symmetric images, and
/// [`Entry::fault`] finds no fault in the entries.
///
/// # Errors
/// If the file breaks a rule of its format.
pub fn read(path: &Path) -> Result<Vec<(Board, Entry)>, FileError> {
    if database::is_database(path) {
        return BookFile::open(path)?.positions();
    }
    let wrong = |error| FileError::new(path, error);
    let file = File::open(path).map_err(wrong)?;
    let mut start = Vec::new();
    (&file).take(START).read_to_end(&mut start).map_err(wrong)?;
    let magics = [edax::MAGIC, egaroucid::MAGIC, compact::MAGIC];
    if !magics.iter().any(|magic| start.starts_with(magic)) && !emilia_files::is_packed(&start) {
        return Err(FileError::refused(path, FOREIGN));
    }
    let bytes = emilia_files::read_stream(path, start.chain(file), MAX_SIZE)?;
    read_bytes(path, &emilia_files::unpack_one(path, bytes, MAX_SIZE)?)
}

/// Parses the unpacked content of a book file of Edax or Egaroucid, or of a compact book. `path`
/// names the file in errors. The boards and entries are valid as those of [`read`].
///
/// # Errors
/// If `bytes` do not begin with the magic bytes of one of these formats, or break a rule of the
/// format.
pub fn read_bytes(path: &Path, bytes: &[u8]) -> Result<Vec<(Board, Entry)>, FileError> {
    let mut source = BookReader {
        path,
        bytes,
        number: 0,
    };
    if bytes.starts_with(edax::MAGIC) {
        edax::read(&mut source)
    } else if bytes.starts_with(egaroucid::MAGIC) {
        egaroucid::read(&mut source)
    } else if bytes.starts_with(compact::MAGIC) {
        let book = Compact::new(bytes).ok_or_else(|| source.refused("the book is damaged"))?;
        Ok(book.positions())
    } else {
        Err(source.refused(FOREIGN))
    }
}

/// Counts of an export: the positions written, and the positions changed because the other format
/// cannot hold them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// Number of positions written.
    pub positions: u64,
    /// Number of positions without links and leaf. An Edax book omits these positions. A move to an
    /// omitted position can become the leaf of the position before the move.
    pub bare: u64,
    /// Number of positions without a stored leaf, although some moves are not links. In an Edax
    /// book, the first of these moves becomes a leaf with the value −64 discs.
    pub without_leaf: u64,
}

/// Writes the book to `path` in `format`.
///
/// # Errors
/// If the book cannot be read, or `path` cannot be written. The file then keeps its old content.
pub fn export(book: &BookFile, path: &Path, format: BookFormat) -> Result<Exported, FileError> {
    book.check_pages()?;
    let mut exported = Exported::default();
    let bytes = if format == BookFormat::Edax {
        edax::write(book, &mut exported)?
    } else {
        let positions = book.positions()?;
        exported.positions = positions.len() as u64;
        match format {
            BookFormat::Egaroucid => egaroucid::write(&positions),
            BookFormat::Compact => compact::encode(&positions),
            BookFormat::Emilia | BookFormat::Edax => {
                book.copy_to(path)?;
                return Ok(exported);
            }
        }
    };
    emilia_files::replace(path, &bytes)?;
    Ok(exported)
}
