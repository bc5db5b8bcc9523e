//! [`BookFile`]: a book in a database. One process at a time writes, and others can read meanwhile.
//!
//! The write lock is the lock of `SQLite` (`BEGIN IMMEDIATE`). It belongs to the file itself, so it
//! also holds if another process opens the file by another path.

use std::io::{Error, ErrorKind};
use std::ops::Deref;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;

use emilia_files::FileError;
use emilia_files::database::{Database, Kind, pragma};
use parking_lot::Mutex;

/// The database of a book: the mark in the header of the file, the version, and the SQL of the
/// table. `value` and `leaf_value` are in 1/32 disc, `lower` and `upper` in discs. `player` and
/// `opponent` are bit sets of the smallest symmetric image, with a1 as bit 0. `checksum` covers the
/// other columns, because `SQLite` has no checksums.
const KIND: Kind = Kind {
    mark: *b"Emil",
    version: 3,
    tables: "
        CREATE TABLE positions (
            empties INTEGER NOT NULL, player INTEGER NOT NULL, opponent INTEGER NOT NULL,
            value INTEGER NOT NULL, lower INTEGER NOT NULL, upper INTEGER NOT NULL,
            level INTEGER NOT NULL,
            leaf_move INTEGER, leaf_value INTEGER, leaf_level INTEGER,
            lines INTEGER NOT NULL,
            lines_won INTEGER NOT NULL, lines_drawn INTEGER NOT NULL, lines_lost INTEGER NOT NULL,
            checksum INTEGER NOT NULL,
            PRIMARY KEY (empties, player, opponent)
        ) STRICT, WITHOUT ROWID",
    refused: "this is not a book of Emilia",
    advice: "give another book",
};

/// A book file. A position is found by any of its symmetric images.
#[derive(Debug)]
pub struct BookFile {
    database: Database,
    /// Result of [`commits_of_others`](Self::commits_of_others) when the book was reserved. `None`
    /// while the book is not reserved.
    reserved: Mutex<Option<i64>>,
    /// Set once an error of the file has been logged. The file is then not read again.
    unreadable: OnceLock<()>,
    /// Bit set of the plies that have been read without an error. Bit n is the ply with n empties.
    pub(super) checked_plies: AtomicU64,
}

impl PartialEq for BookFile {
    fn eq(&self, other: &BookFile) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for BookFile {}

impl Deref for BookFile {
    type Target = Database;

    fn deref(&self) -> &Database {
        &self.database
    }
}

/// The write lock of a book, from [`BookFile::reserve`]. Dropping it releases the lock.
#[derive(Debug)]
pub struct Reserved<'a>(&'a BookFile);

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        self.0.roll_back();
        *self.0.reserved.lock() = None;
    }
}

impl BookFile {
    /// Opens a book for reading and writing, or for reading only if the file is write-protected.
    ///
    /// # Errors
    /// If the file does not exist, is not a book, or is damaged.
    pub fn open(path: &Path) -> Result<BookFile, FileError> {
        Ok(BookFile::of(Database::open_existing(&KIND, path)?))
    }

    /// Opens the book, or creates an empty book if the file does not exist.
    ///
    /// # Errors
    /// If the file is not a book, is damaged or cannot be written.
    pub fn open_or_create(path: &Path) -> Result<BookFile, FileError> {
        Ok(BookFile::of(Database::open(&KIND, path)?))
    }

    /// Creates an empty book.
    ///
    /// # Errors
    /// If the file exists or cannot be written.
    pub fn create(path: &Path) -> Result<BookFile, FileError> {
        if path.exists() {
            let error = Error::new(ErrorKind::AlreadyExists, "the file exists");
            return Err(FileError::new(path, error));
        }
        BookFile::open_or_create(path)
    }

    /// Creates an empty book in memory.
    pub(super) fn in_memory() -> Result<BookFile, FileError> {
        Ok(BookFile::of(Database::in_memory(&KIND, Path::new("on"))?))
    }

    fn of(database: Database) -> BookFile {
        BookFile {
            database,
            reserved: Mutex::new(None),
            unreadable: OnceLock::new(),
            checked_plies: AtomicU64::new(0),
        }
    }

    /// Takes the write lock of the book, until the result is dropped or the process ends.
    /// Other processes can still read the book.
    ///
    /// # Errors
    /// If another process writes to the book, or if the book cannot be written or is damaged.
    pub fn reserve(&self) -> Result<Reserved<'_>, FileError> {
        self.begin()?;
        let reserved = Reserved(self);
        *self.reserved.lock() = Some(self.commits_of_others()?);
        self.check_pages()?;
        Ok(reserved)
    }

    /// Runs `change` in a transaction, and commits the transaction if `change` succeeds. Reserves
    /// the book for the transaction, unless the book is reserved already.
    ///
    /// # Errors
    /// If `change` fails, another process writes to the book, or the file cannot be written. The
    /// book is then unchanged.
    pub fn write<T>(&self, change: impl FnOnce() -> Result<T, FileError>) -> Result<T, FileError> {
        let connection = self.lock();
        let is_reserved = self.reserved.lock().is_some();
        let _reserved = (!is_reserved).then(|| self.reserve()).transpose()?;
        if connection.is_autocommit() {
            self.begin()?;
        }
        let write = || {
            // Another process may have written between two transactions of this process.
            if *self.reserved.lock() != Some(self.commits_of_others()?) {
                let why = "another program is writing to it";
                return Err(FileError::refused(self.path(), why));
            }
            let done = change()?;
            self.run(|connection| connection.execute_batch("COMMIT"))?;
            Ok(done)
        };
        let done = write();
        self.roll_back();
        // Begins the next transaction at once, to keep the lock. If another process takes the lock
        // first, only the next transaction fails.
        let _ = self.begin();
        done
    }

    /// Rolls back the open transaction, if there is one.
    fn roll_back(&self) {
        let connection = self.lock();
        if !connection.is_autocommit() {
            // If this fails, the file is unchanged, and the lock ends with the connection.
            let _ = connection.execute_batch("ROLLBACK");
        }
    }

    /// Returns a counter that changes when another connection commits to the file.
    fn commits_of_others(&self) -> Result<i64, FileError> {
        self.run(|connection| pragma(connection, "data_version"))
    }

    /// Calls `result` and returns its value, or the default value if it fails. Logs the first
    /// error. After an error, `result` is not called again, and the default value is returned.
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
