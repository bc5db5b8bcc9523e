//! [`Store`] for WebAssembly. It keeps exercises and answers in memory. The web page saves them as
//! text.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::{Added, AnswerKey, Exercise};
use emilia_core::board::Board;
use emilia_files::FileError;

/// Exercises and answers of a user. Clones share the same data.
#[derive(Clone, Debug, Default)]
pub struct Store(Arc<Mutex<State>>);

/// Data of a store, serialised as JSON. The number of an exercise is its index in `exercises` plus
/// 1.
#[derive(Debug, Default, Serialize, Deserialize)]
struct State {
    /// Exercises found in each analysed game. The key has the game, the limits of the analysis, and
    /// the level of the human players or `played`.
    #[serde(default)]
    analysed: BTreeMap<String, Vec<Exercise>>,
    exercises: Vec<Exercise>,
    /// Answer keys, by the number of their exercise.
    answer_keys: BTreeMap<usize, AnswerKey>,
}

#[expect(clippy::unnecessary_wraps, reason = "the file has the same functions")]
impl Store {
    /// Reads a store from the text that [`text`](Self::text) returns.
    ///
    /// # Errors
    /// If the text is not the JSON of a store.
    pub fn read(text: &[u8]) -> serde_json::Result<Store> {
        Ok(Store(Arc::new(Mutex::new(serde_json::from_slice(text)?))))
    }

    /// Returns the content of the store as JSON.
    pub fn text(&self) -> String {
        serde_json::to_string(&*self.0.lock()).unwrap_or_default()
    }

    /// Returns the exercises found in the analysed game that `key` names. `None` if the game is not
    /// analysed yet.
    pub(super) fn of_game(&self, key: &str) -> Result<Option<Vec<Exercise>>, FileError> {
        Ok(self.0.lock().analysed.get(key).cloned())
    }

    /// Stores the exercises found in the analysed game that `key` names.
    pub(super) fn set_of_game(&mut self, key: &str, found: &[Exercise]) -> Result<(), FileError> {
        let mut state = self.0.lock();
        state.analysed.insert(key.to_owned(), found.to_vec());
        Ok(())
    }

    /// Adds the exercises and answers that are not in the store yet. Returns their numbers.
    pub fn add(&mut self, exercises: &[Exercise]) -> Result<Added, FileError> {
        let (mut state, mut added) = (self.0.lock(), Added::default());
        for new in exercises {
            let at = state.index_of(&new.key());
            let own = at.map(|at| state.exercises[at].clone());
            match (at, added.add(own, new)) {
                (Some(at), Some(exercise)) => state.exercises[at] = exercise,
                (None, Some(exercise)) => state.exercises.push(exercise),
                (_, None) => {}
            }
        }
        Ok(added)
    }

    /// Returns all exercises with their answers, oldest first. Invalid exercises are left out.
    pub fn all(&self) -> Result<Vec<Exercise>, FileError> {
        let exercises = self.0.lock().exercises.clone().into_iter();
        Ok(exercises.filter_map(|one| one.checked().ok()).collect())
    }

    /// Returns the answer key of an exercise. `None` if there is none for these `limits`.
    pub fn answer_key(&self, key: &Board, limits: &str) -> Result<Option<AnswerKey>, FileError> {
        let state = self.0.lock();
        let number = state.index_of(key).map(|at| at + 1);
        let found = number.and_then(|number| state.answer_keys.get(&number));
        Ok(found.filter(|found| found.limits == limits).cloned())
    }

    /// Stores the answer key of an exercise. Does nothing if the store does not have the exercise.
    pub fn set_answer_key(&mut self, key: &Board, found: &AnswerKey) -> Result<(), FileError> {
        let mut state = self.0.lock();
        if let Some(at) = state.index_of(key) {
            state.answer_keys.insert(at + 1, found.clone());
        }
        Ok(())
    }
}

impl State {
    fn index_of(&self, key: &Board) -> Option<usize> {
        self.exercises.iter().position(|one| one.key() == *key)
    }
}
