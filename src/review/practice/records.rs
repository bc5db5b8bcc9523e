//! Methods that both kinds of [`Store`] share: exercises, answers, and the lines of JSON by which
//! the program and a browser exchange them.

use std::error::Error;
use std::slice;

use serde::Serialize;

use super::{Answer, Exercise, Puzzle, Store};
use crate::json;
use emilia_core::board::Position;
use emilia_files::FileError;

/// Reason for which a line cannot be read.
pub(super) type Unread = Box<dyn Error + Send + Sync>;

/// Numbers of exercises and answers that an import added to a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Added {
    /// Number of exercises.
    pub exercises: usize,
    /// Number of answers.
    pub answers: usize,
}

impl Added {
    /// Merges `new` with its answers into `own`, the exercise that the store has. Returns the
    /// exercise to store, or `None` if nothing is new.
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
    /// Returns the exercise of a position. A puzzle of the program is added to the store.
    ///
    /// # Errors
    /// If the store cannot be read or written, or neither the store nor the program has an exercise
    /// of the position.
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

    /// Stores an answer, and returns its exercise.
    ///
    /// # Errors
    /// If the store cannot be written, or has no exercise of the position. The answer is not stored
    /// then.
    pub fn answer(&mut self, position: &Position, answer: Answer) -> Result<Exercise, Unread> {
        let mut exercise = self.exercise(position)?;
        exercise.answers.push(answer);
        self.add(slice::from_ref(&exercise))?;
        exercise.reschedule();
        Ok(exercise)
    }

    /// Returns all exercises with their answers, a line of JSON for each.
    pub fn export(&self) -> Result<String, FileError> {
        let mut lines = Vec::new();
        for exercise in &self.all()? {
            let written = json::write("exercise", exercise, &mut lines);
            written.map_err(|error| FileError::new("exercises", error))?;
        }
        Ok(String::from_utf8_lossy(&lines).into_owned())
    }

    /// Adds the exercises and answers of a text that [`export`](Self::export) has written.
    ///
    /// # Errors
    /// If the store cannot be written, or a line is invalid. If a line is invalid, nothing is
    /// added.
    pub fn import(&mut self, text: &[u8]) -> Result<Added, Unread> {
        Ok(self.add(&read_exported(text)?)?)
    }
}

/// Reads the exercises and answers of a text that [`Store::export`] has written.
///
/// # Errors
/// If a line is invalid.
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

/// Reads an exercise with its answers.
pub(super) fn read(line: &[u8]) -> Result<Exercise, Unread> {
    Ok(serde_json::from_slice::<Exercise>(line)?.checked()?)
}
