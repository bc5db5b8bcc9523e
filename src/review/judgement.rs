//! Judgement of one move of a game: its score, the best alternative, and the loss in discs.
//! Scores come from the analysis in the parent module.

use serde::{Deserialize, Serialize};

use super::Scored;
use emilia_core::board::{Color, Move, Position, Square};
use emilia_core::eval::Value;
use emilia_player::people::{Difficulty, DifficultyGrade, HALF_A_DISC};

/// Score with which a game counts as decided, in discs.
pub(crate) const DECIDED: f64 = 32.0;

/// Judgement of a move that placed a disc.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Index of the move in the game, passes included, from 0.
    pub index: usize,
    /// Number of the move, passes not counted, from 1.
    pub number: usize,
    /// Position before the move.
    pub position: Position,
    /// Square played.
    pub played: Square,
    /// Evaluation recorded by the player, in discs. `None` without a record.
    pub eval: Option<f64>,
    /// Score of the move for the side that played it.
    pub score: Scored,
    /// Score of the best move, which may be the move played. Its depth is the smaller depth of both
    /// searches.
    pub best: Scored,
    /// Better line of play, which begins with the best move. Empty if the move played is the best.
    pub better: Vec<Move>,
    /// Best move besides the move played, and its loss in discs, 0 for a better move. `None`
    /// without another move.
    pub alternative: Option<(Move, f64)>,
}

impl Judgement {
    /// Returns the best move of the position, which may be the move played.
    pub fn best_move(&self) -> Move {
        let better = self.better.first().copied();
        better.unwrap_or(Move::Place(self.played))
    }

    /// Returns the loss in discs, as it is shown and graded. Never below 0.
    pub fn loss(&self) -> f64 {
        loss(self.best.value.discs(), self.score.value.discs())
    }

    /// Returns the moves whose scores the analysis has, with their losses in discs. The best move
    /// is the first.
    pub fn known_losses(&self) -> Vec<(Move, f64)> {
        let played = (Move::Place(self.played), self.loss());
        let mut known = vec![played];
        known.extend(self.alternative);
        if !self.better.is_empty() {
            known.reverse();
        }
        known
    }

    /// Grades the loss.
    pub fn grade(&self) -> Grade {
        Grade::of(self.loss())
    }

    /// Returns whether this was the only legal move.
    pub fn is_forced(&self) -> bool {
        self.position.moves().len() == 1
    }

    /// Returns whether both scores are exact.
    pub fn is_exact(&self) -> bool {
        self.best.depth.is_solved()
    }

    /// Returns whether the move loses nothing, the best move is very hard to find, and the game is
    /// not decided.
    pub fn is_brilliant(&self, difficulty: Difficulty) -> bool {
        self.loss() < HALF_A_DISC
            && self.best.value.discs().abs() < DECIDED
            && difficulty.grade() == DifficultyGrade::VeryHard
    }

    /// Returns the score before the move, under best play, from Black's view.
    pub fn best_for_black(&self) -> Value {
        for_black(self.best.value, self.position.mover)
    }

    /// Returns the score after the move, from Black's view.
    pub fn score_for_black(&self) -> Value {
        for_black(self.score.value, self.position.mover)
    }
}

/// Rounds a number of discs to one decimal. Thresholds apply to this number, because it is shown.
pub(super) fn to_tenth(discs: f64) -> f64 {
    // Minus zero becomes zero.
    (10.0 * discs).round() / 10.0 + 0.0
}

/// Returns the loss of a move in discs: the difference of both scores as they are shown.
pub(super) fn loss(best: f64, score: f64) -> f64 {
    to_tenth(to_tenth(best) - to_tenth(score))
}

fn for_black(value: Value, mover: Color) -> Value {
    match mover {
        Color::Black => value,
        Color::White => -value,
    }
}

/// Grade of a move by its loss in discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// Loss below 2 discs.
    Good,
    /// Loss of at least 2 discs.
    Inaccuracy,
    /// Loss of at least 4 discs.
    Mistake,
    /// Loss of at least 10 discs.
    Blunder,
}

impl Grade {
    /// Returns the grade for a loss in discs.
    pub fn of(loss: f64) -> Grade {
        let mut worst_first = [Grade::Blunder, Grade::Mistake, Grade::Inaccuracy].into_iter();
        let grade = worst_first.find(|grade| loss >= grade.least_loss());
        grade.unwrap_or(Grade::Good)
    }

    /// Returns the minimum loss of this grade, in discs.
    pub const fn least_loss(self) -> f64 {
        match self {
            Grade::Good => 0.0,
            Grade::Inaccuracy => 2.0,
            Grade::Mistake => 4.0,
            Grade::Blunder => 10.0,
        }
    }

    /// Returns the chess annotation mark: `?!`, `?` or `??`, and nothing for good moves.
    pub const fn mark(self) -> &'static str {
        match self {
            Grade::Good => "",
            Grade::Inaccuracy => "?!",
            Grade::Mistake => "?",
            Grade::Blunder => "??",
        }
    }
}
