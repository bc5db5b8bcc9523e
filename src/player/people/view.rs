//! [`PeopleView`]: how hard the best move of a position is for people of one level, and which moves
//! they play.

use std::fmt;

use super::{Choice, Difficulty, Human, Model, Skill};
use emilia_core::board::{Move, Position};
use emilia_core::eval::AnyEvaluator;
use emilia_core::search::{Engine, Line};

/// Difficulty of a position for people of one level, and the share of them that plays each move.
#[derive(Clone, Debug, PartialEq)]
pub struct PeopleView {
    /// Level of the people.
    pub human: Human,
    /// Difficulty of finding the best move.
    pub difficulty: Difficulty,
    /// Legal moves, each with the share of people that play it, from 0 to 1. The most popular move
    /// comes first.
    pub shares: Vec<(Move, f64)>,
}

impl PeopleView {
    /// Creates the view of a position that is not over. All its moves are searched with `engine`, a
    /// [`small_engine`](super::small_engine). `known` are losses from a deeper search, as in
    /// [`Choice::losses`].
    pub fn of(
        engine: &mut Engine,
        position: &Position,
        known: &[(Move, f64)],
        human: Human,
    ) -> PeopleView {
        PeopleView::of_choice(&Choice::search(engine, &position.board), known, human)
    }

    /// Creates the view of a position from the search result `lines`, which has one search line
    /// (value and PV) for each legal move.
    pub fn of_lines(
        position: &Position,
        lines: &[Line],
        evaluator: &AnyEvaluator,
        human: Human,
    ) -> PeopleView {
        let choice = Choice::of_lines(&position.board, lines, evaluator);
        PeopleView::of_choice(&choice, &[], human)
    }

    fn of_choice(choice: &Choice, known: &[(Move, f64)], human: Human) -> PeopleView {
        let skill = Skill::from(human);
        let moves = choice.candidates.iter().map(|one| one.mv);
        let shares = Model::FITTED.probabilities(choice, skill.factor());
        let mut shares: Vec<(Move, f64)> = moves.zip(shares).collect();
        shares.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        PeopleView {
            human,
            difficulty: Difficulty::of(choice, known, skill),
            shares,
        }
    }
}

/// Number of moves that the sentence about a position names.
const MOVES: usize = 3;

/// Formats as `hard for players of level h10 (an average club player): 3 in 10 find a move ...`
impl fmt::Display for PeopleView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (human, difficulty) = (self.human, self.difficulty);
        if let [(mv, _)] = self.shares[..] {
            return write!(f, "{mv} is the only move");
        }
        write!(
            f,
            "{} for players of level {human} ({}): {} find a move within half a disc of the best; \
             their moves lose {:.1} discs on average; most often played:",
            difficulty.grade(),
            human.help(),
            difficulty.found_in_words(),
            difficulty.loss
        )?;
        for (index, (mv, share)) in self.shares.iter().take(MOVES).enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma} {mv} {:.0} %", 100.0 * share)?;
        }
        Ok(())
    }
}
