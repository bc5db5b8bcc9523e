//! [`Record`]: an exercise with its answers as a line of JSON. Files of such lines bring exercises
//! and answers from the program to a browser, and back.

use std::collections::{HashMap, HashSet};
use std::error::Error;

use serde::{Deserialize, Serialize};

use super::{Answer, Exercise, Store};
use crate::json;
use emilia_core::board::{Board, Symmetry};
use emilia_files::FileError;

/// Why a record or a row cannot be read.
pub(super) type Unread = Box<dyn Error + Send + Sync>;

/// Fields of an object of the kind `exercise`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Record {
    position: String,
    source: String,
    mistake: String,
    best: String,
    lost: f64,
    answers: Vec<AnswerRecord>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct AnswerRecord {
    /// Milliseconds since 1970.
    at: i64,
    r#move: String,
    lost: f64,
    hinted: bool,
}

/// What an import has added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Imported {
    /// Number of exercises.
    pub exercises: usize,
    /// Number of answers.
    pub answers: usize,
}

impl Record {
    pub(super) fn add(&mut self, answer: &Answer) {
        self.answers.push(AnswerRecord {
            at: answer.milliseconds(),
            r#move: answer.mv.to_string(),
            lost: answer.lost,
            hinted: answer.hinted,
        });
    }

    pub(super) fn exercise(&self) -> Result<Exercise, Unread> {
        let (position, source) = (self.position.parse()?, self.source.clone());
        let (mistake, best) = (self.mistake.parse()?, self.best.parse()?);
        let exercise = Exercise::new(position, mistake, best, self.lost, source)?;
        let answers = self.answers.iter();
        let answers =
            answers.map(|one| Answer::stored(one.at, one.r#move.parse()?, one.lost, one.hinted));
        Ok(exercise.answered(answers.collect::<Result<_, Unread>>()?))
    }
}

impl From<&Exercise> for Record {
    fn from(exercise: &Exercise) -> Record {
        let mut record = Record {
            position: exercise.position.to_string(),
            source: exercise.source.clone(),
            mistake: exercise.mistake.to_string(),
            best: exercise.best.to_string(),
            lost: exercise.lost,
            answers: Vec::new(),
        };
        exercise
            .answers
            .iter()
            .for_each(|answer| record.add(answer));
        record
    }
}

impl Store {
    /// Returns all exercises with their answers, a line of JSON for each.
    pub fn export(&self) -> Result<String, FileError> {
        let mut lines = Vec::new();
        for exercise in &self.all()?.all {
            let written = json::write("exercise", &Record::from(exercise), &mut lines);
            written.map_err(|error| FileError::new("exercises", error))?;
        }
        Ok(String::from_utf8_lossy(&lines).into_owned())
    }

    /// Adds the exercises and answers of a text that [`export`](Self::export) has written, but for
    /// those that the store has. An answer is the same if it was given in the same millisecond.
    ///
    /// # Errors
    /// If a line is invalid. Nothing is added then. If the store cannot be written.
    pub fn import(&mut self, text: &[u8]) -> Result<Imported, Unread> {
        let exercises = read(text)?;
        let before = self.all()?.all.len();
        self.add(&exercises)?;
        let all = self.all()?.all;
        let own: HashMap<Board, &Exercise> = all.iter().map(|one| (one.key(), one)).collect();
        let times = |one: &Exercise| -> Vec<(i64, i64)> {
            let times = one.answers.iter().map(Answer::milliseconds);
            times.map(|at| (one.id, at)).collect()
        };
        let mut known: HashSet<(i64, i64)> = all.iter().flat_map(times).collect();
        let mut answers = Vec::new();
        for one in &exercises {
            // The store may have another image of the position.
            let image = own.get(&one.key()).and_then(|own| {
                let is_own = |by: &Symmetry| by.board(&one.position.board) == own.position.board;
                Some((own.id, Symmetry::all().find(is_own)?))
            });
            let Some((id, symmetry)) = image else {
                continue;
            };
            for answer in &one.answers {
                if known.insert((id, answer.milliseconds())) {
                    let mv = symmetry.square(answer.mv);
                    answers.push((id, Answer { mv, ..*answer }));
                }
            }
        }
        self.add_answers(&answers)?;
        Ok(Imported {
            exercises: all.len() - before,
            answers: answers.len(),
        })
    }
}

/// Reads exercises with their answers.
fn read(text: &[u8]) -> Result<Vec<Exercise>, Unread> {
    let read = |line: &[u8]| -> Result<Exercise, Unread> {
        json::check_schema(line)?;
        serde_json::from_slice::<Record>(line)?.exercise()
    };
    let lines = text.split(|&byte| byte == b'\n');
    let lines = (1..)
        .zip(lines)
        .filter(|(_, line)| !line.trim_ascii().is_empty());
    let exercises = lines.map(|(number, line)| {
        read(line).map_err(|error| {
            format!(
                "line {number} is not an exercise of 'emilia practice --export FILE.jsonl': {error}"
            )
            .into()
        })
    });
    exercises.collect()
}
