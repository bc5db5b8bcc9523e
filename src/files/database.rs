//! [`Database`]: an `SQLite` file with the tables of one [`Kind`]. Several processes may use it at
//! the same time.
//!
//! When a process closes any descriptor of a file, it loses all its locks on this file, including
//! those of `SQLite` (sqlite.org/howtocorrupt.html, 2.2). Therefore only `SQLite` opens a database
//! file, even to find out whether a file is a database. A process has one connection for each file,
//! which its threads share.
//!
//! Every change is one transaction. The journal mode is a rollback journal: the journal file exists
//! only during a transaction, readers need no write access, and a process that is killed loses
//! nothing that was committed.

use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use parking_lot::{ReentrantMutex, ReentrantMutexGuard};
use rusqlite::types::FromSql;
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior, ffi};

use super::{FileError, check_plain};
use emilia_core::board::Sentence;

/// Size in bytes of the header of an `SQLite` file. A shorter file that is not empty is refused
/// without opening it: `SQLite` would overwrite a file of one byte.
const HEADER: u64 = 100;

/// Longest wait of a statement for another process. A transaction takes milliseconds, and the
/// commit of a large book takes seconds.
const BUSY: Duration = Duration::from_secs(10);

/// Settings of a connection: a cache of 32 MiB for pages. Changes stay in memory until the commit,
/// so that other connections can read until then. `SQLite` checks the cells of each page, which
/// finds damaged files.
const SETTINGS: &str = "PRAGMA cache_size = -32768; PRAGMA cache_spill = OFF; \
                        PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF";

/// Error text for a damaged file.
pub const DAMAGED: &str = "the file is damaged";

const WRITTEN: &str = "another program is writing to it";
const INTERRUPTED: &str =
    "a crash interrupted a writer of it; open it once where it may be written";
const MOVED: &str = "it was moved, removed or replaced while it was open; it is written no more";

/// Kind of a database, such as a book: its mark, its tables and its error texts.
#[derive(Debug)]
pub struct Kind {
    /// Four letters in the header of the file (`application_id`).
    pub mark: [u8; 4],
    /// Version of the tables (`user_version`).
    pub version: i32,
    /// SQL statements that create the tables.
    pub tables: &'static str,
    /// Error text for a file of another kind.
    pub refused: &'static str,
    /// Advice for the user at the end of errors, if the file cannot be used.
    pub advice: &'static str,
}

/// An open database.
#[derive(Debug)]
pub struct Database {
    kind: &'static Kind,
    path: PathBuf,
    connection: ReentrantMutex<Connection>,
}

impl Database {
    /// Opens a file for reading and writing. If it does not exist, creates it and its folder.
    ///
    /// # Errors
    /// If the file cannot be used, or is of another kind or version.
    pub fn open(kind: &'static Kind, path: &Path) -> Result<Database, FileError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        fs::create_dir_all(folder).map_err(|error| kind.unusable(path, error))?;
        let database = Database::connect(kind, path, OpenFlags::SQLITE_OPEN_CREATE)?;
        if database.run(count_tables)? == 0 {
            // Another process may have created the tables meanwhile.
            database.write(|own| match count_tables(own)? {
                0 => own.execute_batch(&kind.set_up()),
                _ => Ok(()),
            })?;
        }
        database.check_kind()?;
        Ok(database)
    }

    /// Opens a file for reading and writing, or for reading only if it is write-protected.
    ///
    /// # Errors
    /// If the file does not exist, cannot be used, or is of another kind or version.
    pub fn open_existing(kind: &'static Kind, path: &Path) -> Result<Database, FileError> {
        fs::metadata(path).map_err(|error| FileError::new(path, error))?;
        let database = Database::connect(kind, path, OpenFlags::empty())?;
        database.check_kind()?;
        Ok(database)
    }

    fn connect(kind: &'static Kind, path: &Path, flags: OpenFlags) -> Result<Database, FileError> {
        check_plain(path)?;
        if fs::metadata(path).is_ok_and(|file| (1..HEADER).contains(&file.len())) {
            return Err(FileError::refused(path, kind.refused));
        }
        let flags = flags | OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags);
        Database::with(
            kind,
            path,
            connection.map_err(|error| kind.unusable(path, error))?,
        )
    }

    /// Creates a database in memory. Errors give `name` in place of a path.
    ///
    /// # Errors
    /// If memory is short.
    pub fn in_memory(kind: &'static Kind, name: &Path) -> Result<Database, FileError> {
        let opened = Connection::open_in_memory();
        let connection = opened.map_err(|error| error_at(kind, name, error))?;
        let database = Database::with(kind, name, connection)?;
        database.run(|own| own.execute_batch(&kind.set_up()))?;
        Ok(database)
    }

    fn with(
        kind: &'static Kind,
        path: &Path,
        connection: Connection,
    ) -> Result<Database, FileError> {
        let database = Database {
            kind,
            path: path.to_owned(),
            connection: ReentrantMutex::new(connection),
        };
        database.run(|own| {
            own.busy_timeout(BUSY)?;
            own.execute_batch(SETTINGS)
        })?;
        Ok(database)
    }

    /// Checks that the file has the mark, the version and the tables of its kind.
    fn check_kind(&self) -> Result<(), FileError> {
        let refused = |why: String| Err(FileError::refused(&self.path, why));
        let (mark, version): (i32, i32) =
            self.run(|own| Ok((pragma(own, "application_id")?, pragma(own, "user_version")?)))?;
        if mark != i32::from_be_bytes(self.kind.mark) {
            return refused(self.kind.refused.to_owned());
        }
        let expected = self.kind.version;
        if version != expected {
            return refused(format!(
                "it has format version {version}, this program reads {expected}: {}",
                self.kind.advice
            ));
        }
        let tables: Vec<String> = self.run(|own| {
            let get = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid";
            own.prepare(get)?.query_map([], |row| row.get(0))?.collect()
        })?;
        // White space does not matter in this comparison.
        let schema = tables.join("; ");
        let are_own = (schema.split_whitespace()).eq(self.kind.tables.split_whitespace());
        are_own.then_some(()).ok_or_else(|| damaged(&self.path))
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Locks the connection and returns it. Other threads wait until the guard is dropped.
    pub fn lock(&self) -> ReentrantMutexGuard<'_, Connection> {
        self.connection.lock()
    }

    /// Runs `statements` on the locked connection.
    ///
    /// # Errors
    /// If the file cannot be used, or is damaged.
    pub fn run<T>(
        &self,
        statements: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, FileError> {
        statements(&self.lock()).map_err(|error| error_at(self.kind, &self.path, error))
    }

    /// Runs `change` in a transaction, and commits it if `change` succeeds.
    ///
    /// # Errors
    /// The error of `change`, or an error if the file cannot be written. The file is then
    /// unchanged.
    pub fn write<T>(
        &self,
        change: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, FileError> {
        self.run(|own| {
            let transaction = Transaction::new_unchecked(own, TransactionBehavior::Immediate)?;
            let done = change(&transaction)?;
            transaction.commit()?;
            Ok(done)
        })
    }

    /// Starts a transaction, which the caller ends by `COMMIT` or `ROLLBACK`. Does not wait if
    /// another process is writing.
    ///
    /// # Errors
    /// If another process is writing to the file, or if the file cannot be written.
    pub fn begin(&self) -> Result<(), FileError> {
        self.run(|own| {
            if own.is_readonly("main")? {
                let error = ffi::Error::new(ffi::SQLITE_READONLY);
                return Err(rusqlite::Error::SqliteFailure(error, None));
            }
            own.busy_timeout(Duration::ZERO)?;
            let begun = own.execute_batch("BEGIN IMMEDIATE");
            own.busy_timeout(BUSY)?;
            begun
        })
    }

    /// Checks the structure of all pages of the file.
    ///
    /// # Errors
    /// If a page is damaged.
    pub fn check_pages(&self) -> Result<(), FileError> {
        match &*self.run(|own| pragma::<String>(own, "quick_check"))? {
            "ok" => Ok(()),
            _ => Err(damaged(&self.path)),
        }
    }

    /// Writes a copy of the database to `path`. The old content of `path` stays until the copy is
    /// complete.
    ///
    /// # Errors
    /// If this file is damaged, if the copy cannot be written, if the old content of `path` is not
    /// a database, or if another process is writing to `path`.
    pub fn copy_to(&self, path: &Path) -> Result<(), FileError> {
        check_plain(path)?;
        let copied = (self.lock()).backup(rusqlite::MAIN_DB, path, rusqlite::backup::NO_PROGRESS);
        copied.map_err(|error| error_at(self.kind, path, error))
    }
}

impl Kind {
    /// Creates the error of a file that cannot be opened, with its path and the advice for the
    /// user.
    fn unusable(&self, path: &Path, error: impl Display) -> FileError {
        FileError::refused(path, format!("{error}: {}", self.advice))
    }

    /// Returns the SQL statements that make an empty file a database of this kind.
    fn set_up(&self) -> String {
        let (mark, version) = (i32::from_be_bytes(self.mark), self.version);
        let tables = self.tables;
        format!("PRAGMA application_id = {mark}; PRAGMA user_version = {version}; {tables}")
    }
}

/// Returns whether a file is an `SQLite` database of any kind.
pub fn is_database(path: &Path) -> bool {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let is_long = |file: &fs::Metadata| file.is_file() && file.len() >= HEADER;
    if !fs::metadata(path).is_ok_and(|file| is_long(&file)) {
        return false;
    }
    let Ok(connection) = Connection::open_with_flags(path, flags) else {
        return false;
    };
    let read = pragma::<i32>(&connection, "application_id");
    let code = read.err().and_then(|error| error.sqlite_error_code());
    code != Some(ErrorCode::NotADatabase)
}

/// Returns the value of a pragma.
///
/// # Errors
/// If `SQLite` cannot read the file.
pub fn pragma<T: FromSql>(connection: &Connection, name: &str) -> rusqlite::Result<T> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}

fn count_tables(connection: &Connection) -> rusqlite::Result<u32> {
    let count = "SELECT COUNT(*) FROM sqlite_schema";
    connection.query_row(count, [], |row| row.get(0))
}

fn damaged(path: &Path) -> FileError {
    FileError::refused(path, Sentence::new("damaged", DAMAGED))
}

/// Adds the path to an error of `SQLite`.
fn error_at(kind: &Kind, path: &Path, error: rusqlite::Error) -> FileError {
    let Some(failure) = error.sqlite_error() else {
        // The error is not from `SQLite`: a row has content that this program does not write.
        return damaged(path);
    };
    let why = match (failure.code, failure.extended_code) {
        (_, ffi::SQLITE_READONLY_DBMOVED) => MOVED.into(),
        (_, ffi::SQLITE_READONLY_ROLLBACK) | (ErrorCode::CannotOpen, _) => INTERRUPTED.into(),
        (ErrorCode::NotADatabase, _) => kind.refused.into(),
        (ErrorCode::DatabaseCorrupt, _) => return damaged(path),
        (ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked, _) => {
            Sentence::new("in-use", WRITTEN)
        }
        (ErrorCode::ReadOnly, _) => return kind.unusable(path, error),
        _ => return FileError::new(path, io::Error::other(error)),
    };
    FileError::refused(path, why)
}
