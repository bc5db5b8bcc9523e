//! `BookFile`: a book in an `SQLite` database. One process writes, others read meanwhile.
//!
//! The write lock is `SQLite`'s (`BEGIN IMMEDIATE`), so it belongs to the file, whatever
//! path leads to it. The journal is a rollback journal: it exists only while a transaction is
//! written, readers need no write access, and a process that is killed leaves the old content.

use std::cell::Cell;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use parking_lot::ReentrantMutex;
use rusqlite::backup::NO_PROGRESS;
use rusqlite::{Connection, ErrorCode, MAIN_DB, OpenFlags, ffi};

use super::compact::Compact;
use super::graph::recompute_all;
use super::positions;
use emilia_files::FileError;

/// Mark of Emilia's books in the header of an `SQLite` file: the bytes `Emil`.
const APPLICATION_ID: i32 = i32::from_be_bytes(*b"Emil");

/// Version of the tables.
const VERSION: i32 = 3;

/// How long a reader or a commit waits for the other side.
const BUSY: Duration = Duration::from_secs(10);

/// Settings of a connection: 32 MiB for pages. Changes stay in memory until the commit, so that
/// readers wait for the commit alone. Cells of damaged pages are checked.
const SET_UP: &str = "PRAGMA cache_size = -32768; PRAGMA cache_spill = OFF; \
                      PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF";

const FOREIGN: &str = "this is not a book of Emilia";
const DAMAGED: &str = "the book is damaged; use a copy of it";
const EMPTY: &str = "the file is empty; remove it, and 'emilia book new' makes a book";
const WRITTEN: &str = "another program is writing the book; wait for it, or give another book";
const INTERRUPTED: &str =
    "a crash interrupted a writer of the book; open it once where it may be written";
const MOVED: &str =
    "the book was moved, removed or replaced while it was written; it is written no more";

/// A book file. Positions are looked up for all their symmetric images.
#[derive(Debug)]
pub struct BookFile {
    path: PathBuf,
    state: ReentrantMutex<State>,
    /// Set when an error of the file has been logged.
    unreadable: OnceLock<()>,
    /// Bit set of the plies that were read without an error, by number of empty squares.
    pub(super) checked_plies: AtomicU64,
}

#[derive(Debug)]
struct State {
    connection: Connection,
    /// While the book is reserved: the counter that the commits of others change.
    reserved: Cell<Option<i64>>,
}

impl PartialEq for BookFile {
    fn eq(&self, other: &BookFile) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for BookFile {}

/// The write lock, which [`BookFile::reserve`] takes.
#[derive(Debug)]
pub struct Reserved<'a>(&'a BookFile);

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        let state = self.0.state.lock();
        end(&state.connection);
        state.reserved.set(None);
    }
}

impl BookFile {
    /// Opens a book for reading and writing, or for reading alone if the file is write-protected.
    ///
    /// # Errors
    /// If the file does not exist, is not a book, or is damaged.
    pub fn open(path: &Path) -> Result<BookFile, FileError> {
        let real = fs::canonicalize(path).map_err(|error| FileError::new(path, error))?;
        emilia_files::check_plain(path)?;
        let connection = connect(&real, OpenFlags::SQLITE_OPEN_READ_WRITE);
        let connection = connection.map_err(|error| error_at(path, error))?;
        let book = BookFile::with(path, connection);
        let (id, version, pages) = book.run(|connection| {
            let id: i32 = read_pragma(connection, "application_id")?;
            let version: i32 = read_pragma(connection, "user_version")?;
            let pages: i64 = read_pragma(connection, "page_count")?;
            Ok((id, version, pages))
        })?;
        if pages == 0 {
            return Err(FileError::refused(path, EMPTY));
        }
        if id != APPLICATION_ID {
            return Err(FileError::refused(path, FOREIGN));
        }
        if version != VERSION {
            let why = format!(
                "the book has format version {version}, this program reads {VERSION}; export it to \
                 .dat with the Emilia that wrote it"
            );
            return Err(FileError::refused(path, why));
        }
        let schema = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL";
        let found: Vec<String> = book.run(|connection| {
            let mut schema = connection.prepare(schema)?;
            schema.query_map([], |row| row.get(0))?.collect()
        })?;
        if !words(&found.join("; ")).eq(words(positions::TABLE)) {
            return Err(FileError::refused(path, DAMAGED));
        }
        Ok(book)
    }

    fn with(path: &Path, connection: Connection) -> BookFile {
        BookFile {
            path: path.to_owned(),
            state: ReentrantMutex::new(State {
                connection,
                reserved: Cell::new(None),
            }),
            unreadable: OnceLock::new(),
            checked_plies: AtomicU64::new(0),
        }
    }

    /// Creates an empty book.
    ///
    /// # Errors
    /// If the file exists or cannot be written.
    pub fn create(path: &Path) -> Result<BookFile, FileError> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| FileError::new(folder, error))?;
        }
        let target = emilia_files::target(path);
        File::create_new(&target).map_err(|error| FileError::new(path, error))?;
        let created = connect(&target, OpenFlags::SQLITE_OPEN_READ_WRITE).and_then(|connection| {
            begin(&connection)?;
            connection.execute_batch(&set_up())?;
            connection.execute_batch("COMMIT")
        });
        created.map_err(|error| error_at(path, error))?;
        BookFile::open(path)
    }

    /// Opens the book, or creates it if the file does not exist.
    ///
    /// # Errors
    /// Those of [`open`](Self::open) and [`create`](Self::create).
    pub fn open_or_create(path: &Path) -> Result<BookFile, FileError> {
        match BookFile::open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => BookFile::create(path),
            opened => opened,
        }
    }

    /// Creates an empty book in memory.
    pub(super) fn in_memory() -> Result<BookFile, FileError> {
        let path = Path::new("on");
        let connection = Connection::open_in_memory().map_err(|error| error_at(path, error))?;
        let book = BookFile::with(path, connection);
        book.run(|connection| connection.execute_batch(&set_up()))?;
        Ok(book)
    }

    /// A copy of the embedded book in memory.
    pub fn embedded() -> Result<BookFile, FileError> {
        let book = BookFile::in_memory()?;
        book.write(|| {
            for (board, entry) in Compact::EMBEDDED.positions() {
                book.put(&board, &entry)?;
            }
            recompute_all(&book, &HashMap::new())
        })?;
        Ok(book)
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reserves the book for one writer, until the result is dropped or the process ends.
    /// Other processes can still read the book.
    ///
    /// # Errors
    /// If another process writes to the book, the book cannot be written, or it is damaged.
    pub fn reserve(&self) -> Result<Reserved<'_>, FileError> {
        let commits = self.run(|connection| {
            begin(connection)?;
            commits_of_others(connection)
        })?;
        self.state.lock().reserved.set(Some(commits));
        let reserved = Reserved(self);
        self.check_pages()?;
        Ok(reserved)
    }

    /// Runs `change` in a transaction, and commits it if `change` succeeds. Reserves the book for
    /// the transaction unless it is reserved.
    ///
    /// # Errors
    /// The error of `change`, or that the file cannot be written. The book is then unchanged.
    pub fn write<T>(&self, change: impl FnOnce() -> Result<T, FileError>) -> Result<T, FileError> {
        let state = self.state.lock();
        let _reserved = match state.reserved.get() {
            None => Some(self.reserve()?),
            Some(_) => None,
        };
        if state.connection.is_autocommit() {
            self.run(begin)?;
        }
        let write = || {
            // Another process may have written between two transactions.
            if state.reserved.get() != Some(self.run(commits_of_others)?) {
                return Err(FileError::refused(&self.path, WRITTEN));
            }
            let done = change()?;
            self.run(|connection| connection.execute_batch("COMMIT"))?;
            Ok(done)
        };
        let done = write();
        end(&state.connection);
        // The next transaction begins now. If another process was faster, that is an error of the
        // next transaction only.
        let _ = begin(&state.connection);
        done
    }

    /// Runs statements.
    pub(super) fn run<T>(
        &self,
        statements: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, FileError> {
        statements(&self.state.lock().connection).map_err(|error| error_at(&self.path, error))
    }

    /// Checks the pages of the whole file.
    ///
    /// # Errors
    /// If one is damaged.
    pub fn check_pages(&self) -> Result<(), FileError> {
        match &*self.run(|connection| read_pragma::<String>(connection, "quick_check"))? {
            "ok" => Ok(()),
            _ => Err(FileError::refused(&self.path, DAMAGED)),
        }
    }

    /// Writes a copy of the book to `path`, which keeps its old content until the copy is whole.
    ///
    /// # Errors
    /// If the book is damaged, the copy cannot be written, or the old content is not a book or is
    /// written by another process.
    pub fn copy_to(&self, path: &Path) -> Result<(), FileError> {
        emilia_files::check_plain(path)?;
        let copied = (self.state.lock().connection).backup(MAIN_DB, path, NO_PROGRESS);
        copied.map_err(|error| error_at(path, error))
    }

    /// Returns `result`. Logs the first error. From then on it returns the default.
    pub(super) fn unless_unreadable<T: Default>(
        &self,
        result: impl FnOnce() -> Result<T, FileError>,
    ) -> T {
        if self.unreadable.get().is_some() {
            return T::default();
        }
        result().unwrap_or_else(|error| {
            self.unreadable
                .get_or_init(|| log::error!("no book is used any more: {error}"));
            T::default()
        })
    }
}

/// The statements that make an empty database a book.
fn set_up() -> String {
    let table = positions::TABLE;
    format!("PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION}; {table}")
}

/// The words of SQL, because white space in the schema of a book has no meaning.
fn words(sql: &str) -> impl Iterator<Item = &str> {
    sql.split_whitespace()
}

/// Starts a transaction that holds the write lock, which it does not wait for.
fn begin(connection: &Connection) -> rusqlite::Result<()> {
    if connection.is_readonly("main")? {
        let error = ffi::Error::new(ffi::SQLITE_READONLY);
        return Err(rusqlite::Error::SqliteFailure(error, None));
    }
    connection.busy_timeout(Duration::ZERO)?;
    let begun = connection.execute_batch("BEGIN IMMEDIATE");
    connection.busy_timeout(BUSY)?;
    begun
}

/// Undoes a transaction that is not committed, if there is one.
fn end(connection: &Connection) {
    if !connection.is_autocommit() {
        // The file is unchanged, and its lock ends with the connection at the latest.
        let _ = connection.execute_batch("ROLLBACK");
    }
}

fn connect(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    connection.execute_batch(SET_UP)?;
    Ok(connection)
}

/// A counter that changes if another connection has written to the file.
fn commits_of_others(connection: &Connection) -> rusqlite::Result<i64> {
    read_pragma(connection, "data_version")
}

fn read_pragma<T: rusqlite::types::FromSql>(
    connection: &Connection,
    name: &str,
) -> rusqlite::Result<T> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}

/// The error that a row is not one that this program writes.
pub(super) fn damaged() -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(DAMAGED.into())
}

/// Adds the path to an error of `SQLite`.
fn error_at(path: &Path, error: rusqlite::Error) -> FileError {
    let Some(failure) = error.sqlite_error() else {
        // A column does not have the expected type.
        return FileError::refused(path, DAMAGED);
    };
    let why = match (failure.code, failure.extended_code) {
        (_, ffi::SQLITE_READONLY_DBMOVED) => MOVED,
        (_, ffi::SQLITE_READONLY_ROLLBACK) => INTERRUPTED,
        (ErrorCode::CannotOpen, _) if path.exists() => INTERRUPTED,
        (ErrorCode::NotADatabase, _) => FOREIGN,
        (ErrorCode::DatabaseCorrupt, _) => DAMAGED,
        (ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked, _) => WRITTEN,
        (ErrorCode::DiskFull, _) => return FileError::new(path, ErrorKind::StorageFull.into()),
        (ErrorCode::ReadOnly, _) => {
            return FileError::new(path, ErrorKind::PermissionDenied.into());
        }
        _ => return FileError::new(path, Error::other(error)),
    };
    FileError::refused(path, why)
}
