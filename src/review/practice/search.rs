//! [`SearchLimits`]: the searches of games and of exercises, each run once.

use super::exercise::{Mistake, likely_mistakes, mistakes};
use super::{AnswerKey, Exercise, Store};
use crate::{AnalysisEvent, Watched, analyze};
use emilia_book::Book;
use emilia_core::board::Square;
use emilia_core::search::{Engine, Limits, Silent};
use emilia_files::FileError;
use emilia_games::Game;
use emilia_player::people::Human;

/// Limits of every search, and their text, under which the results are stored.
#[derive(Clone, Debug)]
pub struct SearchLimits {
    /// Limits of a search.
    pub limits: Limits,
    /// Limits, evaluation and selectivity as text.
    pub in_words: String,
}

impl SearchLimits {
    /// Returns the exercises of the mistakes in a game, or of those that people of a level would
    /// make, with a [`small_engine`](emilia_player::people::small_engine). Analyses the game unless
    /// the store has its mistakes. `None` if the engine was interrupted.
    pub fn exercises(
        &self,
        store: &mut Store,
        engine: &mut Engine,
        game: &Game,
        people: Option<(Human, &mut Engine)>,
    ) -> Result<Option<Vec<Exercise>>, FileError> {
        let level = people.as_ref().map(|(level, _)| level.to_string());
        let who = level.unwrap_or_else(|| "played".to_owned());
        let (start, transcript) = (game.start(), game.transcript());
        let key = format!("{who} {}\n{start}\n{transcript}", self.in_words);
        let mut known = store.mistakes(&key)?;
        if known.is_none() {
            known = self.mistakes(engine, game, people);
            if let Some(found) = &known {
                store.add_game(&key, found)?;
            }
        }
        let Some(found) = known else { return Ok(None) };
        let exercises = found
            .into_iter()
            .filter_map(|(index, mistake, best, lost)| {
                let [mistake, best] = [mistake, best].map(|at| Square::from_low_bits(at.into()));
                Exercise::of(game, index, mistake, best, lost)
            });
        Ok(Some(exercises.collect()))
    }

    /// Analyses a game, and returns its mistakes. `None` if the engine was interrupted.
    fn mistakes(
        &self,
        engine: &mut Engine,
        game: &Game,
        people: Option<(Human, &mut Engine)>,
    ) -> Option<Vec<Mistake>> {
        engine.clear();
        let watch = |_: AnalysisEvent| {};
        let analysis = {
            let engine = &mut *engine;
            analyze(
                &mut Watched { engine, watch },
                game,
                &Book::Off,
                &self.limits,
            )?
        };
        let found = match people {
            None => mistakes(engine, &analysis, &self.limits),
            Some((level, engine)) => likely_mistakes(engine, &analysis, level),
        };
        (!engine.interrupt().is_set()).then_some(found)
    }

    /// Returns the key of an exercise. Searches all its moves unless the store has it.
    /// `None` if the engine was interrupted.
    pub fn key(
        &self,
        store: &mut Store,
        engine: &mut Engine,
        exercise: &Exercise,
    ) -> Result<Option<AnswerKey>, FileError> {
        if let Some(key) = store.answer_key(exercise.id, &self.in_words)? {
            return Ok(Some(key));
        }
        engine.clear();
        let board = &exercise.position.board;
        let lines = engine.multi_pv(board, usize::MAX, &self.limits, &mut Silent);
        if engine.interrupt().is_set() {
            return Ok(None);
        }
        let key = AnswerKey::new(&self.in_words, &lines, board.empty_count());
        store.set_answer_key(exercise.id, &key)?;
        Ok(Some(key))
    }
}
