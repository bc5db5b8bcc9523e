//! [`SearchLimits`]: analyses games and searches answer keys. Stored results are not searched
//! again.

use super::exercise::{likely_mistakes, mistakes};
use super::{AnswerKey, Exercise, Store};
use crate::{AnalysisEvent, Watched, analyze};
use emilia_book::Book;
use emilia_core::search::{Engine, Limits, Silent};
use emilia_files::FileError;
use emilia_games::Game;
use emilia_player::people::Human;

/// Limits of every search for exercises. Results are stored together with `in_words`, so that other
/// limits lead to a new search.
#[derive(Clone, Debug)]
pub struct SearchLimits {
    /// Limits of one search.
    pub limits: Limits,
    /// Search limits and evaluation, as text.
    pub in_words: String,
}

impl SearchLimits {
    /// Adds the exercises of `games` in which the name of the player to move is accepted by
    /// `is_own`. Returns their number, or `None` if the engine was interrupted.
    ///
    /// Without `people`, an exercise is a mistake that was played. With `people`, it is a mistake
    /// that human players of the given level are likely to make. The engine in `people` is a
    /// [`small_engine`](emilia_player::people::small_engine).
    ///
    /// Games that the store has already are not analysed again. `done` receives the number of games
    /// processed so far.
    pub fn collect(
        &self,
        (store, engine): (&mut Store, &mut Engine),
        games: &[Game],
        mut people: Option<(Human, &mut Engine)>,
        is_own: impl Fn(&str) -> bool,
        mut done: impl FnMut(usize),
    ) -> Result<Option<usize>, FileError> {
        let mut count = 0;
        for (number, game) in (1..).zip(games) {
            let level_and_engine = people
                .as_mut()
                .map(|(level, engine)| (*level, &mut **engine));
            let Some(mut found) = self.exercises(store, engine, game, level_and_engine)? else {
                return Ok(None);
            };
            found.retain(|one| is_own(one.player(game)));
            store.add(&found)?;
            count += found.len();
            done(number);
        }
        Ok(Some(count))
    }

    /// Returns the exercises of both players of `game`, from the store or from a new analysis.
    /// `None` if the engine was interrupted.
    fn exercises(
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
        if let Some(found) = store.of_game(&key)? {
            return Ok(Some(found));
        }
        engine.clear();
        let watch = |_: AnalysisEvent| {};
        let mut analyst = Watched { engine, watch };
        let Some(analysis) = analyze(&mut analyst, game, &Book::Off, &self.limits) else {
            return Ok(None);
        };
        let found = match people {
            None => mistakes(analyst.engine, game, &analysis, &self.limits),
            Some((level, engine)) => likely_mistakes(engine, game, &analysis, level),
        };
        if engine.interrupt().is_set() {
            return Ok(None);
        }
        store.set_of_game(&key, &found)?;
        Ok(Some(found))
    }

    /// Returns the answer key of an exercise, from the store or from a new search of all legal
    /// moves. `None` if the engine was interrupted.
    pub fn key(
        &self,
        store: &mut Store,
        engine: &mut Engine,
        exercise: &Exercise,
    ) -> Result<Option<AnswerKey>, FileError> {
        if let Some(key) = store.answer_key(&exercise.key(), &self.in_words)? {
            return Ok(Some(key));
        }
        engine.clear();
        let board = &exercise.position.board;
        let lines = engine.multi_pv(board, usize::MAX, &self.limits, &mut Silent);
        if engine.interrupt().is_set() {
            return Ok(None);
        }
        let key = AnswerKey::new(&self.in_words, &lines, board.empty_count());
        store.set_answer_key(&exercise.key(), &key)?;
        Ok(Some(key))
    }
}
