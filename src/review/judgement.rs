//! Judgement of one move of a game: its score, the best alternative, and the loss in discs. The
//! analysis in the parent module computes the scores.

use serde::{Deserialize, Serialize};

use super::Scored;
use emilia_core::board::{Color, Move, Position, Square};
use emilia_core::eval::Value;
use emilia_player::people::{Difficulty, DifficultyGrade, HALF_A_DISC};

/// Absolute score from which a game counts as decided, in discs.
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
    /// Evaluation that the game record has for the move, in discs. `None` if it has none.
    pub eval: Option<f64>,
    /// Score of the move for the side that played it.
    pub score: Scored,
    /// Score of the best move, which may be the move played. Its depth is the smaller one of the
    /// depths with which the move played and the best other move were searched.
    pub best: Scored,
    /// PV that begins with the best move, if the best move is better than the move played.
    /// Otherwise empty.
    pub better: Vec<Move>,
    /// Best of the other moves, with its loss in discs. The loss is 0 if this other move is at
    /// least as good as the move played. `None` if the analysis has no other move: every legal move
    /// leads to the same position or to a symmetric one, or the move played is the only book move.
    pub alternative: Option<(Move, f64)>,
}

impl Judgement {
    /// Returns the best move of the position, which may be the move played.
    pub fn best_move(&self) -> Move {
        let better = self.better.first().copied();
        better.unwrap_or(Move::Place(self.played))
    }

    /// Loss of the move played in discs, at least 0, rounded to one decimal. Grades and output use
    /// this number.
    pub fn loss(&self) -> f64 {
        loss(self.best.value.discs(), self.score.value.discs())
    }

    /// Returns the move played and the [alternative](Self::alternative) with their losses in discs,
    /// best first. The analysis has no scores of the other moves.
    pub fn known_losses(&self) -> Vec<(Move, f64)> {
        let played = (Move::Place(self.played), self.loss());
        let mut known = vec![played];
        known.extend(self.alternative);
        if !self.better.is_empty() {
            known.reverse();
        }
        known
    }

    /// Returns the grade of the move played, by its loss.
    pub fn grade(&self) -> Grade {
        Grade::of(self.loss())
    }

    /// Returns whether the move played was the only legal move.
    pub fn is_forced(&self) -> bool {
        self.position.moves().len() == 1
    }

    /// Returns whether the scores of the move played and of the best move are exact.
    pub fn is_exact(&self) -> bool {
        self.best.depth.is_solved()
    }

    /// Returns whether the move loses less than half a disc, `difficulty` is very hard, and the
    /// game is not decided.
    pub fn is_brilliant(&self, difficulty: Difficulty) -> bool {
        self.loss() < HALF_A_DISC
            && self.best.value.discs().abs() < DECIDED
            && difficulty.grade() == DifficultyGrade::VeryHard
    }

    /// Score of the best move, in Black's view.
    pub fn best_for_black(&self) -> Value {
        for_black(self.best.value, self.position.mover)
    }

    /// Score of the move played, in Black's view.
    pub fn score_for_black(&self) -> Value {
        for_black(self.score.value, self.position.mover)
    }
}

/// Rounds a number of discs to one decimal. The output shows the rounded number, so grades use it
/// too.
pub(super) fn to_tenth(discs: f64) -> f64 {
    // Adding 0.0 turns −0.0 into 0.0.
    (10.0 * discs).round() / 10.0 + 0.0
}

/// Loss of a move in discs: the difference of the two scores, each rounded to one decimal as in the
/// output.
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
    /// Loss of at least 2 discs, but below 4.
    Inaccuracy,
    /// Loss of at least 4 discs, but below 10.
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

    /// Minimum loss of a move with this grade, in discs.
    pub const fn least_loss(self) -> f64 {
        match self {
            Grade::Good => 0.0,
            Grade::Inaccuracy => 2.0,
            Grade::Mistake => 4.0,
            Grade::Blunder => 10.0,
        }
    }

    /// Annotation mark as in chess: `?!`, `?` or `??`. Good moves have an empty mark.
    pub const fn mark(self) -> &'static str {
        match self {
            Grade::Good => "",
            Grade::Inaccuracy => "?!",
            Grade::Mistake => "?",
            Grade::Blunder => "??",
        }
    }
}
