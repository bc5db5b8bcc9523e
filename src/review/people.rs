//! What the model of people adds to an analysis: how hard each move was, and how strong the
//! players were.

use super::book_exit::placed_in_book;
use super::{Analysis, Judgement};
use emilia_book::Book;
use emilia_core::board::Move;
use emilia_core::search::Engine;
use emilia_files::FileError;
use emilia_games::Game;
use emilia_player::people::{
    Choice, Difficulty, DifficultyGrade, HALF_A_DISC, Human, LEARNED_PLIES, SkillLikelihood,
};

/// An analysed game in the eyes of the model of people.
#[derive(Clone, Debug, PartialEq)]
pub struct PeopleAnalysis {
    /// Level of the players that the difficulties are for.
    pub level: Human,
    /// Difficulty of finding the best move, for each judgement of the analysis. `None` if the move
    /// was forced.
    pub difficulties: Vec<Option<Difficulty>>,
    /// Likelihood of the moves of Black and of White. Forced moves, the first [`LEARNED_PLIES`] and
    /// moves of the opening book are left out.
    pub likelihoods: [SkillLikelihood; 2],
}

impl PeopleAnalysis {
    /// Searches the alternatives to each judged move with `engine`: see
    /// [`small_engine`](emilia_player::people::small_engine).
    ///
    /// # Errors
    /// If the book cannot be read.
    pub fn of(
        engine: &mut Engine,
        game: &Game,
        analysis: &Analysis,
        book: &Book,
        level: Human,
    ) -> Result<PeopleAnalysis, FileError> {
        let learned = placed_in_book(game, book)?.max(LEARNED_PLIES);
        let mut likelihoods = [SkillLikelihood::default(); 2];
        let difficulties = analysis.moves.iter().map(|judgement| {
            if judgement.is_forced() {
                return None;
            }
            let position = &judgement.position;
            let choice = Choice::search(engine, &position.board);
            let played = choice.index_of(Move::Place(judgement.played));
            if let Some(played) = played.filter(|_| judgement.number > learned) {
                likelihoods[position.mover as usize].add(&choice, played);
            }
            Some(Difficulty::of(
                &choice,
                Some(judgement.best_move()),
                level.into(),
            ))
        });
        Ok(PeopleAnalysis {
            level,
            difficulties: difficulties.collect(),
            likelihoods,
        })
    }

    /// Returns each judgement of the analysis with the difficulty of its position.
    pub fn with_judgements<'a>(
        &self,
        analysis: &'a Analysis,
    ) -> impl Iterator<Item = (&'a Judgement, Option<Difficulty>)> {
        let difficulties = self.difficulties.iter().copied();
        analysis.moves.iter().zip(difficulties)
    }
}

/// Score with which a game counts as decided, in discs.
const DECIDED: f64 = 32.0;

/// Returns whether a move is brilliant: it loses nothing, the best move is very hard to find, and
/// the game is not decided.
pub fn is_brilliant(judgement: &Judgement, difficulty: Option<Difficulty>) -> bool {
    judgement.loss() < HALF_A_DISC
        && judgement.best().value.discs().abs() < DECIDED
        && difficulty.is_some_and(|difficulty| difficulty.grade() == DifficultyGrade::VeryHard)
}
