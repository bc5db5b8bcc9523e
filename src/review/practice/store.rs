//! [`Store`]: exercises and all answers in an `SQLite` file.
//!
//! Every change is one transaction, so that a process that is killed loses no answer. Several
//! processes may use the file at the same time. Rows that cannot be read are left out.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{
    Connection, ErrorCode, OptionalExtension, Params, Row, TransactionBehavior, params,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::records::read;
use super::{Added, AnswerKey, Exercise};
use emilia_core::board::{Board, Sentence};
use emilia_files::FileError;

/// Mark of the file in the header of an `SQLite` file: the bytes `EmPr`.
const APPLICATION_ID: i32 = i32::from_be_bytes(*b"EmPr");

/// Version of the tables. Version 0 had a column for each field.
const VERSION: i32 = 1;

/// First bytes of every `SQLite` file.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// How long a writer waits for another one. A transaction takes milliseconds.
const BUSY: Duration = Duration::from_secs(1);

/// `games`: exercises of a game, by the game and its analysis. `exercises`: exercises with their
/// answers as JSON. `player` and `opponent` are bit sets of the smallest symmetric image, with a1
/// as bit 0. `answer_key` is NULL before the first search.
const TABLES: &str = "
    CREATE TABLE games (key TEXT PRIMARY KEY, mistakes TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE exercises (
        id INTEGER PRIMARY KEY, player INTEGER NOT NULL, opponent INTEGER NOT NULL,
        line TEXT NOT NULL, answer_key TEXT,
        UNIQUE (player, opponent)
    ) STRICT";

/// File of the exercises and answers of a user.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
}

impl Store {
    /// Opens the file, or creates it and its folder.
    ///
    /// # Errors
    /// If the file cannot be read and written, or is not a file of exercises.
    pub fn open(path: &Path) -> Result<Store, FileError> {
        let failed = |error: io::Error| unusable(path, error);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        emilia_files::check_plain(path)?;
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
        let opened = || {
            let mut connection = Connection::open(path)?;
            connection.busy_timeout(BUSY)?;
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let pragma = |name| transaction.pragma_query_value(None, name, |row| row.get(0));
            let (id, version): (i32, i32) = (pragma("application_id")?, pragma("user_version")?);
            let count = "SELECT COUNT(*) FROM sqlite_schema";
            let tables: u32 = transaction.query_row(count, [], |row| row.get(0))?;
            let is_own = tables == 0 || (id, version) == (APPLICATION_ID, VERSION);
            if tables == 0 {
                transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
                transaction.pragma_update(None, "user_version", VERSION)?;
                transaction.execute_batch(TABLES)?;
            }
            transaction.commit()?;
            Ok(is_own.then_some(connection))
        };
        let mut connection = None;
        if SQLITE.starts_with(&start) {
            connection = opened().map_err(|error| error_at(path, error))?;
        }
        Ok(Store {
            path: path.to_owned(),
            connection: connection.ok_or_else(|| FileError::refused(path, NO_PRACTICE))?,
        })
    }

    /// Adds the path to an error.
    fn at_path<T>(&self, result: rusqlite::Result<T>) -> Result<T, FileError> {
        result.map_err(|error| error_at(&self.path, error))
    }

    /// Returns the exercises of a game that was analysed before.
    pub(super) fn of_game(&self, key: &str) -> Result<Option<Vec<Exercise>>, FileError> {
        self.json("SELECT mistakes FROM games WHERE key = ?", [key])
    }

    /// Stores the exercises of an analysed game.
    pub(super) fn set_of_game(&mut self, key: &str, found: &[Exercise]) -> Result<(), FileError> {
        let put = "INSERT OR REPLACE INTO games VALUES (?, ?)";
        let put = || (self.connection).execute(put, params![key, text(&found)?]);
        self.at_path(put())?;
        Ok(())
    }

    /// Adds the exercises and answers that the file does not have.
    pub fn add(&mut self, exercises: &[Exercise]) -> Result<Added, FileError> {
        let add = |connection: &mut Connection| {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut added = Added::default();
            for new in exercises {
                let get = "SELECT line FROM exercises WHERE player = ? AND opponent = ?";
                let mut get = transaction.prepare_cached(get)?;
                let [player, opponent] = columns(&new.key());
                let line = get
                    .query_row([player, opponent], |row| row.get(0))
                    .optional()?;
                let own = line.and_then(|line: String| read(line.as_bytes()).ok());
                if let Some(exercise) = added.add(own, new) {
                    let put = "INSERT INTO exercises (player, opponent, line) VALUES (?, ?, ?) \
                               ON CONFLICT DO UPDATE SET line = excluded.line";
                    let mut put = transaction.prepare_cached(put)?;
                    put.execute(params![player, opponent, text(&exercise)?])?;
                }
            }
            transaction.commit()?;
            Ok(added)
        };
        let added = add(&mut self.connection);
        self.at_path(added)
    }

    /// Returns all exercises, the oldest first.
    ///
    /// # Errors
    /// If the file cannot be read or a row is damaged.
    pub fn all(&self) -> Result<Vec<Exercise>, FileError> {
        let all = || {
            let get = "SELECT line FROM exercises ORDER BY id";
            let mut statement = self.connection.prepare(get)?;
            let lines = statement.query_map([], |row| row.get(0))?;
            lines.collect::<rusqlite::Result<Vec<String>>>()
        };
        let damaged = |_| FileError::refused(&self.path, DAMAGED);
        let lines = self.at_path(all())?.into_iter();
        lines
            .map(|line| read(line.as_bytes()).map_err(damaged))
            .collect()
    }

    /// Returns a result that was stored as JSON. An unreadable one counts as missing.
    fn json<T: DeserializeOwned>(
        &self,
        get: &str,
        key: impl Params,
    ) -> Result<Option<T>, FileError> {
        let text = |row: &Row| Ok(row.get::<_, String>(0).ok());
        let found = self.connection.query_row(get, key, text).optional();
        let text = self.at_path(found)?.flatten();
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// Returns the key of an exercise, if it was searched with these limits before.
    pub fn answer_key(&self, key: &Board, limits: &str) -> Result<Option<AnswerKey>, FileError> {
        let get = "SELECT answer_key FROM exercises WHERE player = ? AND opponent = ?";
        let found: Option<AnswerKey> = self.json(get, columns(key))?;
        Ok(found.filter(|found| found.limits == limits))
    }

    /// Stores the key of an exercise.
    pub fn set_answer_key(&mut self, key: &Board, found: &AnswerKey) -> Result<(), FileError> {
        let put = "UPDATE exercises SET answer_key = ? WHERE player = ? AND opponent = ?";
        let [player, opponent] = columns(key);
        let put = || (self.connection).execute(put, params![text(found)?, player, opponent]);
        self.at_path(put())?;
        Ok(())
    }
}

/// Returns the columns of [`Exercise::key`].
fn columns(key: &Board) -> [i64; 2] {
    [key.player.0, key.opponent.0].map(u64::cast_signed)
}

/// Returns a value as JSON. A failure is an error of the parameter.
fn text(value: &impl Serialize) -> rusqlite::Result<String> {
    serde_json::to_string(value)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

const NO_PRACTICE: &str = "it is not a file of 'emilia practice' of this version";

const DAMAGED: &str = "the file is damaged";

/// Adds the path to an error of `SQLite`.
fn error_at(path: &Path, error: rusqlite::Error) -> FileError {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => FileError::refused(path, NO_PRACTICE),
        Some(ErrorCode::DatabaseCorrupt) => {
            FileError::refused(path, Sentence::new("damaged", DAMAGED))
        }
        Some(ErrorCode::DatabaseBusy) => {
            let why = Sentence::new("in-use", "another program is writing to it");
            FileError::new(path, io::Error::other(why))
        }
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly) => unusable(path, error),
        _ => FileError::new(path, io::Error::other(error)),
    }
}

/// Adds the path and what to do to an error of opening the file.
fn unusable(path: &Path, error: impl Display) -> FileError {
    let why = format!("{error}: choose another file with --state FILE");
    FileError::new(path, io::Error::other(why))
}
