//! `BookFile`: a book in an `SQLite` database, one row for each position.
//!
//! Rows are ordered by number of empty squares, so that a ply of the book is one range of the
//! table. `Database` opens, locks and copies the file.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rusqlite::{Connection, OptionalExtension, Row, params_from_iter};

use super::database::{Database, Reserved, damaged, error_at};
use super::entry::{Entry, Leaf, Lines, Results};
use crate::board::{Bitboard, Board, Square};
use crate::eval::Value;
use crate::files::{FileError, NO_BYTES, checksum_after};

/// Version of the table's columns.
const VERSION: i32 = 2;

/// Column `leaf_move` if there is no leaf because every move is a link. NULL is an unknown leaf.
const NO_LEAF: u8 = 64;

/// The table. `value` and `leaf_value` are in 1/32 disc, `lower` and `upper` in discs.
/// `player` and `opponent` are bit sets with a1 as bit 0, of the smallest symmetric image.
/// `checksum` is that of the columns before it, because `SQLite` has none.
const TABLE: &str = "
    CREATE TABLE positions (
        empties INTEGER NOT NULL, player INTEGER NOT NULL, opponent INTEGER NOT NULL,
        value INTEGER, lower INTEGER NOT NULL, upper INTEGER NOT NULL, level INTEGER NOT NULL,
        leaf_move INTEGER, leaf_value INTEGER, leaf_level INTEGER,
        lines INTEGER NOT NULL,
        lines_won INTEGER NOT NULL, lines_drawn INTEGER NOT NULL, lines_lost INTEGER NOT NULL,
        games_won INTEGER NOT NULL, games_drawn INTEGER NOT NULL, games_lost INTEGER NOT NULL,
        checksum INTEGER NOT NULL,
        PRIMARY KEY (empties, player, opponent)
    ) STRICT, WITHOUT ROWID";

/// Number of columns.
const COLUMNS: usize = 18;

const GET: &str = "SELECT * FROM positions WHERE (empties, player, opponent) = (?, ?, ?)";
const PLY: &str = "SELECT * FROM positions WHERE empties >= ? ORDER BY empties, player, opponent";
const BEFORE_PLY: &str = "SELECT * FROM positions WHERE empties < ? \
                          ORDER BY empties DESC, player DESC, opponent DESC LIMIT 1";
const PUT: &str = "INSERT OR REPLACE INTO positions \
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const REMOVE: &str = "DELETE FROM positions WHERE (empties, player, opponent) = (?, ?, ?)";
/// A book file. Positions are looked up for all their symmetric images.
#[derive(Debug)]
pub struct BookFile {
    database: Database,
    /// Whether an error of the file was logged.
    is_unreadable: AtomicBool,
    /// Bit set of the plies that were read without an error, by number of empty squares.
    checked_plies: AtomicU64,
}

/// A write transaction. [`BookFile::write`] commits the transaction if its closure succeeds.
#[derive(Debug)]
pub struct Changes<'a> {
    path: &'a Path,
    connection: &'a Connection,
}

impl BookFile {
    /// Opens a book for reading and writing, or for reading alone if the file is write-protected.
    ///
    /// # Errors
    /// If the file does not exist, is no book, or is damaged.
    pub fn open(path: &Path) -> Result<BookFile, FileError> {
        let (database, version) = Database::open(path)?;
        if version != VERSION {
            let why = format!("format version {version} of a book, this program has {VERSION}");
            return Err(FileError::refused(path, why));
        }
        database.check_schema(&[TABLE])?;
        Ok(BookFile {
            database,
            is_unreadable: AtomicBool::new(false),
            checked_plies: AtomicU64::new(0),
        })
    }

    /// Creates an empty book.
    ///
    /// # Errors
    /// If the file exists or cannot be written.
    pub fn create(path: &Path) -> Result<BookFile, FileError> {
        Database::create(path, VERSION, TABLE)?;
        BookFile::open(path)
    }

    /// Opens the book, or creates it if there is no file.
    ///
    /// # Errors
    /// Those of [`open`](Self::open) and [`create`](Self::create).
    pub fn open_or_create(path: &Path) -> Result<BookFile, FileError> {
        match BookFile::open(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => BookFile::create(path),
            opened => opened,
        }
    }

    /// Reserves the book for one writer, until the result is dropped or the process ends.
    /// Other processes can still read the book.
    ///
    /// # Errors
    /// If another process writes to the book, the book cannot be written, or it is damaged.
    pub fn reserve(&self) -> Result<Reserved<'_>, FileError> {
        self.database.reserve()
    }

    /// Checks the pages of the whole file.
    ///
    /// # Errors
    /// If one is damaged.
    pub fn check_pages(&self) -> Result<(), FileError> {
        self.database.check_pages()
    }

    /// Writes a copy of the book to `path`, which keeps its old content until the copy is whole.
    ///
    /// # Errors
    /// If the book is damaged, or the copy cannot be written or would replace a book that another
    /// process writes to.
    pub fn copy_to(&self, path: &Path) -> Result<(), FileError> {
        self.database.copy_to(path)
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        self.database.path()
    }

    /// Looks up the position, or a symmetric image of it.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn get(&self, board: &Board) -> Result<Option<Entry>, FileError> {
        let board = board.canonical();
        self.database.read(|connection| {
            let found = get(connection, &board)?;
            let mark = 1 << board.empty_count();
            if found.is_none() && self.checked_plies.load(Ordering::Relaxed) & mark == 0 {
                // A damaged key hides its row, and may lead the search for others astray.
                ply(connection, board.empty_count())?;
                self.checked_plies.fetch_or(mark, Ordering::Relaxed);
            }
            Ok(found)
        })
    }

    /// Reads all positions with this number of empty squares, in the order of their boards.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn ply(&self, empties: u32) -> Result<Vec<(Board, Entry)>, FileError> {
        self.database.read(|connection| ply(connection, empties))
    }

    /// Returns `result`. Logs the first error, from which on there is no result.
    pub(super) fn unless_unreadable<T: Default>(
        &self,
        result: impl FnOnce() -> Result<T, FileError>,
    ) -> T {
        if self.is_unreadable.load(Ordering::Relaxed) {
            return T::default();
        }
        result().unwrap_or_else(|error| {
            if !self.is_unreadable.swap(true, Ordering::Relaxed) {
                log::error!("no book is used any more: {error}");
            }
            T::default()
        })
    }

    /// Number of positions by number of empty squares, 0 to 64.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn counts(&self) -> Result<[u64; 65], FileError> {
        self.database.read(|connection| {
            let mut counts = [0; 65];
            for (empties, count) in (0..).zip(&mut counts) {
                *count = ply(connection, empties)?.len() as u64;
            }
            Ok(counts)
        })
    }

    /// Writes what `change` puts and removes, all or nothing.
    ///
    /// # Errors
    /// The error of `change`, or that the file cannot be written. The book is then unchanged.
    pub fn write<T>(
        &self,
        change: impl FnOnce(&Changes) -> Result<T, FileError>,
    ) -> Result<T, FileError> {
        self.database.write(|connection| {
            change(&Changes {
                path: self.path(),
                connection,
            })
        })
    }
}

impl Changes<'_> {
    /// Looks up a board that is the smallest of its symmetric images.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn get(&self, board: &Board) -> Result<Option<Entry>, FileError> {
        get(self.connection, board).map_err(|error| error_at(self.path, error))
    }

    /// Reads all positions with this number of empty squares, in the order of their boards.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn ply(&self, empties: u32) -> Result<Vec<(Board, Entry)>, FileError> {
        ply(self.connection, empties).map_err(|error| error_at(self.path, error))
    }

    /// Stores the entry of a board that is the smallest of its symmetric images.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn put(&self, board: &Board, entry: &Entry) -> Result<(), FileError> {
        let put = || {
            let columns = params_from_iter(columns_of(board, entry));
            self.connection.prepare_cached(PUT)?.execute(columns)
        };
        put().map_err(|error| error_at(self.path, error))?;
        Ok(())
    }

    /// Removes the entry of a board that is the smallest of its symmetric images.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn remove(&self, board: &Board) -> Result<(), FileError> {
        let remove = || {
            let mut remove = self.connection.prepare_cached(REMOVE)?;
            remove.execute(key_of(board))
        };
        remove().map_err(|error| error_at(self.path, error))?;
        Ok(())
    }
}

fn get(connection: &Connection, board: &Board) -> rusqlite::Result<Option<Entry>> {
    let mut statement = connection.prepare_cached(GET)?;
    let row = statement.query_row(key_of(board), entry_of).optional()?;
    Ok(row.map(|(_, entry)| entry))
}

/// Reads a ply. The rows before and after it are checked, too: the first or last key of the ply
/// may be damaged.
fn ply(connection: &Connection, empties: u32) -> rusqlite::Result<Vec<(Board, Entry)>> {
    let mut before = connection.prepare_cached(BEFORE_PLY)?;
    before.query_row([empties], entry_of).optional()?;
    let mut statement = connection.prepare_cached(PLY)?;
    let mut rows = statement.query([empties])?;
    let mut ply: Vec<(Board, Entry)> = Vec::new();
    while let Some(row) = rows.next()? {
        let (board, entry) = entry_of(row)?;
        if board.empty_count() != empties {
            break;
        }
        if ply
            .last()
            .is_some_and(|(last, _)| key_of(last) >= key_of(&board))
        {
            return Err(damaged());
        }
        ply.push((board, entry));
    }
    Ok(ply)
}

/// The primary key of a board.
fn key_of(board: &Board) -> [i64; 3] {
    let Board { player, opponent } = board;
    let empties = board.empty_count().into();
    [empties, player.0 as i64, opponent.0 as i64]
}

/// The columns of a row.
fn columns_of(board: &Board, entry: &Entry) -> [Option<i64>; COLUMNS] {
    let [empties, player, opponent] = key_of(board);
    let (leaf_move, leaf_value, leaf_level) = match entry.leaf {
        Leaf::Unknown => (None, None, None),
        Leaf::None => (Some(NO_LEAF.into()), None, None),
        Leaf::Move {
            square,
            value,
            level,
        } => (
            Some(square.index() as i64),
            Some(value.units().into()),
            Some(level.into()),
        ),
    };
    let Lines {
        won,
        drawn,
        lost,
        all,
    } = entry.lines;
    let mut columns = [
        Some(empties),
        Some(player),
        Some(opponent),
        entry.value.map(|value| value.units().into()),
        Some(entry.bounds.0.into()),
        Some(entry.bounds.1.into()),
        Some(entry.level.into()),
        leaf_move,
        leaf_value,
        leaf_level,
        Some(all.into()),
        Some(won.into()),
        Some(drawn.into()),
        Some(lost.into()),
        Some(entry.games.won.into()),
        Some(entry.games.drawn.into()),
        Some(entry.games.lost.into()),
        None,
    ];
    let sum = columns.iter().fold(NO_BYTES, |sum, column| {
        let sum = checksum_after(sum, &[column.is_some().into()]);
        checksum_after(sum, &column.unwrap_or(0).to_le_bytes())
    });
    columns[COLUMNS - 1] = Some((sum as i32).into());
    columns
}

/// Reads a row of `SELECT *`. An error unless the row is what [`columns_of`] makes of its entry.
fn entry_of(row: &Row) -> rusqlite::Result<(Board, Entry)> {
    let mut columns = [None; COLUMNS];
    for (index, column) in columns.iter_mut().enumerate() {
        *column = row.get::<_, Option<i64>>(index)?;
    }
    let board = Board {
        player: Bitboard(row.get::<_, i64>(1)? as u64),
        opponent: Bitboard(row.get::<_, i64>(2)? as u64),
    };
    let leaf = match row.get::<_, Option<u8>>(7)? {
        None => Leaf::Unknown,
        Some(index) => Square::new(index).map_or(Ok(Leaf::None), |square| {
            Ok::<Leaf, rusqlite::Error>(Leaf::Move {
                square,
                value: value_of(row.get(8)?)?,
                level: row.get(9)?,
            })
        })?,
    };
    let entry = Entry {
        value: row.get::<_, Option<i32>>(3)?.map(value_of).transpose()?,
        bounds: (row.get(4)?, row.get(5)?),
        level: row.get(6)?,
        leaf,
        lines: Lines {
            all: row.get(10)?,
            won: row.get(11)?,
            drawn: row.get(12)?,
            lost: row.get(13)?,
        },
        games: Results {
            won: row.get(14)?,
            drawn: row.get(15)?,
            lost: row.get(16)?,
        },
    };
    if columns != columns_of(&board, &entry) || entry.fault(&board).is_some() {
        return Err(damaged());
    }
    Ok((board, entry))
}

/// The value of a column, whose range [`Value::from_units`] requires.
fn value_of(units: i32) -> rusqlite::Result<Value> {
    let is_score = units.unsigned_abs() <= Value::MAX.units().unsigned_abs();
    let value = is_score.then(|| Value::from_units(units));
    value.ok_or_else(damaged)
}
