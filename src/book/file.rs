//! `BookFile`: a book in an `SQLite` database, one row for each position.
//!
//! Rows are ordered by number of empty squares, so that a ply of the book is one range of the
//! table. `Database` opens, locks and copies the file.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rusqlite::{Connection, OptionalExtension, Row, params_from_iter};

use super::compact::Compact;
use super::database::{Database, Reserved, damaged, error_at, read_pragma};
use super::entry::{Counts, Entry, Leaf};
use super::games;
use super::negamax::recompute_all;
use emilia_core::board::{Bitboard, Board, Square};
use emilia_core::eval::Value;
use emilia_core::eval::{NO_BYTES, checksum_after};
use emilia_files::FileError;

/// Version of the tables.
const VERSION: i32 = 2;

/// The table of searched positions. `value` and `leaf_value` are in 1/32 disc, `lower` and `upper`
/// in discs. `player` and `opponent` are bit sets with a1 as bit 0, of the smallest symmetric
/// image. `checksum` is that of the columns before it, because `SQLite` has none.
const TABLE: &str = "
    CREATE TABLE main.positions (
        empties INTEGER NOT NULL, player INTEGER NOT NULL, opponent INTEGER NOT NULL,
        value INTEGER NOT NULL, lower INTEGER NOT NULL, upper INTEGER NOT NULL,
        level INTEGER NOT NULL,
        leaf_move INTEGER, leaf_value INTEGER, leaf_level INTEGER,
        lines INTEGER NOT NULL,
        lines_won INTEGER NOT NULL, lines_drawn INTEGER NOT NULL, lines_lost INTEGER NOT NULL,
        checksum INTEGER NOT NULL,
        PRIMARY KEY (empties, player, opponent)
    ) STRICT, WITHOUT ROWID;";

/// Number of columns.
const COLUMNS: usize = 15;

/// The table of version 1.
pub(super) const TABLE_OF_1: &str = "
    CREATE TABLE positions (
        empties INTEGER NOT NULL, player INTEGER NOT NULL, opponent INTEGER NOT NULL,
        value INTEGER, lower INTEGER NOT NULL, upper INTEGER NOT NULL, level INTEGER NOT NULL,
        leaf_move INTEGER, leaf_value INTEGER, leaf_level INTEGER,
        lines INTEGER NOT NULL,
        lines_won INTEGER NOT NULL, lines_drawn INTEGER NOT NULL, lines_lost INTEGER NOT NULL,
        games_won INTEGER NOT NULL, games_drawn INTEGER NOT NULL, games_lost INTEGER NOT NULL,
        PRIMARY KEY (empties, player, opponent)
    ) STRICT, WITHOUT ROWID";

/// Version 1 kept games in the columns of a position, which had no value if only games held it.
/// These views show its table as those of version 2.
const VIEWS_OF_1: &str = "
    CREATE TEMP VIEW positions AS SELECT empties, player, opponent, value, lower, upper, level,
        leaf_move, leaf_value, leaf_level, lines, lines_won, lines_drawn, lines_lost,
        NULL AS checksum FROM main.positions WHERE value IS NOT NULL;
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

const GET: &str = "SELECT * FROM positions WHERE (empties, player, opponent) = (?, ?, ?)";
const PLY: &str = "SELECT * FROM positions WHERE empties >= ? ORDER BY empties, player, opponent";
const BEFORE_PLY: &str = "SELECT * FROM positions WHERE empties < ? \
                          ORDER BY empties DESC, player DESC, opponent DESC LIMIT 1";
const PUT: &str = "INSERT OR REPLACE INTO main.positions \
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
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

impl PartialEq for BookFile {
    fn eq(&self, other: &BookFile) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for BookFile {}

/// A write transaction. [`BookFile::write`] commits the transaction if its closure succeeds.
#[derive(Debug)]
pub struct Changes<'a> {
    pub(super) path: &'a Path,
    connection: &'a Connection,
}

impl BookFile {
    /// Opens a book for reading and writing, or for reading alone if the file is write-protected.
    ///
    /// # Errors
    /// If the file does not exist, is no book, or is damaged.
    pub fn open(path: &Path) -> Result<BookFile, FileError> {
        let (database, version) = Database::open(path)?;
        match version {
            VERSION => database.check_schema(&[TABLE, games::TABLES].concat())?,
            1 => {
                database.check_schema(TABLE_OF_1)?;
                database.read(|connection| connection.execute_batch(VIEWS_OF_1))?;
            }
            _ => {
                let why = format!("format version {version} of a book, this program has {VERSION}");
                return Err(FileError::refused(path, why));
            }
        }
        Ok(BookFile::with(database))
    }

    fn with(database: Database) -> BookFile {
        BookFile {
            database,
            is_unreadable: AtomicBool::new(false),
            checked_plies: AtomicU64::new(0),
        }
    }

    /// Creates an empty book.
    ///
    /// # Errors
    /// If the file exists or cannot be written.
    pub fn create(path: &Path) -> Result<BookFile, FileError> {
        Database::create(path, VERSION, &[TABLE, games::TABLES].concat())?;
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

    /// A copy of the embedded book in memory.
    pub fn embedded() -> Result<BookFile, FileError> {
        let tables = [TABLE, games::TABLES].concat();
        let book = BookFile::with(Database::in_memory(Path::new("on"), VERSION, &tables)?);
        book.write(|changes| {
            for (board, entry) in Compact::EMBEDDED.positions() {
                changes.put(&board, &entry)?;
            }
            recompute_all(changes, &HashMap::new())
        })?;
        Ok(book)
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

    /// Number of positions with this number of empty squares.
    pub fn count(&self, empties: u32) -> Result<u64, FileError> {
        Ok(self.ply(empties)?.len() as u64)
    }

    /// Writes what `change` puts and removes, all or nothing.
    ///
    /// # Errors
    /// The error of `change`, or that the file cannot be written. The book is then unchanged.
    pub fn write<T>(
        &self,
        change: impl FnOnce(&Changes) -> Result<T, FileError>,
    ) -> Result<T, FileError> {
        let path = self.path();
        self.database.write(|connection| {
            let changes = Changes { path, connection };
            if changes.run(|connection| read_pragma::<i32>(connection, "user_version"))? == 1 {
                changes.upgrade()?;
            }
            change(&changes)
        })
    }

    pub(super) fn read<T>(
        &self,
        query: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, FileError> {
        self.database.read(query)
    }
}

impl Changes<'_> {
    /// Runs statements of the transaction.
    pub(super) fn run<T>(
        &self,
        statements: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, FileError> {
        statements(self.connection).map_err(|error| error_at(self.path, error))
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
        let columns = params_from_iter(columns_of(board, entry));
        self.run(|connection| connection.prepare_cached(PUT)?.execute(columns))?;
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

/// The key of a board: number of empty squares, player and opponent.
pub(super) fn key_of(board: &Board) -> [i64; 3] {
    let Board { player, opponent } = board;
    let empties = board.empty_count().into();
    [empties, player.0 as i64, opponent.0 as i64]
}

/// The board in two columns from `column`.
pub(super) fn board_of(row: &Row, column: usize) -> rusqlite::Result<Board> {
    Ok(Board {
        player: Bitboard(row.get::<_, i64>(column)? as u64),
        opponent: Bitboard(row.get::<_, i64>(column + 1)? as u64),
    })
}

/// The columns of a row.
fn columns_of(board: &Board, entry: &Entry) -> [Option<i64>; COLUMNS] {
    let [empties, player, opponent] = key_of(board).map(Some);
    let (leaf, lines) = (entry.leaf, entry.lines);
    let mut columns = [
        empties,
        player,
        opponent,
        Some(entry.value.units().into()),
        Some(entry.bounds.0.into()),
        Some(entry.bounds.1.into()),
        Some(entry.level.into()),
        leaf.map(|leaf| leaf.square.index() as i64),
        leaf.map(|leaf| leaf.value.units().into()),
        leaf.map(|leaf| leaf.level.into()),
        Some(lines.all.into()),
        Some(lines.won.into()),
        Some(lines.drawn.into()),
        Some(lines.lost.into()),
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
    let board = board_of(row, 1)?;
    let square = row.get::<_, Option<u8>>(7)?.and_then(Square::new);
    let leaf = square.map(|square| {
        let value = value_of(row.get(8)?)?;
        Ok::<_, rusqlite::Error>(Leaf::new(square, value, row.get(9)?))
    });
    let entry = Entry {
        value: value_of(row.get(3)?)?,
        bounds: (row.get(4)?, row.get(5)?),
        level: row.get(6)?,
        leaf: leaf.transpose()?,
        lines: Counts {
            all: row.get(10)?,
            won: row.get(11)?,
            drawn: row.get(12)?,
            lost: row.get(13)?,
        },
    };
    let mut expected = columns_of(&board, &entry);
    if columns[COLUMNS - 1].is_none() {
        // Version 1 has no checksums, and 64 for a leaf that is known not to exist.
        expected[COLUMNS - 1] = None;
        columns[7] = columns[7].filter(|&square| square < 64);
    }
    if columns != expected || entry.fault(&board).is_some() {
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
