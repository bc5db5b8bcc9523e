//! What a game comes to: how well each side played, and where it was decided.

use super::{Analysis, Grade, Judgement};
use crate::board::Color;
use crate::eval::Value;
use crate::search::Depth;

/// How well a side played.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SideSummary {
    /// Its moves, those without a choice left out.
    pub choices: usize,
    /// How many of these lost less than half a disc.
    pub best: usize,
    /// The discs that all of them lost.
    pub lost: f64,
    /// How many were of each of the [bad grades](Grade::BAD).
    bad: [usize; Grade::BAD.len()],
}

impl SideSummary {
    /// Adds a move.
    pub fn add(&mut self, judgement: &Judgement) {
        if !judgement.is_forced() {
            self.add_loss(judgement.loss());
        }
    }

    /// Adds a move that was not forced and lost so many discs.
    pub fn add_loss(&mut self, loss: f64) {
        self.choices += 1;
        self.best += usize::from(loss < HALF_A_DISC);
        self.lost += loss;
        for (count, grade) in self.bad.iter_mut().zip(Grade::BAD) {
            *count += usize::from(Grade::of(loss) == grade);
        }
    }

    /// How many moves were of each of the bad grades: inaccuracies, mistakes, blunders.
    pub fn bad(&self) -> [usize; Grade::BAD.len()] {
        self.bad
    }

    /// The discs lost by a move in the mean.
    pub fn mean_loss(&self) -> f64 {
        self.lost / self.choices.max(1) as f64
    }

    /// The share of best moves, 0 to 1.
    pub fn accuracy(&self) -> f64 {
        self.best as f64 / self.choices.max(1) as f64
    }
}

/// Less than this is no loss: final scores differ by two discs, or by one with an odd number of discs on the board.
const HALF_A_DISC: f64 = 0.5;

impl Analysis {
    /// How well a side played.
    pub fn summary(&self, color: Color) -> SideSummary {
        let mut summary = SideSummary::default();
        self.moves_of(color).for_each(|one| summary.add(one));
        summary
    }

    /// The move that decided the game: the last that changed its result, and left the one that the
    /// game has after its last move. `None` where there is no such move, or where the game is not
    /// finished and even.
    pub fn turning_point(&self) -> Option<&Judgement> {
        let last = result(self.last.value, self.last.depth);
        if last == 0 && !self.is_finished {
            return None;
        }
        let turns = |judgement: &&Judgement| {
            let depth = judgement.best().depth;
            result(judgement.score.value, depth) != result(judgement.best().value, depth)
        };
        let turn = self.moves.iter().rev().find(turns)?;
        let end = self.moves.last()?;
        let after = |judgement: &Judgement| result(judgement.score_for_black(), self.last.depth);
        (after(turn) == after(end)).then_some(turn)
    }
}

/// 1 for a win, 0 for an even score, −1 for a loss. A score that is not certain is even below the
/// discs of a mistake.
fn result(value: Value, depth: Depth) -> i32 {
    let least = if depth.is_solved() {
        HALF_A_DISC
    } else {
        Grade::Mistake.least_loss()
    };
    if value.discs().abs() < least {
        0
    } else {
        value.units().signum()
    }
}
