//! Methods that both versions of [`Store`] share, the file and the memory of WebAssembly: access to
//! one exercise, answers, and export and import as JSON lines.

use std::error::Error;
use std::slice;

use serde::Serialize;

use super::{Answer, Exercise, Puzzle, Store};
use crate::json;
use emilia_core::board::Position;
use emilia_files::FileError;

/// Error of a request to a store, or of a line that cannot be read.
pub(super) type Unread = Box<dyn Error + Send + Sync>;

/// Numbers of exercises and answers that [`Store::add`] added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Added {
    /// Number of new exercises.
    pub exercises: usize,
    /// Number of new answers.
    pub answers: usize,
}

impl Added {
    /// Merges the answers of `new` into `own`, the stored exercise with the same position. Counts
    /// the new exercise, if `own` is `None`, and the new answers. Returns the exercise to store, or
    /// `None` if there is nothing new.
    pub(super) fn add(&mut self, own: Option<Exercise>, new: &Exercise) -> Option<Exercise> {
        let Some(mut own) = own else {
            self.exercises += 1;
            self.answers += new.answers.len();
            return Some(new.clone());
        };
        let answers = own.add_answers_of(new);
        self.answers += answers;
        (answers > 0).then_some(own)
    }
}

impl Store {
    /// Returns the exercise of `position`. An embedded puzzle is added to the store when it is
    /// first used.
    ///
    /// # Errors
    /// If the store cannot be read or written, or if neither the store nor the program has this
    /// exercise.
    pub fn exercise(&mut self, position: &Position) -> Result<Exercise, Unread> {
        let key = position.board.canonical();
        let mut all = self.all()?.into_iter();
        if let Some(found) = all.find(|one| one.key() == key) {
            return Ok(found);
        }
        let embedded = Puzzle::embedded().get(&key).and_then(Puzzle::exercise);
        let puzzle = embedded.ok_or("there is no such exercise")?;
        self.add(slice::from_ref(&puzzle))?;
        Ok(puzzle)
    }

    /// Stores an answer and returns its exercise.
    ///
    /// # Errors
    /// If the store cannot be read or written, or the exercise does not exist. The answer is then
    /// not stored.
    pub fn answer(&mut self, position: &Position, answer: Answer) -> Result<Exercise, Unread> {
        let mut exercise = self.exercise(position)?;
        exercise.answers.push(answer);
        self.add(slice::from_ref(&exercise))?;
        exercise.reschedule();
        Ok(exercise)
    }

    /// Returns all exercises with their answers as JSON lines.
    pub fn export(&self) -> Result<String, FileError> {
        let mut lines = Vec::new();
        for exercise in &self.all()? {
            let written = json::write("exercise", exercise, &mut lines);
            written.map_err(|error| FileError::new("exercises", error))?;
        }
        Ok(String::from_utf8_lossy(&lines).into_owned())
    }

    /// Adds the exercises and answers of a text written by [`export`](Self::export).
    ///
    /// # Errors
    /// If the store cannot be written or a line is invalid. An invalid line prevents the whole
    /// import.
    pub fn import(&mut self, text: &[u8]) -> Result<Added, Unread> {
        Ok(self.add(&read_exported(text)?)?)
    }
}

/// Reads the exercises and answers of a text written by [`Store::export`].
///
/// # Errors
/// If a line is not an exercise of the current schema version.
pub fn read_exported(text: &[u8]) -> Result<Vec<Exercise>, Unread> {
    let numbered = (1..).zip(text.split(|&byte| byte == b'\n'));
    let lines = numbered.filter(|(_, line)| !line.trim_ascii().is_empty());
    let exercises = lines.map(|(number, line)| {
        let checked = json::check_schema(line).map_err(Unread::from);
        checked.and_then(|()| read(line)).map_err(|error| {
            let file = "'emilia practice --export FILE.jsonl'";
            format!("line {number} is not an exercise of {file}: {error}").into()
        })
    });
    exercises.collect()
}

/// Reads and validates an exercise in JSON.
pub(super) fn read(line: &[u8]) -> Result<Exercise, Unread> {
    Ok(serde_json::from_slice::<Exercise>(line)?.checked()?)
}
