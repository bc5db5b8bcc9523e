//! [`Store`]: exercises, their schedule and all answers in an `SQLite` file.
//!
//! Every change is one transaction, so that a process that is killed loses no answer. Several
//! processes may use the file at the same time.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rs_fsrs::Card;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, TransactionBehavior, params};

use super::{Answer, AnswerKey, Exercise, Mistake};
use crate::board::Square;
use crate::files::FileError;
use crate::people::HALF_A_DISC;

/// Mark of the file in the header of an `SQLite` file: the bytes `EmPr`.
const APPLICATION_ID: i32 = i32::from_be_bytes(*b"EmPr");

/// First bytes of every `SQLite` file.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// How long a writer waits for another one.
const BUSY: Duration = Duration::from_secs(10);

/// The tables. `key` names a game and its analysis. `player` and `opponent` are bit sets of the
/// smallest symmetric image, with a1 as bit 0. Moves are numbers of squares, losses are in discs,
/// and times in milliseconds since 1970. `card` is the state of the schedule, NULL before the first
/// answer, and `answer_key` is NULL before the first search.
const TABLES: &str = "
    CREATE TABLE games (key TEXT PRIMARY KEY, mistakes TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE exercises (
        id INTEGER PRIMARY KEY, player INTEGER NOT NULL, opponent INTEGER NOT NULL,
        position TEXT NOT NULL, mistake INTEGER NOT NULL, best INTEGER NOT NULL,
        lost REAL NOT NULL, source TEXT NOT NULL, answer_key TEXT, card TEXT,
        UNIQUE (player, opponent)
    ) STRICT;
    CREATE TABLE answers (
        exercise INTEGER NOT NULL REFERENCES exercises (id),
        at INTEGER NOT NULL, move INTEGER NOT NULL, lost REAL NOT NULL, hinted INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX answers_of_exercise ON answers (exercise)";

const ADD: &str = "INSERT INTO exercises (player, opponent, position, mistake, best, lost, source) \
                   VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";

/// Selects the exercises with the number of answers, of best answers, and the discs lost.
const ALL: &str = "SELECT id, position, mistake, best, exercises.lost, source, card, \
                   COUNT(at), COUNT(CASE WHEN answers.lost < ? THEN 1 END), TOTAL(answers.lost) \
                   FROM exercises LEFT JOIN answers ON exercise = id GROUP BY id";

/// File of the exercises and answers of a user.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
}

/// Exercise with its results.
#[derive(Clone, Debug)]
pub struct Practised {
    /// Number of the exercise in the file.
    pub id: i64,
    /// The exercise.
    pub exercise: Exercise,
    /// Number of answers.
    pub answers: u32,
    /// Number of answers that were the best move.
    pub best: u32,
    /// Discs lost by all answers.
    pub lost: f64,
    /// State of the schedule, or `None` before the first answer.
    card: Option<Card>,
}

impl Practised {
    /// Returns when the exercise returns, or `None` before the first answer.
    pub fn due(&self) -> Option<SystemTime> {
        self.card.as_ref().map(|card| card.due.into())
    }
}

impl Store {
    /// Opens the file, or creates it and its folder.
    ///
    /// # Errors
    /// If the file cannot be read or written, or is no file of practice.
    pub fn open(path: &Path) -> Result<Store, FileError> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| FileError::new(folder, error))?;
        }
        // SQLite would overwrite a short file of another kind.
        let mut start = Vec::new();
        if let Ok(file) = File::open(path) {
            let read = file.take(SQLITE.len() as u64).read_to_end(&mut start);
            read.map_err(|error| FileError::new(path, error))?;
        }
        if !SQLITE.starts_with(&start) {
            return Err(FileError::refused(path, NO_PRACTICE));
        }
        let opened = Connection::open(path).and_then(|mut connection| {
            connection.busy_timeout(BUSY)?;
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let id: i32 =
                transaction.pragma_query_value(None, "application_id", |row| row.get(0))?;
            let tables: u32 =
                transaction
                    .query_row("SELECT COUNT(*) FROM sqlite_schema", [], |row| row.get(0))?;
            if tables == 0 {
                transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
                transaction.execute_batch(TABLES)?;
            }
            transaction.commit()?;
            Ok((connection, tables == 0 || id == APPLICATION_ID))
        });
        match opened.map_err(|error| error_at(path, error))? {
            (connection, true) => Ok(Store {
                path: path.to_owned(),
                connection,
            }),
            _ => Err(FileError::refused(path, NO_PRACTICE)),
        }
    }

    /// Returns the mistakes of a game that was analysed before.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn mistakes(&self, key: &str) -> Result<Option<Vec<Mistake>>, FileError> {
        let get = "SELECT mistakes FROM games WHERE key = ?";
        let found = self.connection.prepare_cached(get);
        let found = found.and_then(|mut get| get.query_row([key], from_json(0)).optional());
        found.map_err(|error| error_at(&self.path, error))
    }

    /// Stores the mistakes of an analysed game.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add_game(&mut self, key: &str, mistakes: &[Mistake]) -> Result<(), FileError> {
        let put = "INSERT OR REPLACE INTO games VALUES (?, ?)";
        let done = to_json(&mistakes).and_then(|text| self.connection.execute(put, [key, &text]));
        done.map_err(|error| error_at(&self.path, error))?;
        Ok(())
    }

    /// Adds the exercises that the file does not have.
    ///
    /// # Errors
    /// If the file cannot be written.
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
        add(&mut self.connection).map_err(|error| error_at(&self.path, error))
    }

    /// Returns all exercises with their results.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn all(&self) -> Result<Vec<Practised>, FileError> {
        let read = || {
            let mut statement = self.connection.prepare(ALL)?;
            let rows = statement.query_map([HALF_A_DISC], practised)?;
            rows.collect::<rusqlite::Result<Vec<Practised>>>()
        };
        read().map_err(|error| error_at(&self.path, error))
    }

    /// Returns the key of an exercise, if it was searched with these limits before.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn answer_key(&self, id: i64, limits: &str) -> Result<Option<AnswerKey>, FileError> {
        let get = "SELECT answer_key FROM exercises WHERE id = ? AND answer_key IS NOT NULL";
        let key = self
            .connection
            .query_row(get, [id], from_json(0))
            .optional();
        let key: Option<AnswerKey> = key.map_err(|error| error_at(&self.path, error))?;
        Ok(key.filter(|key| key.limits == limits))
    }

    /// Stores the key of an exercise.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn set_answer_key(&mut self, id: i64, key: &AnswerKey) -> Result<(), FileError> {
        let put = "UPDATE exercises SET answer_key = ? WHERE id = ?";
        let done = to_json(key).and_then(|text| self.connection.execute(put, params![text, id]));
        done.map_err(|error| error_at(&self.path, error))?;
        Ok(())
    }

    /// Stores an answer, and returns when its exercise returns.
    ///
    /// # Errors
    /// If the file cannot be written. Nothing is stored then.
    pub fn answer(&mut self, id: i64, answer: &Answer) -> Result<SystemTime, FileError> {
        let store = |connection: &mut Connection| {
            let immediate = TransactionBehavior::Immediate;
            let transaction = connection.transaction_with_behavior(immediate)?;
            let get = "SELECT card FROM exercises WHERE id = ? AND card IS NOT NULL";
            let card = transaction.query_row(get, [id], from_json(0)).optional()?;
            let card = answer.schedule(card);
            let since = answer.at.duration_since(SystemTime::UNIX_EPOCH);
            transaction.execute(
                "INSERT INTO answers VALUES (?, ?, ?, ?, ?)",
                params![
                    id,
                    since.unwrap_or_default().as_millis() as i64,
                    answer.mv.index() as u8,
                    answer.lost,
                    answer.hinted,
                ],
            )?;
            let put = "UPDATE exercises SET card = ? WHERE id = ?";
            transaction.execute(put, params![to_json(&card)?, id])?;
            transaction.commit()?;
            Ok(card.due.into())
        };
        store(&mut self.connection).map_err(|error| error_at(&self.path, error))
    }
}

/// Reads a row of [`ALL`].
fn practised(row: &Row) -> rusqlite::Result<Practised> {
    let square = |column| Ok::<_, rusqlite::Error>(Square::from_low_bits(row.get(column)?));
    let position: String = row.get(1)?;
    let card: Option<String> = row.get(6)?;
    Ok(Practised {
        id: row.get(0)?,
        exercise: Exercise {
            position: position.parse().map_err(|error| damaged(1, error))?,
            mistake: square(2)?,
            best: square(3)?,
            lost: row.get(4)?,
            source: row.get(5)?,
        },
        card: card.map(|_| from_json(6)(row)).transpose()?,
        answers: row.get(7)?,
        best: row.get(8)?,
        lost: row.get(9)?,
    })
}

/// Returns a function that reads a column of JSON.
fn from_json<T: serde::de::DeserializeOwned>(
    column: usize,
) -> impl Fn(&Row) -> rusqlite::Result<T> {
    move |row| {
        let text: String = row.get(column)?;
        serde_json::from_str(&text).map_err(|error| damaged(column, error))
    }
}

fn damaged(
    column: usize,
    error: impl std::error::Error + Send + Sync + 'static,
) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error))
}

fn to_json(value: &impl serde::Serialize) -> rusqlite::Result<String> {
    serde_json::to_string(value)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}

const NO_PRACTICE: &str = "this is no file of 'emilia practice'";

/// Adds the path to an error of `SQLite`.
fn error_at(path: &Path, error: rusqlite::Error) -> FileError {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => FileError::refused(path, NO_PRACTICE),
        Some(ErrorCode::DatabaseCorrupt) => FileError::refused(path, "the file is damaged"),
        Some(ErrorCode::DatabaseBusy) => {
            let why = "another program is writing to it";
            FileError::new(path, std::io::Error::other(why))
        }
        _ => FileError::new(path, std::io::Error::other(error)),
    }
}
