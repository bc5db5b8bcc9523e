//! `Database`: the `SQLite` file of a book. One process writes, others read meanwhile.
//!
//! The write lock is the one of `SQLite` (`BEGIN IMMEDIATE`), so it belongs to the file, whatever
//! path leads to it. The journal is a rollback journal: it exists only while a transaction is
//! written, readers need no write access, and a process that is killed leaves the old content.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, ffi};

use emilia_files::{FileError, Identity, Replacement};

/// Mark of Emilia's books in the header of an `SQLite` file: the bytes `Emil`.
const APPLICATION_ID: i32 = i32::from_be_bytes(*b"Emil");

/// How long a reader or a commit waits for the other side.
const BUSY: Duration = Duration::from_secs(10);

/// Settings of a connection: 32 MiB for pages. Changes stay in memory until the commit, so that
/// readers wait for the commit alone. Cells of damaged pages are checked.
const SET_UP: &str = "PRAGMA cache_size = -32768; PRAGMA cache_spill = OFF; \
                      PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF";

/// Ends the write-ahead log that books of version 1 have. The exclusive mode does without the
/// shared memory of the log, which ends the process if another one truncates it.
const END_LOG: &str = "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; \
                       PRAGMA locking_mode = NORMAL";

const FOREIGN: &str = "this is no book of Emilia";
const DAMAGED: &str = "the book is damaged; use a copy of it";
const WRITTEN: &str = "another program is writing the book; wait for it, or give another book";
const INTERRUPTED: &str =
    "a crash interrupted a writer of the book; open it once where it may be written";
const MOVED: &str =
    "the book was moved, removed or replaced while it was written; it is written no more";

/// The file of a book.
#[derive(Debug)]
pub(super) struct Database {
    path: PathBuf,
    /// The path without links, and the file that it led to. `None` in memory.
    opened: Option<(PathBuf, Identity)>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    connection: Connection,
    /// While the book is reserved: the counter that the commits of others change.
    reserved: Option<i64>,
}

/// The write lock, which [`Database::reserve`] takes.
#[derive(Debug)]
pub struct Reserved<'a>(&'a Database);

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        end(&state.connection);
        state.reserved = None;
    }
}

impl Database {
    /// Opens a book, and returns the version of its format.
    pub(super) fn open(path: &Path) -> Result<(Database, i32), FileError> {
        let wrong = |error| FileError::new(path, error);
        let real = fs::canonicalize(path).map_err(wrong)?;
        if !fs::metadata(&real).map_err(wrong)?.is_file() {
            return Err(FileError::refused(path, emilia_files::NOT_PLAIN));
        }
        let identity = Identity::of(&real);
        let opened = connect(&real, OpenFlags::SQLITE_OPEN_READ_WRITE).and_then(|connection| {
            let id: i32 = read_pragma(&connection, "application_id")?;
            let version = read_pragma(&connection, "user_version")?;
            let pages: i64 = read_pragma(&connection, "page_count")?;
            Ok((connection, id, version, pages))
        });
        let (connection, id, version, pages) = opened.map_err(|error| error_at(path, error))?;
        if pages == 0 {
            let why = "the file is empty; 'emilia book new' makes it a book";
            return Err(wrong(std::io::Error::new(
                std::io::ErrorKind::NotFound,
                why,
            )));
        }
        if id != APPLICATION_ID {
            return Err(FileError::refused(path, FOREIGN));
        }
        Ok((
            Database::with(path, Some((real, identity)), connection),
            version,
        ))
    }

    fn with(path: &Path, opened: Option<(PathBuf, Identity)>, connection: Connection) -> Database {
        Database {
            path: path.to_owned(),
            opened,
            state: Mutex::new(State {
                connection,
                reserved: None,
            }),
        }
    }

    /// Creates a book in memory. `path` is for messages.
    pub(super) fn in_memory(
        path: &Path,
        version: i32,
        tables: &str,
    ) -> Result<Database, FileError> {
        let connection = Connection::open_in_memory().and_then(|connection| {
            connection.execute_batch(&set_up(version, tables))?;
            Ok(connection)
        });
        let connection = connection.map_err(|error| error_at(path, error))?;
        Ok(Database::with(path, None, connection))
    }

    /// Creates a book with these tables. One that was killed meanwhile left an empty file, which
    /// is free.
    pub(super) fn create(path: &Path, version: i32, tables: &str) -> Result<(), FileError> {
        let wrong = |error| error_at(path, error);
        let exists = || FileError::new(path, std::io::ErrorKind::AlreadyExists.into());
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| FileError::new(folder, error))?;
        }
        if fs::metadata(path).is_ok_and(|kind| !kind.is_file()) {
            return Err(exists());
        }
        let target = emilia_files::target(path);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let is_free = "SELECT application_id = 0 AND NOT EXISTS (SELECT * FROM sqlite_schema) \
                       FROM pragma_application_id";
        let connected = connect(&target, flags).and_then(|connection| {
            begin(&connection)?;
            let is_free: bool = connection.query_row(is_free, [], |row| row.get(0))?;
            Ok(is_free.then_some(connection))
        });
        let connection = match connected {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => None,
            connected => connected.map_err(wrong)?,
        };
        let connection = connection.ok_or_else(exists)?;
        let set_up = [&set_up(version, tables), "COMMIT"].concat();
        connection.execute_batch(&set_up).map_err(wrong)
    }

    /// Refuses the book if its schema is not that of `tables`, the statements that create it.
    pub(super) fn check_schema(&self, tables: &str) -> Result<(), FileError> {
        let words = |text: &str| {
            let words: Vec<&str> = text.split_whitespace().collect();
            words.join(" ").replacen("main.", "", 1)
        };
        let mut found: Vec<String> = self.read(|connection| {
            let mut statement = connection.prepare(
                "SELECT iif(type = 'table', sql, type) FROM sqlite_schema WHERE sql IS NOT NULL",
            )?;
            let rows = statement.query_map([], |row| Ok(words(&row.get::<_, String>(0)?)))?;
            rows.collect()
        })?;
        let tables = tables.split(';').map(words);
        let mut tables: Vec<String> = tables.filter(|table| !table.is_empty()).collect();
        found.sort_unstable();
        tables.sort_unstable();
        if found == tables {
            Ok(())
        } else {
            Err(FileError::refused(&self.path, DAMAGED))
        }
    }

    /// Takes the write lock, until the result is dropped or the process ends.
    /// Other processes can still read the book.
    ///
    /// # Errors
    /// If another process writes to the book, the book cannot be written, or it is damaged.
    pub(super) fn reserve(&self) -> Result<Reserved<'_>, FileError> {
        self.check_place()?;
        let mut state = self.lock();
        let begun = begin(&state.connection).and_then(|()| commits_of_others(&state.connection));
        state.reserved = Some(begun.map_err(|error| error_at(&self.path, error))?);
        drop(state);
        let reserved = Reserved(self);
        self.check_pages()?;
        Ok(reserved)
    }

    /// Checks the pages of the whole file.
    pub(super) fn check_pages(&self) -> Result<(), FileError> {
        let check = "PRAGMA quick_check(1)";
        let found: String =
            self.read(|connection| connection.query_row(check, [], |row| row.get(0)))?;
        if found == "ok" {
            Ok(())
        } else {
            Err(FileError::refused(&self.path, DAMAGED))
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn read<T>(
        &self,
        query: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, FileError> {
        query(&self.lock().connection).map_err(|error| error_at(&self.path, error))
    }

    /// Runs `change` in a transaction, and commits it if `change` succeeds. A write lock that
    /// was taken before is kept.
    pub(super) fn write<T>(
        &self,
        change: impl FnOnce(&Connection) -> Result<T, FileError>,
    ) -> Result<T, FileError> {
        let wrong = |error| error_at(&self.path, error);
        let state = self.lock();
        let State {
            connection,
            reserved,
        } = &*state;
        if connection.is_autocommit() {
            begin(connection).map_err(wrong)?;
        }
        let write = || {
            // Another process may have written between two transactions.
            if reserved.is_some() && *reserved != commits_of_others(connection).ok() {
                return Err(FileError::refused(&self.path, WRITTEN));
            }
            let done = change(connection)?;
            self.check_place()?;
            connection.execute_batch("COMMIT").map_err(wrong)?;
            Ok(done)
        };
        let done = write();
        end(connection);
        if reserved.is_some() {
            // The next transaction begins now. If another process was faster, that is an error of
            // the next transaction only.
            let _ = begin(connection);
        }
        done
    }

    /// Writes a copy of the book to `path`, which keeps its old content until the copy is whole.
    pub(super) fn copy_to(&self, path: &Path) -> Result<(), FileError> {
        let copy = Replacement::create(path)?;
        let Some([new, target]) = copy.names() else {
            return Err(FileError::refused(path, emilia_files::NOT_PLAIN));
        };
        let name = new.to_str();
        let name = name.ok_or_else(|| FileError::refused(path, "the path is not UTF-8"))?;
        self.read(|connection| connection.execute("VACUUM INTO ?", [name]))?;
        // The journal of an old book must not be left to the new one. Opening the old book ends a
        // transaction that a crash has interrupted, and the lock prevents another one.
        let old = Database::open(path).ok();
        if let Some((old, _)) = &old {
            begin(&old.lock().connection).map_err(|error| error_at(path, error))?;
        }
        for ending in ["-journal", "-wal"] {
            let journal = journal(target, ending);
            if journal.exists() && old.is_none() {
                let why =
                    "it belongs to an old file of this name; remove both, or give another name";
                return Err(FileError::refused(journal, why));
            }
            // The lock of the old book is held, so that its journal has no effect any more.
            let _ = fs::remove_file(journal);
        }
        copy.finish()
    }

    /// Checks that the path still leads to the file that was opened, and no other name does: the
    /// journal belongs to one name.
    fn check_place(&self) -> Result<(), FileError> {
        let Some((real, identity)) = &self.opened else {
            return Ok(());
        };
        if Identity::of(real) != *identity {
            return Err(FileError::refused(&self.path, MOVED));
        }
        if emilia_files::has_other_names(real) {
            let why = "the book has a second name (a hard link), so that it cannot be written \
                       safely; remove one of them, or copy the book";
            return Err(FileError::refused(&self.path, why));
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The statements that make an empty database a book. Those of `tables` end with semicolons.
fn set_up(version: i32, tables: &str) -> String {
    format!("PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {version}; {tables} ")
}

/// Starts a transaction that holds the write lock, which it does not wait for.
fn begin(connection: &Connection) -> rusqlite::Result<()> {
    if connection.is_readonly("main")? {
        return Err(rusqlite::Error::SqliteFailure(
            ffi::Error::new(ffi::SQLITE_READONLY),
            None,
        ));
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

/// Opens the file at a path without links.
fn connect(real: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let connect = || {
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(real, flags)?;
        connection.busy_timeout(BUSY)?;
        connection.execute_batch(SET_UP)?;
        connection.execute_batch(END_LOG)?;
        Ok(connection)
    };
    match connect() {
        // The log of version 1 needs a folder that may be written. A file without one is whole.
        Err(rusqlite::Error::SqliteFailure(error, _))
            if error.code == ErrorCode::CannotOpen
                && real.exists()
                && !journal(real, "-wal").exists() =>
        {
            let name = real.as_os_str().as_encoded_bytes().iter();
            let encoded: Vec<String> = name.map(|byte| format!("%{byte:02X}")).collect();
            let uri = format!("file:{}?immutable=1", encoded.concat());
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
            let connection = Connection::open_with_flags(uri, flags)?;
            connection.execute_batch(SET_UP)?;
            Ok(connection)
        }
        connected => connected,
    }
}

/// The path of a journal beside the file.
fn journal(real: &Path, ending: &str) -> PathBuf {
    let mut path = real.as_os_str().to_owned();
    path.push(ending);
    path.into()
}

/// A counter that changes if another connection has written to the file.
fn commits_of_others(connection: &Connection) -> rusqlite::Result<i64> {
    read_pragma(connection, "data_version")
}

pub(super) fn read_pragma<T: rusqlite::types::FromSql>(
    connection: &Connection,
    name: &str,
) -> rusqlite::Result<T> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}

/// The error that a row is not one that this program writes.
pub(super) fn damaged() -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Null, DAMAGED.into())
}

/// Adds the path to an error of `SQLite`.
pub(super) fn error_at(path: &Path, error: rusqlite::Error) -> FileError {
    let why = match &error {
        rusqlite::Error::SqliteFailure(failure, _)
            if failure.extended_code == ffi::SQLITE_READONLY_DBMOVED =>
        {
            MOVED
        }
        rusqlite::Error::SqliteFailure(failure, _)
            if failure.extended_code == ffi::SQLITE_READONLY_ROLLBACK
                || failure.code == ErrorCode::CannotOpen && path.exists() =>
        {
            INTERRUPTED
        }
        rusqlite::Error::FromSqlConversionFailure(..)
        | rusqlite::Error::IntegralValueOutOfRange(..)
        | rusqlite::Error::InvalidColumnType(..) => DAMAGED,
        _ => match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => FOREIGN,
            Some(ErrorCode::DatabaseCorrupt) => DAMAGED,
            Some(ErrorCode::DiskFull) => {
                return FileError::new(path, std::io::ErrorKind::StorageFull.into());
            }
            Some(ErrorCode::ReadOnly) => {
                return FileError::new(path, std::io::ErrorKind::PermissionDenied.into());
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => WRITTEN,
            _ => return FileError::new(path, std::io::Error::other(error)),
        },
    };
    FileError::refused(path, why)
}
