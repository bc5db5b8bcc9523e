//! `BookFile`: a book in an `SQLite` database, one row for each position.
//!
//! Other processes can read the file while one writes (write-ahead log). A transaction that a crash
//! interrupts has no effect. Rows are ordered by number of empty squares, so that a ply of the
//! book is one range of the table.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Row, params};

use super::entry::{Entry, Leaf, Lines, Results};

use crate::board::{Bitboard, Board, Square};
use crate::eval::Value;
use crate::files::{self, FileError};

/// Mark of Emilia's books in the header of an `SQLite` file: the bytes `Emil`.
const APPLICATION_ID: i32 = i32::from_be_bytes(*b"Emil");

/// Version of the table's columns.
const VERSION: i32 = 1;

/// How long a writer waits for another one.
const BUSY: Duration = Duration::from_secs(10);

/// Memory for pages of the database, in KiB.
const CACHE_KIB: i32 = 32 * 1024;

/// Column `leaf_move` if there is no leaf because every move is a link. NULL is an unknown leaf.
const NO_LEAF: u8 = 64;

/// The table. `value` and `leaf_value` are in 1/32 disc, `lower` and `upper` in discs.
/// `player` and `opponent` are bit sets with a1 as bit 0, of the smallest symmetric image.
const TABLE: &str = "
    CREATE TABLE positions (
        empties INTEGER NOT NULL, player INTEGER NOT NULL, opponent INTEGER NOT NULL,
        value INTEGER, lower INTEGER NOT NULL, upper INTEGER NOT NULL, level INTEGER NOT NULL,
        leaf_move INTEGER, leaf_value INTEGER, leaf_level INTEGER,
        lines INTEGER NOT NULL,
        lines_won INTEGER NOT NULL, lines_drawn INTEGER NOT NULL, lines_lost INTEGER NOT NULL,
        games_won INTEGER NOT NULL, games_drawn INTEGER NOT NULL, games_lost INTEGER NOT NULL,
        PRIMARY KEY (empties, player, opponent)
    ) STRICT, WITHOUT ROWID";

const GET: &str = "SELECT * FROM positions WHERE empties = ? AND player = ? AND opponent = ?";
const PUT: &str =
    "INSERT OR REPLACE INTO positions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const REMOVE: &str = "DELETE FROM positions WHERE empties = ? AND player = ? AND opponent = ?";
const PLY: &str = "SELECT * FROM positions WHERE empties = ? ORDER BY player, opponent";
const COUNTS: &str = "SELECT empties, COUNT(*) FROM positions GROUP BY empties";

/// A book file. Positions are looked up for all their symmetric images.
#[derive(Debug)]
pub struct BookFile {
    path: PathBuf,
    connection: Mutex<Connection>,
}

/// The lock of an empty file beside the book, which [`BookFile::reserve`] creates.
#[derive(Debug)]
pub struct Reserved {
    path: PathBuf,
    _lock: File,
}

impl Drop for Reserved {
    fn drop(&mut self) {
        // A lock file that stays behind is harmless.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// A write transaction. [`BookFile::write`] commits the transaction if its closure succeeds.
#[derive(Debug)]
pub struct Changes<'a> {
    path: &'a Path,
    transaction: rusqlite::Transaction<'a>,
}

impl BookFile {
    /// Opens a book for reading and writing, or for reading alone if the file is write-protected.
    ///
    /// # Errors
    /// If the file does not exist, is no book, or is damaged.
    pub fn open(path: &Path) -> Result<BookFile, FileError> {
        let wrong = |error| error_at(path, error);
        // SQLite would report a missing file as "unable to open".
        std::fs::metadata(path).map_err(|error| FileError::new(path, error))?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(wrong)?;
        let id: i32 = read_pragma(&connection, "application_id").map_err(wrong)?;
        if id != APPLICATION_ID {
            return Err(FileError::refused(path, "this is no book of Emilia"));
        }
        let version: i32 = read_pragma(&connection, "user_version").map_err(wrong)?;
        if version != VERSION {
            let why = format!("format version {version} of a book, this program has {VERSION}");
            return Err(FileError::refused(path, why));
        }
        BookFile::with(path, connection)
    }

    /// Creates an empty book.
    ///
    /// # Errors
    /// If the file exists or cannot be written.
    pub fn create(path: &Path) -> Result<BookFile, FileError> {
        let wrong = |error| error_at(path, error);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| FileError::new(folder, error))?;
        }
        // Reserves the name, so that no other file is overwritten. SQLite accepts an empty file.
        File::create_new(path).map_err(|error| FileError::new(path, error))?;
        let connection = Connection::open(path).map_err(wrong)?;
        let set_up = format!(
            "PRAGMA journal_mode = WAL; BEGIN; PRAGMA application_id = {APPLICATION_ID}; \
             PRAGMA user_version = {VERSION}; {TABLE}; COMMIT"
        );
        connection.execute_batch(&set_up).map_err(wrong)?;
        BookFile::with(path, connection)
    }

    /// Opens the book, or creates it if there is no file.
    ///
    /// # Errors
    /// Those of [`open`](Self::open) and [`create`](Self::create).
    pub fn open_or_create(path: &Path) -> Result<BookFile, FileError> {
        if path.exists() {
            BookFile::open(path)
        } else {
            BookFile::create(path)
        }
    }

    fn with(path: &Path, connection: Connection) -> Result<BookFile, FileError> {
        // In WAL mode NORMAL cannot damage the file. Only a power failure can undo transactions.
        let set_up = format!("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -{CACHE_KIB}");
        connection
            .busy_timeout(BUSY)
            .and_then(|()| connection.execute_batch(&set_up))
            .map_err(|error| error_at(path, error))?;
        Ok(BookFile {
            path: path.to_owned(),
            connection: Mutex::new(connection),
        })
    }

    /// Reserves the book for one writer, until the result is dropped or the process ends.
    /// Other processes can still read the book.
    ///
    /// # Errors
    /// If another writer has reserved it.
    pub fn reserve(&self) -> Result<Reserved, FileError> {
        let mut path = self.path.as_os_str().to_owned();
        path.push("-writer");
        let path = PathBuf::from(path);
        let lock = files::open_to_append(&path)?;
        Ok(Reserved { path, _lock: lock })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Looks up the position, or a symmetric image of it.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn get(&self, board: &Board) -> Result<Option<Entry>, FileError> {
        self.read(|connection| get(connection, &board.canonical()))
    }

    /// Reads all positions with this number of empty squares, in the order of their boards.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn ply(&self, empties: u32) -> Result<Vec<(Board, Entry)>, FileError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(PLY)?;
            let rows =
                statement.query_map([empties], |row| Ok((board_of(row)?, entry_of(row)?)))?;
            rows.collect()
        })
    }

    /// Number of positions by number of empty squares, 0 to 64.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn counts(&self) -> Result<[u64; 65], FileError> {
        self.read(|connection| {
            let mut counts = [0; 65];
            let mut statement = connection.prepare_cached(COUNTS)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                if let Some(count) = counts.get_mut(usize::from(row.get::<_, u8>(0)?)) {
                    *count = row.get::<_, i64>(1)? as u64;
                }
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
        let wrong = |error| error_at(&self.path, error);
        let mut connection = self
            .connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let immediate = rusqlite::TransactionBehavior::Immediate;
        let transaction = connection
            .transaction_with_behavior(immediate)
            .map_err(wrong)?;
        let changes = Changes {
            path: &self.path,
            transaction,
        };
        let done = change(&changes)?;
        changes.transaction.commit().map_err(wrong)?;
        Ok(done)
    }

    fn read<T>(
        &self,
        query: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, FileError> {
        let connection = self
            .connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        query(&connection).map_err(|error| error_at(&self.path, error))
    }
}

impl Changes<'_> {
    /// Looks up a board that is the smallest of its symmetric images.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn get(&self, board: &Board) -> Result<Option<Entry>, FileError> {
        get(&self.transaction, board).map_err(|error| error_at(self.path, error))
    }

    /// Reads all positions with this number of empty squares, in the order of their boards.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn ply(&self, empties: u32) -> Result<Vec<(Board, Entry)>, FileError> {
        ply(&self.transaction, empties).map_err(|error| error_at(self.path, error))
    }

    /// Stores the entry of a board that is the smallest of its symmetric images.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn put(&self, board: &Board, entry: &Entry) -> Result<(), FileError> {
        let (leaf_move, leaf_value, leaf_level) = match entry.leaf {
            Leaf::Unknown => (None, None, None),
            Leaf::None => (Some(NO_LEAF), None, None),
            Leaf::Move {
                square,
                value,
                level,
            } => (Some(square.index() as u8), Some(value.units()), Some(level)),
        };
        let put = || {
            self.transaction.prepare_cached(PUT)?.execute(params![
                board.empty_count(),
                board.player.0 as i64,
                board.opponent.0 as i64,
                entry.value.map(Value::units),
                entry.bounds.0,
                entry.bounds.1,
                entry.level,
                leaf_move,
                leaf_value,
                leaf_level,
                entry.lines.all,
                entry.lines.won,
                entry.lines.drawn,
                entry.lines.lost,
                entry.games.won,
                entry.games.drawn,
                entry.games.lost,
            ])
        };
        put().map_err(|error| error_at(self.path, error))?;
        Ok(())
    }

    /// Removes the entry of a board that is the smallest of its symmetric images.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn remove(&self, board: &Board) -> Result<(), FileError> {
        let key = params![
            board.empty_count(),
            board.player.0 as i64,
            board.opponent.0 as i64
        ];
        let remove = || self.transaction.prepare_cached(REMOVE)?.execute(key);
        remove().map_err(|error| error_at(self.path, error))?;
        Ok(())
    }
}

fn get(connection: &Connection, board: &Board) -> rusqlite::Result<Option<Entry>> {
    let key = params![
        board.empty_count(),
        board.player.0 as i64,
        board.opponent.0 as i64
    ];
    connection
        .prepare_cached(GET)?
        .query_row(key, entry_of)
        .optional()
}

fn ply(connection: &Connection, empties: u32) -> rusqlite::Result<Vec<(Board, Entry)>> {
    let mut statement = connection.prepare_cached(PLY)?;
    let rows = statement.query_map([empties], |row| Ok((board_of(row)?, entry_of(row)?)))?;
    rows.collect()
}

fn board_of(row: &Row) -> rusqlite::Result<Board> {
    Ok(Board {
        player: Bitboard(row.get::<_, i64>(1)? as u64),
        opponent: Bitboard(row.get::<_, i64>(2)? as u64),
    })
}

fn entry_of(row: &Row) -> rusqlite::Result<Entry> {
    let leaf = match row.get::<_, Option<u8>>(7)? {
        None => Leaf::Unknown,
        Some(index) => Square::new(index).map_or(Ok(Leaf::None), |square| {
            Ok::<Leaf, rusqlite::Error>(Leaf::Move {
                square,
                value: Value::from_units(row.get(8)?),
                level: row.get(9)?,
            })
        })?,
    };
    Ok(Entry {
        value: row.get::<_, Option<i32>>(3)?.map(Value::from_units),
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
    })
}

fn read_pragma<T: rusqlite::types::FromSql>(
    connection: &Connection,
    name: &str,
) -> rusqlite::Result<T> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}

/// Adds the path to an error of `SQLite`.
fn error_at(path: &Path, error: rusqlite::Error) -> FileError {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => FileError::refused(path, "this is no book of Emilia"),
        Some(ErrorCode::DatabaseCorrupt) => FileError::refused(path, "the book is damaged"),
        Some(ErrorCode::DiskFull) => FileError::new(path, std::io::ErrorKind::StorageFull.into()),
        Some(ErrorCode::ReadOnly) => {
            FileError::new(path, std::io::ErrorKind::PermissionDenied.into())
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => FileError::new(
            path,
            std::io::Error::other("another program is writing the book"),
        ),
        _ => FileError::new(path, std::io::Error::other(error)),
    }
}
