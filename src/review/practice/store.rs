//! [`Store`]: a database file with exercises and answers.

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

/// Format of the file. Version 0 stored each field of an exercise in its own column.
///
/// The table `games` has the exercises found in each analysed game. Its key has the game, the
/// limits of the analysis, and the level of the human players or `played`. The table `exercises`
/// has each exercise with its answers as JSON.
/// `player` and `opponent` are the discs of its canonical board as bitboards, with a1 as bit 0.
/// `answer_key` is NULL before the first search.
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

/// Database file with the exercises and answers of a user. Clones share the open file.
#[derive(Clone, Debug)]
pub struct Store(Arc<Database>);

impl Store {
    /// Opens the file. Creates the file and its folder if they do not exist.
    ///
    /// # Errors
    /// If the file cannot be read and written, or has another format.
    pub fn open(path: &Path) -> Result<Store, FileError> {
        let database = Database::open(&KIND, path)?;
        Ok(Store(Arc::new(database)))
    }

    /// Returns the exercises found in the analysed game that `key` names. `None` if the game is not
    /// analysed yet.
    pub(super) fn of_game(&self, key: &str) -> Result<Option<Vec<Exercise>>, FileError> {
        self.json("SELECT mistakes FROM games WHERE key = ?", [key])
    }

    /// Stores the exercises found in the analysed game that `key` names.
    pub(super) fn set_of_game(&mut self, key: &str, found: &[Exercise]) -> Result<(), FileError> {
        let put = "INSERT OR REPLACE INTO games VALUES (?, ?)";
        (self.0).write(|file| file.execute(put, params![key, text(&found)?]))?;
        Ok(())
    }

    /// Adds the exercises and answers that are not in the file yet. Returns their numbers.
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

    /// Returns all exercises with their answers, oldest first.
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

    /// Runs the query `get` and decodes the JSON in its result. A value that cannot be decoded
    /// counts as missing.
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

    /// Returns the answer key of an exercise. `None` if there is none for these `limits`.
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

/// Returns the values of the columns `player` and `opponent` for [`Exercise::key`].
fn columns(key: &Board) -> [i64; 2] {
    [key.player.0, key.opponent.0].map(u64::cast_signed)
}

/// Serialises a value as JSON. Reports a failure as the SQL error for an invalid parameter.
fn text(value: &impl Serialize) -> rusqlite::Result<String> {
    serde_json::to_string(value)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}
