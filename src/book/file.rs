//! `BookFile`: a book in an `SQLite` database, one row for each searched position.
//!
//! Other processes can read the file while one writes (write-ahead log). A transaction that a crash
//! interrupts has no effect. Rows are ordered by number of empty squares, so that a ply of the
//! book is one range of the table.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Row, params};

use super::compact::Compact;
use super::entry::{Counts, Entry, Leaf};
use super::games;
use super::negamax::recompute_all;
use crate::board::{Bitboard, Board, Square};
use crate::eval::Value;
use crate::files::{self, FileError};

/// Mark of Emilia's books in the header of an `SQLite` file: the bytes `Emil`.
const APPLICATION_ID: i32 = i32::from_be_bytes(*b"Emil");

/// Version of the tables.
const VERSION: i32 = 2;

/// How long a writer waits for another one.
const BUSY: Duration = Duration::from_secs(10);

/// Memory for pages of the database, in KiB.
const CACHE_KIB: i32 = 32 * 1024;

/// The table of searched positions. `value` and `leaf_value` are in 1/32 disc, `lower` and `upper` in discs.
/// `player` and `opponent` are bit sets with a1 as bit 0, of the smallest symmetric image.
const TABLE: &str = "
    CREATE TABLE main.positions (
        empties INTEGER NOT NULL, player INTEGER NOT NULL, opponent INTEGER NOT NULL,
        value INTEGER NOT NULL, lower INTEGER NOT NULL, upper INTEGER NOT NULL, level INTEGER NOT NULL,
        leaf_move INTEGER, leaf_value INTEGER, leaf_level INTEGER,
        lines INTEGER NOT NULL,
        lines_won INTEGER NOT NULL, lines_drawn INTEGER NOT NULL, lines_lost INTEGER NOT NULL,
        PRIMARY KEY (empties, player, opponent)
    ) STRICT, WITHOUT ROWID;";

/// Version 1 kept games in the columns of a position, which had no value if only games held it.
/// These views show its table as those of version 2.
const VIEWS_OF_1: &str = "
    CREATE TEMP VIEW positions AS SELECT empties, player, opponent, value, lower, upper, level,
        leaf_move, leaf_value, leaf_level, lines, lines_won, lines_drawn, lines_lost
        FROM main.positions WHERE value IS NOT NULL;
    CREATE TEMP VIEW played AS SELECT empties, player, opponent,
        games_won AS won, games_drawn AS drawn, games_lost AS lost
        FROM main.positions WHERE games_won + games_drawn + games_lost > 0;
    CREATE TEMP VIEW games AS SELECT
        CAST(printf('%d %d %d %d %d', player, opponent, won, drawn, lost) AS BLOB) AS digest,
        player, opponent, x'' AS moves, empties, won, drawn, lost FROM temp.played;";

/// Makes the tables of version 2 beside the views, which follow the change of the name.
const NEW_TABLES: [&str; 3] = [
    "ALTER TABLE main.positions RENAME TO positions_1;",
    TABLE,
    games::TABLES,
];
const NEW_ROWS: &str = "
    INSERT INTO main.played SELECT * FROM temp.played;
    INSERT INTO main.games SELECT * FROM temp.games;
    DROP VIEW temp.games; DROP VIEW temp.played; DROP VIEW temp.positions;
    DROP TABLE main.positions_1; PRAGMA main.user_version = 2;";

const GET: &str = "SELECT * FROM positions WHERE empties = ? AND player = ? AND opponent = ?";
const PUT: &str =
    "INSERT OR REPLACE INTO main.positions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const REMOVE: &str = "DELETE FROM positions WHERE empties = ? AND player = ? AND opponent = ?";
const PLY: &str = "SELECT * FROM positions WHERE empties = ? ORDER BY player, opponent";
const COUNT: &str = "SELECT COUNT(*) FROM positions WHERE empties = ?";

/// A book file. Positions are looked up for all their symmetric images.
#[derive(Debug)]
pub struct BookFile {
    path: PathBuf,
    connection: Mutex<Connection>,
}

impl PartialEq for BookFile {
    fn eq(&self, other: &BookFile) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for BookFile {}

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
    pub(super) path: &'a Path,
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
        match version {
            VERSION => {}
            1 => connection.execute_batch(VIEWS_OF_1).map_err(wrong)?,
            _ => {
                let why = format!("format version {version} of a book, this program has {VERSION}");
                return Err(FileError::refused(path, why));
            }
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
             PRAGMA user_version = {VERSION}; {TABLE} {} COMMIT",
            games::TABLES
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

    /// A copy of the embedded book in memory.
    pub fn embedded() -> Result<BookFile, FileError> {
        let path = Path::new("on");
        let connection = Connection::open_in_memory().map_err(|error| error_at(path, error))?;
        let tables = connection.execute_batch(&[TABLE, games::TABLES].concat());
        tables.map_err(|error| error_at(path, error))?;
        let book = BookFile::with(path, connection)?;
        book.write(|changes| {
            for (board, entry) in Compact::EMBEDDED.positions() {
                changes.put(&board, &entry)?;
            }
            recompute_all(changes, &HashMap::new())
        })?;
        Ok(book)
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
    pub fn get(&self, board: &Board) -> Result<Option<Entry>, FileError> {
        self.read(|connection| get(connection, &board.canonical()))
    }

    /// Reads all positions with this number of empty squares, in the order of their boards.
    pub fn ply(&self, empties: u32) -> Result<Vec<(Board, Entry)>, FileError> {
        self.read(|connection| ply(connection, empties))
    }

    /// Number of positions with this number of empty squares.
    pub fn count(&self, empties: u32) -> Result<u64, FileError> {
        self.read(|connection| {
            connection.query_row(COUNT, [empties], |row| Ok(row.get::<_, i64>(0)? as u64))
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
        let version: i32 = read_pragma(&changes.transaction, "user_version").map_err(wrong)?;
        if version == 1 {
            changes.upgrade()?;
        }
        let done = change(&changes)?;
        changes.transaction.commit().map_err(wrong)?;
        Ok(done)
    }

    pub(super) fn read<T>(
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
    /// Runs statements of the transaction.
    pub(super) fn run<T>(
        &self,
        statements: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, FileError> {
        statements(&self.transaction).map_err(|error| error_at(self.path, error))
    }

    /// Makes a book of version 1 one of version 2.
    fn upgrade(&self) -> Result<(), FileError> {
        self.run(|connection| connection.execute_batch(&NEW_TABLES.concat()))?;
        for empties in 0..=Board::START.empty_count() {
            for (board, entry) in self.ply(empties)? {
                self.put(&board, &entry)?;
            }
        }
        self.run(|connection| connection.execute_batch(NEW_ROWS))?;
        recompute_all(self, &HashMap::new())?;
        Ok(())
    }

    /// Looks up a board that is the smallest of its symmetric images.
    pub fn get(&self, board: &Board) -> Result<Option<Entry>, FileError> {
        self.run(|connection| get(connection, board))
    }

    /// Reads all positions with this number of empty squares, in the order of their boards.
    pub fn ply(&self, empties: u32) -> Result<Vec<(Board, Entry)>, FileError> {
        self.run(|connection| ply(connection, empties))
    }

    /// Stores the entry of a board that is the smallest of its symmetric images.
    pub fn put(&self, board: &Board, entry: &Entry) -> Result<(), FileError> {
        let [empties, player, opponent] = key_of(board);
        let leaf = entry.leaf;
        self.run(|connection| {
            connection.prepare_cached(PUT)?.execute(params![
                empties,
                player,
                opponent,
                entry.value.units(),
                entry.bounds.0,
                entry.bounds.1,
                entry.level,
                leaf.map(|leaf| leaf.square.index() as u8),
                leaf.map(|leaf| leaf.value.units()),
                leaf.map(|leaf| leaf.level),
                entry.lines.all,
                entry.lines.won,
                entry.lines.drawn,
                entry.lines.lost,
            ])
        })?;
        Ok(())
    }

    /// Removes the entry of a board that is the smallest of its symmetric images.
    pub fn remove(&self, board: &Board) -> Result<(), FileError> {
        self.run(|connection| connection.prepare_cached(REMOVE)?.execute(key_of(board)))?;
        Ok(())
    }
}

fn get(connection: &Connection, board: &Board) -> rusqlite::Result<Option<Entry>> {
    let mut statement = connection.prepare_cached(GET)?;
    statement.query_row(key_of(board), entry_of).optional()
}

fn ply(connection: &Connection, empties: u32) -> rusqlite::Result<Vec<(Board, Entry)>> {
    let mut statement = connection.prepare_cached(PLY)?;
    let rows = statement.query_map([empties], |row| Ok((board_of(row, 1)?, entry_of(row)?)))?;
    rows.collect()
}

/// The key of a board: number of empty squares, player and opponent.
pub(super) fn key_of(board: &Board) -> [i64; 3] {
    let Board { player, opponent } = board;
    [
        board.empty_count().into(),
        player.0 as i64,
        opponent.0 as i64,
    ]
}

/// The board in two columns from `column`.
pub(super) fn board_of(row: &Row, column: usize) -> rusqlite::Result<Board> {
    Ok(Board {
        player: Bitboard(row.get::<_, i64>(column)? as u64),
        opponent: Bitboard(row.get::<_, i64>(column + 1)? as u64),
    })
}

fn entry_of(row: &Row) -> rusqlite::Result<Entry> {
    let square = row.get::<_, Option<u8>>(7)?.and_then(Square::new);
    let leaf = square.map(|square| {
        let value = Value::from_units(row.get(8)?);
        Ok::<_, rusqlite::Error>(Leaf::new(square, value, row.get(9)?))
    });
    Ok(Entry {
        value: Value::from_units(row.get(3)?),
        bounds: (row.get(4)?, row.get(5)?),
        level: row.get(6)?,
        leaf: leaf.transpose()?,
        lines: Counts {
            all: row.get(10)?,
            won: row.get(11)?,
            drawn: row.get(12)?,
            lost: row.get(13)?,
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
