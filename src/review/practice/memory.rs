//! [`Store`] in WebAssembly: exercises and all answers in memory. The page keeps them as a text.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::SystemTime;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::exercise::Mistake;
use super::records::Record;
use super::{Answer, AnswerKey, Exercise};
use emilia_core::board::Board;
use emilia_files::FileError;

/// Exercises and answers of a user. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Store(Arc<Mutex<State>>);

/// What a store holds. The index of an exercise plus 1 is its number.
#[derive(Debug, Default, Serialize, Deserialize)]
struct State {
    /// Mistakes by game and analysis.
    games: BTreeMap<String, Vec<Mistake>>,
    exercises: Vec<Record>,
    /// Answer keys by the number of the exercise.
    answer_keys: BTreeMap<i64, AnswerKey>,
}

/// Exercises of a store.
#[derive(Debug)]
pub struct Exercises {
    /// The exercises that can be read.
    pub all: Vec<Exercise>,
    /// Message that names the exercises that cannot be read, and the reason.
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
        let new = new.map(Record::from);
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
        let key = self.0.lock().answer_keys.get(&id).cloned();
        Ok(key.filter(|key| key.limits == limits))
    }

    /// Stores the key of an exercise.
    pub fn set_answer_key(&mut self, id: i64, key: &AnswerKey) -> Result<(), FileError> {
        self.0.lock().answer_keys.insert(id, key.clone());
        Ok(())
    }

    /// Stores an answer, and returns when its exercise returns.
    ///
    /// # Errors
    /// If there is no such exercise.
    pub fn answer(&mut self, id: i64, answer: &Answer) -> Result<SystemTime, FileError> {
        let mut all = self.0.lock().all().into_iter();
        let exercise = all.find(|one| one.id == id);
        let mut exercise = exercise.ok_or_else(|| none(id))?;
        self.add_answers(&[(id, *answer)])?;
        Ok(exercise.add(answer))
    }

    /// Adds answers with the numbers of their exercises.
    pub(super) fn add_answers(&mut self, answers: &[(i64, Answer)]) -> Result<(), FileError> {
        let mut state = self.0.lock();
        for (id, answer) in answers {
            let index = usize::try_from(id - 1).ok();
            let exercise = index.and_then(|index| state.exercises.get_mut(index));
            exercise.ok_or_else(|| none(*id))?.add(answer);
        }
        Ok(())
    }
}

fn none(id: i64) -> FileError {
    FileError::refused("practice", format!("no exercise {id}"))
}

impl State {
    fn all(&self) -> Vec<Exercise> {
        let exercises = (1..).zip(&self.exercises).filter_map(|(id, record)| {
            let mut exercise = record.exercise().ok()?;
            exercise.id = id;
            Some(exercise)
        });
        exercises.collect()
    }
}
