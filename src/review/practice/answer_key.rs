//! [`AnswerKey`]: the values of all moves of an exercise, from one search.

use serde::{Deserialize, Serialize};

use crate::json::ScoredLine;
use crate::judgement::{loss, to_tenth};
use emilia_core::board::{Move, Square};
use emilia_core::search::Line;
use emilia_player::people::HALF_A_DISC;

/// Values and lines of all moves, best first. The values are in discs, to one decimal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AnswerKey {
    /// Limits and engine of the search, as text.
    pub limits: String,
    /// The moves with their values, best first.
    pub lines: Vec<ScoredLine>,
}

/// Graded move: its loss, its line, and the line of the best move.
#[derive(Clone, Copy, Debug)]
pub struct Graded<'a> {
    /// Loss against the best move, in discs.
    pub lost: f64,
    /// Line that begins with the move.
    pub own: &'a ScoredLine,
    /// Line of the best move.
    pub best: &'a ScoredLine,
}

impl AnswerKey {
    /// Creates the key of a position with `empties` empties from the lines of all its moves.
    pub fn new(limits: &str, lines: &[Line], empties: u32) -> AnswerKey {
        let mut lines = ScoredLine::of_all(lines, empties);
        for line in &mut lines {
            line.score = to_tenth(line.score);
        }
        AnswerKey {
            limits: limits.to_owned(),
            lines,
        }
    }

    /// Grades a move. `None` if it is illegal.
    pub fn grade(&self, square: Square) -> Option<Graded<'_>> {
        let name = Some(square.to_string());
        let own = self.lines.iter().find(|line| line.r#move == name)?;
        let best = self.lines.first()?;
        Some(Graded {
            lost: loss(best.score, own.score),
            own,
            best,
        })
    }

    /// Returns all moves with their losses in discs, the best first.
    pub fn losses(&self) -> Vec<(Move, f64)> {
        let losses = self.lines.iter().filter_map(|line| {
            let mv = line.r#move.as_ref()?.parse().ok()?;
            Some((mv, loss(self.lines[0].score, line.score)))
        });
        losses.collect()
    }
}

impl Graded<'_> {
    /// Returns whether the move loses less than half a disc, and so counts as best.
    pub fn is_best(&self) -> bool {
        self.lost < HALF_A_DISC
    }
}
