//! [`Store`]: exercises and all answers in a database.

use std::path::Path;
use std::sync::Arc;

use rusqlite::{OptionalExtension, Params, Row, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::records::read;
use super::{Added, AnswerKey, Exercise};
use emilia_core::board::Board;
use emilia_files::FileError;
use emilia_files::database::{DAMAGED, Database, Kind};

/// The file. Version 0 of its tables had a column for each field. `games`: exercises of a game, by
/// the game and its analysis. `exercises`: exercises with their answers as JSON. `player` and
/// `opponent` are bit sets of the smallest symmetric image, with a1 as bit 0. `answer_key` is NULL
/// before the first search.
const KIND: Kind = Kind {
    mark: *b"EmPr",
    version: 1,
    tables: "
        CREATE TABLE games (key TEXT PRIMARY KEY, mistakes TEXT NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE exercises (
            id INTEGER PRIMARY KEY, player INTEGER NOT NULL, opponent INTEGER NOT NULL,
            line TEXT NOT NULL, answer_key TEXT,
            UNIQUE (player, opponent)
        ) STRICT",
    refused: "it is not a file of 'emilia practice'",
    advice: "choose another file with --state FILE",
};

/// File of the exercises and answers of a user. Clones share it.
#[derive(Clone, Debug)]
pub struct Store(Arc<Database>);

impl Store {
    /// Opens the file, or creates it and its folder.
    ///
    /// # Errors
    /// If the file cannot be read and written, or is not a file of exercises.
    pub fn open(path: &Path) -> Result<Store, FileError> {
        let database = Database::open(&KIND, path)?;
        Ok(Store(Arc::new(database)))
    }

    /// Returns the exercises of a game that was analysed before.
    pub(super) fn of_game(&self, key: &str) -> Result<Option<Vec<Exercise>>, FileError> {
        self.json("SELECT mistakes FROM games WHERE key = ?", [key])
    }

    /// Stores the exercises of an analysed game.
    pub(super) fn set_of_game(&mut self, key: &str, found: &[Exercise]) -> Result<(), FileError> {
        let put = "INSERT OR REPLACE INTO games VALUES (?, ?)";
        (self.0).write(|file| file.execute(put, params![key, text(&found)?]))?;
        Ok(())
    }

    /// Adds the exercises and answers that the file does not have.
    pub fn add(&mut self, exercises: &[Exercise]) -> Result<Added, FileError> {
        self.0.write(|file| {
            let mut added = Added::default();
            for new in exercises {
                let get = "SELECT line FROM exercises WHERE player = ? AND opponent = ?";
                let mut get = file.prepare_cached(get)?;
                let [player, opponent] = columns(&new.key());
                let line = get
                    .query_row([player, opponent], |row| row.get(0))
                    .optional()?;
                let own = line.and_then(|line: String| read(line.as_bytes()).ok());
                if let Some(exercise) = added.add(own, new) {
                    let put = "INSERT INTO exercises (player, opponent, line) VALUES (?, ?, ?) \
                               ON CONFLICT DO UPDATE SET line = excluded.line";
                    let mut put = file.prepare_cached(put)?;
                    put.execute(params![player, opponent, text(&exercise)?])?;
                }
            }
            Ok(added)
        })
    }

    /// Returns all exercises, the oldest first.
    ///
    /// # Errors
    /// If the file cannot be read or a row is damaged.
    pub fn all(&self) -> Result<Vec<Exercise>, FileError> {
        let lines: Vec<String> = self.0.run(|file| {
            let get = "SELECT line FROM exercises ORDER BY id";
            let mut statement = file.prepare_cached(get)?;
            statement.query_map([], |row| row.get(0))?.collect()
        })?;
        let damaged = |_| FileError::refused(self.0.path(), DAMAGED);
        (lines.into_iter())
            .map(|line| read(line.as_bytes()).map_err(damaged))
            .collect()
    }

    /// Returns a result that was stored as JSON. An unreadable result counts as missing.
    fn json<T: DeserializeOwned>(
        &self,
        get: &str,
        key: impl Params,
    ) -> Result<Option<T>, FileError> {
        let text = |row: &Row| Ok(row.get::<_, String>(0).ok());
        let stored = (self.0).run(|file| file.query_row(get, key, text).optional())?;
        let json = stored.flatten();
        Ok(json.and_then(|json| serde_json::from_str(&json).ok()))
    }

    /// Returns the answer key of an exercise, if it was searched with `limits` before.
    pub fn answer_key(&self, key: &Board, limits: &str) -> Result<Option<AnswerKey>, FileError> {
        let get = "SELECT answer_key FROM exercises WHERE player = ? AND opponent = ?";
        let found: Option<AnswerKey> = self.json(get, columns(key))?;
        Ok(found.filter(|found| found.limits == limits))
    }

    /// Stores the answer key of an exercise.
    pub fn set_answer_key(&mut self, key: &Board, found: &AnswerKey) -> Result<(), FileError> {
        let put = "UPDATE exercises SET answer_key = ? WHERE player = ? AND opponent = ?";
        let [player, opponent] = columns(key);
        (self.0).write(|file| file.execute(put, params![text(found)?, player, opponent]))?;
        Ok(())
    }
}

/// Returns the columns of [`Exercise::key`].
fn columns(key: &Board) -> [i64; 2] {
    [key.player.0, key.opponent.0].map(u64::cast_signed)
}

/// Serialises a value as JSON. A failure becomes the SQL error of an invalid parameter.
fn text(value: &impl Serialize) -> rusqlite::Result<String> {
    serde_json::to_string(value)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}
