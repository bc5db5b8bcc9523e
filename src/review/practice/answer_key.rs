//! [`AnswerKey`]: the scores of all moves of an exercise, found by one search.

use serde::{Deserialize, Serialize};

use crate::json::ScoredLine;
use crate::judgement::{loss, to_tenth};
use emilia_core::board::{Move, Square};
use emilia_core::search::Line;
use emilia_player::people::HALF_A_DISC;

/// Scores and PVs of all legal moves in an exercise. The scores determine the grade of an answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AnswerKey {
    /// Search limits and evaluation, as text. An answer key that was found with other limits is not
    /// reused.
    pub limits: String,
    /// One result per legal move, best first. Scores are in discs, rounded to one decimal.
    pub lines: Vec<ScoredLine>,
}

/// Grade of a move in an exercise.
#[derive(Clone, Copy, Debug)]
pub struct Graded<'a> {
    /// Loss against the best move, in discs.
    pub lost: f64,
    /// Search result of the graded move.
    pub own: &'a ScoredLine,
    /// Search result of the best move.
    pub best: &'a ScoredLine,
}

impl AnswerKey {
    /// Creates the answer key from the search results of all legal moves. The position has
    /// `empties` empties.
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

    /// Grades the move to `square`. `None` if the move is illegal.
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

    /// Returns all legal moves with their losses in discs, best move first.
    pub fn losses(&self) -> Vec<(Move, f64)> {
        let losses = self.lines.iter().filter_map(|line| {
            let mv = line.r#move.as_ref()?.parse().ok()?;
            Some((mv, loss(self.lines[0].score, line.score)))
        });
        losses.collect()
    }
}

impl Graded<'_> {
    /// Returns whether the move loses less than half a disc. Such a move counts as best.
    pub fn is_best(&self) -> bool {
        self.lost < HALF_A_DISC
    }
}
