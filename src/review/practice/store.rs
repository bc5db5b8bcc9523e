//! [`Store`]: exercises and all answers in an `SQLite` file.
//!
//! Every change is one transaction, so that a process that is killed loses no answer. Several
//! processes may use the file at the same time. Rows that cannot be read are left out.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, ToSql, TransactionBehavior, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::exercise::Mistake;
use super::records::Unread;
use super::{Answer, AnswerKey, Exercise};
use emilia_core::board::Square;
use emilia_files::FileError;

/// Mark of the file in the header of an `SQLite` file: the bytes `EmPr`.
const APPLICATION_ID: i32 = i32::from_be_bytes(*b"EmPr");

/// First bytes of every `SQLite` file.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// How long a writer waits for another one. A transaction takes milliseconds.
const BUSY: Duration = Duration::from_secs(1);

/// The tables. `key` names a game and its analysis. `player` and `opponent` are bit sets of the
/// smallest symmetric image, with a1 as bit 0. Moves are numbers of squares, losses are in discs,
/// and times in milliseconds since 1970. `answer_key` is NULL before the first search. Older files
/// have a column `card`, which is not used.
const TABLES: &str = "
    CREATE TABLE games (key TEXT PRIMARY KEY, mistakes TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE exercises (
        id INTEGER PRIMARY KEY, player INTEGER NOT NULL, opponent INTEGER NOT NULL,
        position TEXT NOT NULL, mistake INTEGER NOT NULL, best INTEGER NOT NULL,
        lost REAL NOT NULL, source TEXT NOT NULL, answer_key TEXT,
        UNIQUE (player, opponent)
    ) STRICT;
    CREATE TABLE answers (
        exercise INTEGER NOT NULL REFERENCES exercises (id),
        at INTEGER NOT NULL, move INTEGER NOT NULL, lost REAL NOT NULL, hinted INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX answers_of_exercise ON answers (exercise)";

const ADD: &str = "INSERT INTO exercises (player, opponent, position, mistake, best, lost, source) \
                   VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";

/// File of the exercises and answers of a user.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
}

/// Exercises of a file.
#[derive(Debug)]
pub struct Exercises {
    /// Those that can be read.
    pub all: Vec<Exercise>,
    /// Which rows cannot be read, and why.
    pub unread: Option<FileError>,
}

impl Store {
    /// Opens the file, or creates it and its folder.
    ///
    /// # Errors
    /// If the file cannot be read and written, or is no file of practice.
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
            let id: i32 =
                transaction.pragma_query_value(None, "application_id", |row| row.get(0))?;
            let count = "SELECT COUNT(*) FROM sqlite_schema";
            let tables: u32 = transaction.query_row(count, [], |row| row.get(0))?;
            if tables == 0 {
                transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
                transaction.execute_batch(TABLES)?;
            }
            transaction.commit()?;
            Ok((tables == 0 || id == APPLICATION_ID).then_some(connection))
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

    /// Returns the mistakes of a game that was analysed before.
    pub(super) fn mistakes(&self, key: &str) -> Result<Option<Vec<Mistake>>, FileError> {
        self.json("SELECT mistakes FROM games WHERE key = ?", key)
    }

    /// Stores the mistakes of an analysed game.
    pub(super) fn add_game(&mut self, key: &str, mistakes: &[Mistake]) -> Result<(), FileError> {
        self.set_json(
            "INSERT OR REPLACE INTO games VALUES (?2, ?1)",
            key,
            &mistakes,
        )
    }

    /// Adds the exercises that the file does not have.
    pub fn add(&mut self, exercises: &[Exercise]) -> Result<(), FileError> {
        let add = |connection: &mut Connection| {
            let transaction = connection.transaction()?;
            for exercise in exercises {
                let key = exercise.key();
                transaction.prepare_cached(ADD)?.execute(params![
                    key.player.0 as i64,
                    key.opponent.0 as i64,
                    exercise.position.to_string(),
                    exercise.mistake.index() as u8,
                    exercise.best.index() as u8,
                    exercise.lost,
                    exercise.source,
                ])?;
            }
            transaction.commit()
        };
        let added = add(&mut self.connection);
        self.at_path(added)
    }

    /// Returns all exercises with their answers.
    pub fn all(&self) -> Result<Exercises, FileError> {
        let mut unread = Vec::new();
        let columns = "position, mistake, best, lost, source";
        let all = self.rows("exercises", columns, exercise, &mut unread)?;
        let columns = "exercise, at, move, lost, hinted";
        let mut answers: BTreeMap<i64, Vec<Answer>> = BTreeMap::new();
        for (id, answer) in (self.rows("answers", columns, answer, &mut unread)?).into_values() {
            answers.entry(id).or_default().push(answer);
        }
        let all = all.into_iter();
        let all = all.map(|(id, one)| one.answered(answers.remove(&id).unwrap_or_default()));
        let more = match unread.len() {
            0 | 1 => String::new(),
            count => format!(" (and {} more)", count - 1),
        };
        let unread = unread.first();
        let unread = unread.map(|first| format!("left out, because it is damaged: {first}{more}"));
        Ok(Exercises {
            all: all.collect(),
            unread: unread.map(|why| FileError::refused(&self.path, why)),
        })
    }

    /// Reads a table, in the order of its rows. `unread` gets a sentence for each bad row. A damaged
    /// page ends a scan, so that the rows after it are read in a second one, from the end.
    fn rows<T>(
        &self,
        table: &str,
        columns: &str,
        read: impl Fn(&Row) -> Result<T, Unread>,
        unread: &mut Vec<String>,
    ) -> Result<BTreeMap<i64, T>, FileError> {
        let mut found = BTreeMap::new();
        for order in ["", "DESC"] {
            let sql = format!("SELECT rowid, {columns} FROM {table} ORDER BY rowid {order}");
            let mut statement = self.at_path(self.connection.prepare(&sql))?;
            let mut rows = self.at_path(statement.query([]))?;
            loop {
                let row = match rows.next() {
                    Ok(Some(row)) => row,
                    Ok(None) => return Ok(found),
                    Err(error) if is_damaged(&error) => break,
                    Err(error) => return self.at_path(Err(error)),
                };
                let id = self.at_path(row.get(0))?;
                match read(row) {
                    Ok(value) => drop(found.insert(id, value)),
                    Err(why) => unread.push(format!("row {id} of {table}: {why}")),
                }
            }
        }
        unread.push(format!("a part of {table}"));
        Ok(found)
    }

    /// Returns a result that was stored as JSON. An unreadable one counts as missing.
    fn json<T: DeserializeOwned>(
        &self,
        get: &str,
        key: impl ToSql,
    ) -> Result<Option<T>, FileError> {
        let text = |row: &Row| Ok(row.get::<_, String>(0).ok());
        let found = self.connection.query_row(get, [key], text).optional();
        let text = self.at_path(found)?.flatten();
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// Stores a result as JSON, the first parameter of `put`. The second one is `key`.
    fn set_json(
        &mut self,
        put: &str,
        key: impl ToSql,
        value: &impl Serialize,
    ) -> Result<(), FileError> {
        let text = serde_json::to_string(value);
        let text = text.map_err(|error| FileError::new(&self.path, error.into()))?;
        self.at_path(self.connection.execute(put, params![text, key]))?;
        Ok(())
    }

    /// Returns the key of an exercise, if it was searched with these limits before.
    pub fn answer_key(&self, id: i64, limits: &str) -> Result<Option<AnswerKey>, FileError> {
        let get = "SELECT answer_key FROM exercises WHERE id = ?";
        let key: Option<AnswerKey> = self.json(get, id)?;
        Ok(key.filter(|key| key.limits == limits))
    }

    /// Stores the key of an exercise.
    pub fn set_answer_key(&mut self, id: i64, key: &AnswerKey) -> Result<(), FileError> {
        self.set_json("UPDATE exercises SET answer_key = ? WHERE id = ?", id, key)
    }

    /// Stores an answer, and returns when its exercise returns.
    ///
    /// # Errors
    /// If the file cannot be written or has no such exercise. Nothing is stored then.
    pub fn answer(&mut self, id: i64, answer: &Answer) -> Result<SystemTime, FileError> {
        let mut all = self.all()?.all.into_iter();
        let mut exercise = all
            .find(|one| one.id == id)
            .ok_or_else(|| FileError::refused(&self.path, format!("no exercise {id}")))?;
        self.add_answers(&[(id, *answer)])?;
        Ok(exercise.add(answer))
    }

    /// Adds answers with the numbers of their exercises.
    pub(super) fn add_answers(&mut self, answers: &[(i64, Answer)]) -> Result<(), FileError> {
        let add = |connection: &mut Connection| {
            let transaction = connection.transaction()?;
            for (id, answer) in answers {
                let add = "INSERT INTO answers VALUES (?, ?, ?, ?, ?)";
                transaction.prepare_cached(add)?.execute(params![
                    id,
                    answer.milliseconds(),
                    answer.mv.index() as u8,
                    answer.lost,
                    answer.hinted,
                ])?;
            }
            transaction.commit()
        };
        let added = add(&mut self.connection);
        self.at_path(added)
    }
}

/// Reads an exercise.
fn exercise(row: &Row) -> Result<Exercise, Unread> {
    let position = row.get::<_, String>(1)?.parse()?;
    let (mistake, best) = (square(row, 2)?, square(row, 3)?);
    let mut exercise = Exercise::new(position, mistake, best, row.get(4)?, row.get(5)?)?;
    exercise.id = row.get(0)?;
    Ok(exercise)
}

/// Reads an answer and the number of its exercise.
fn answer(row: &Row) -> Result<(i64, Answer), Unread> {
    let answer = Answer::stored(row.get(2)?, square(row, 3)?, row.get(4)?, row.get(5)?)?;
    Ok((row.get(1)?, answer))
}

fn square(row: &Row, index: usize) -> rusqlite::Result<Square> {
    row.get(index).map(Square::from_low_bits)
}

const NO_PRACTICE: &str = "this is no file of 'emilia practice'";

/// Returns whether `SQLite` has met a damaged page.
fn is_damaged(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt)
}

/// Adds the path to an error of `SQLite`.
fn error_at(path: &Path, error: rusqlite::Error) -> FileError {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => FileError::refused(path, NO_PRACTICE),
        Some(ErrorCode::DatabaseCorrupt) => FileError::refused(path, "the file is damaged"),
        Some(ErrorCode::DatabaseBusy) => {
            let why = "another program is writing to it";
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
