//! [`AnswerKey`]: the values of all moves of an exercise, from one search.

use serde::{Deserialize, Serialize};

use crate::json::ScoredLine;
use emilia_core::board::Square;
use emilia_core::search::Line;
use emilia_player::people::HALF_A_DISC;

/// Values and lines of all moves, best first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AnswerKey {
    /// Limits and engine of the search, as text.
    pub limits: String,
    /// The moves with their values, best first.
    pub lines: Vec<ScoredLine>,
}

/// Move with its loss, beside the best one.
#[derive(Clone, Copy, Debug)]
pub struct Graded<'a> {
    /// Loss against the best move, in discs.
    pub lost: f64,
    /// Line after the move.
    pub own: &'a ScoredLine,
    /// Line of the best move.
    pub best: &'a ScoredLine,
}

impl AnswerKey {
    /// Creates the key of a position with `empties` empties from the lines of all its moves.
    pub fn new(limits: &str, lines: &[Line], empties: u32) -> AnswerKey {
        AnswerKey {
            limits: limits.to_owned(),
            lines: ScoredLine::of_all(lines, empties),
        }
    }

    /// Grades a move. `None` if it is illegal.
    pub fn grade(&self, square: Square) -> Option<Graded<'_>> {
        let name = Some(square.to_string());
        let own = self.lines.iter().find(|line| line.r#move == name)?;
        let best = self.lines.first()?;
        Some(Graded {
            lost: best.score - own.score,
            own,
            best,
        })
    }
}

impl Graded<'_> {
    /// Returns whether the move is the best one, or as good.
    pub fn is_best(&self) -> bool {
        self.lost < HALF_A_DISC
    }
}
