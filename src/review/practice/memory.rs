//! [`Store`] in WebAssembly: exercises and all answers in memory. The page keeps them as a text.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::exercise::Mistake;
use super::{Answer, AnswerKey, Exercise};
use emilia_core::board::{Board, Square};
use emilia_files::FileError;

/// Exercises and answers of a user. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Store(Arc<Mutex<State>>);

/// What a store holds. The index of an exercise plus 1 is its number.
#[derive(Debug, Default, Serialize, Deserialize)]
struct State {
    /// Mistakes by game and analysis.
    games: BTreeMap<String, Vec<Mistake>>,
    exercises: Vec<StoredExercise>,
    answers: Vec<StoredAnswer>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredExercise {
    position: String,
    mistake: u8,
    best: u8,
    lost: f64,
    source: String,
    answer_key: Option<AnswerKey>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredAnswer {
    exercise: i64,
    /// Milliseconds since 1970.
    at: u64,
    r#move: u8,
    lost: f64,
    hinted: bool,
}

/// Exercises of a store.
#[derive(Debug)]
pub struct Exercises {
    /// Those that can be read.
    pub all: Vec<Exercise>,
    /// Which ones cannot be read, and why.
    pub unread: Option<FileError>,
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "the functions are those of the file"
)]
impl Store {
    /// Reads the text of a store.
    ///
    /// # Errors
    /// If the text is damaged.
    pub fn read(text: &[u8]) -> serde_json::Result<Store> {
        Ok(Store(Arc::new(Mutex::new(serde_json::from_slice(text)?))))
    }

    /// Returns the text of the store.
    pub fn text(&self) -> String {
        serde_json::to_string(&*self.0.lock()).unwrap_or_default()
    }

    /// Returns the mistakes of a game that was analysed before.
    pub(super) fn mistakes(&self, key: &str) -> Result<Option<Vec<Mistake>>, FileError> {
        Ok(self.0.lock().games.get(key).cloned())
    }

    /// Stores the mistakes of an analysed game.
    pub(super) fn add_game(&mut self, key: &str, mistakes: &[Mistake]) -> Result<(), FileError> {
        let mut state = self.0.lock();
        state.games.insert(key.to_owned(), mistakes.to_vec());
        Ok(())
    }

    /// Adds the exercises that the store does not have.
    pub fn add(&mut self, exercises: &[Exercise]) -> Result<(), FileError> {
        let known = self.0.lock().all();
        let mut keys: HashSet<Board> = known.iter().map(Exercise::key).collect();
        let new = exercises.iter().filter(|one| keys.insert(one.key()));
        let new = new.map(|exercise| StoredExercise {
            position: exercise.position.to_string(),
            mistake: exercise.mistake.index() as u8,
            best: exercise.best.index() as u8,
            lost: exercise.lost,
            source: exercise.source.clone(),
            answer_key: None,
        });
        self.0.lock().exercises.extend(new);
        Ok(())
    }

    /// Returns all exercises with their answers.
    pub fn all(&self) -> Result<Exercises, FileError> {
        Ok(Exercises {
            all: self.0.lock().all(),
            unread: None,
        })
    }

    /// Returns the key of an exercise, if it was searched with these limits before.
    pub fn answer_key(&self, id: i64, limits: &str) -> Result<Option<AnswerKey>, FileError> {
        let key = self.0.lock().exercise(id)?.answer_key.clone();
        Ok(key.filter(|key| key.limits == limits))
    }

    /// Stores the key of an exercise.
    pub fn set_answer_key(&mut self, id: i64, key: &AnswerKey) -> Result<(), FileError> {
        self.0.lock().exercise(id)?.answer_key = Some(key.clone());
        Ok(())
    }

    /// Stores an answer, and returns when its exercise returns.
    ///
    /// # Errors
    /// If there is no such exercise.
    pub fn answer(&mut self, id: i64, answer: &Answer) -> Result<SystemTime, FileError> {
        let mut state = self.0.lock();
        let mut exercise = (state.all().into_iter())
            .find(|one| one.id == id)
            .ok_or_else(|| none(id))?;
        let since = answer.at.duration_since(SystemTime::UNIX_EPOCH);
        state.answers.push(StoredAnswer {
            exercise: id,
            at: since.unwrap_or_default().as_millis() as u64,
            r#move: answer.mv.index() as u8,
            lost: answer.lost,
            hinted: answer.hinted,
        });
        Ok(exercise.add(answer))
    }
}

fn none(id: i64) -> FileError {
    FileError::refused("practice", format!("no exercise {id}"))
}

impl State {
    fn exercise(&mut self, id: i64) -> Result<&mut StoredExercise, FileError> {
        let index = usize::try_from(id - 1).ok();
        let stored = index.and_then(|index| self.exercises.get_mut(index));
        stored.ok_or_else(|| none(id))
    }

    fn all(&self) -> Vec<Exercise> {
        let read = |(id, stored): (i64, &StoredExercise)| {
            let position = stored.position.parse().ok()?;
            let [mistake, best] =
                [stored.mistake, stored.best].map(|square| Square::from_low_bits(square.into()));
            let source = stored.source.clone();
            let mut exercise = Exercise::new(position, mistake, best, stored.lost, source)?;
            exercise.id = id;
            for answer in self.answers.iter().filter(|answer| answer.exercise == id) {
                exercise.add(&Answer {
                    mv: Square::from_low_bits(answer.r#move.into()),
                    lost: answer.lost,
                    hinted: answer.hinted,
                    at: SystemTime::UNIX_EPOCH + Duration::from_millis(answer.at),
                });
            }
            Some(exercise)
        };
        (1..).zip(&self.exercises).filter_map(read).collect()
    }
}
