//! `SQLite` files of a user: opened with a mark, so that no other database is written to.
//!
//! Every change is one transaction: a process that is killed loses nothing that was stored. Several
//! processes may use a file at the same time.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, TransactionBehavior};

use super::{FileError, check_plain};
use emilia_core::board::Sentence;

/// First bytes of every `SQLite` file.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// How long a writer waits for another one. A transaction takes milliseconds.
const BUSY: Duration = Duration::from_secs(1);

/// Why a damaged file is refused.
pub const DAMAGED: &str = "the file is damaged";

/// Kind of an `SQLite` file: its mark, its tables and the sentences of its errors.
#[derive(Debug)]
pub struct Database {
    /// Mark in the header of the file, four letters.
    pub mark: [u8; 4],
    /// Version of the tables.
    pub version: i32,
    /// Statements that create the tables.
    pub tables: &'static str,
    /// Why a file of another kind or version is refused.
    pub refused: &'static str,
    /// What to do if the file cannot be used.
    pub advice: &'static str,
}

impl Database {
    /// Opens the file, or creates it and its folder.
    ///
    /// # Errors
    /// If the file cannot be read and written, or is of another kind.
    pub fn open(&self, path: &Path) -> Result<Connection, FileError> {
        let failed = |error: io::Error| self.unusable(path, error);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        check_plain(path)?;
        // A file shorter than a header counts as empty for SQLite, and would be overwritten.
        let mut start = Vec::new();
        match File::open(path) {
            Ok(file) => {
                let read = file.take(SQLITE.len() as u64).read_to_end(&mut start);
                read.map_err(failed)?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(error)),
        }
        let mut connection = None;
        if SQLITE.starts_with(&start) {
            connection = (self.connect(path)).map_err(|error| self.error_at(path, error))?;
        }
        connection.ok_or_else(|| FileError::refused(path, self.refused))
    }

    /// Connects to a file, and creates the tables of an empty one. `None` if it is of another kind.
    fn connect(&self, path: &Path) -> rusqlite::Result<Option<Connection>> {
        let mark = i32::from_be_bytes(self.mark);
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(BUSY)?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let pragma = |name| transaction.pragma_query_value(None, name, |row| row.get(0));
        let (id, version): (i32, i32) = (pragma("application_id")?, pragma("user_version")?);
        let count = "SELECT COUNT(*) FROM sqlite_schema";
        let tables: u32 = transaction.query_row(count, [], |row| row.get(0))?;
        let is_own = tables == 0 || (id, version) == (mark, self.version);
        if tables == 0 {
            transaction.pragma_update(None, "application_id", mark)?;
            transaction.pragma_update(None, "user_version", self.version)?;
            transaction.execute_batch(self.tables)?;
        }
        transaction.commit()?;
        Ok(is_own.then_some(connection))
    }

    /// Adds the path to an error of `SQLite`.
    pub fn error_at(&self, path: &Path, error: rusqlite::Error) -> FileError {
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => FileError::refused(path, self.refused),
            Some(ErrorCode::DatabaseCorrupt) => {
                FileError::refused(path, Sentence::new("damaged", DAMAGED))
            }
            Some(ErrorCode::DatabaseBusy) => {
                let why = Sentence::new("in-use", "another program is writing to it");
                FileError::new(path, io::Error::other(why))
            }
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly) => self.unusable(path, error),
            _ => FileError::new(path, io::Error::other(error)),
        }
    }

    /// Adds the path and what to do to an error of opening the file.
    fn unusable(&self, path: &Path, error: impl Display) -> FileError {
        let why = format!("{error}: {}", self.advice);
        FileError::new(path, io::Error::other(why))
    }
}
