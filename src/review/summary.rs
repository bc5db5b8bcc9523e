//! Summary of an analysed game: how well each side played, and the move that decided it.

use super::judgement::to_tenth;
use super::{Analysis, Grade, Judgement};
use emilia_core::board::Color;
use emilia_core::eval::Value;
use emilia_core::search::Depth;
use emilia_player::people::HALF_A_DISC;

/// Statistics of one side's moves. Forced moves are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SideSummary {
    /// Number of moves that were not forced.
    pub choices: usize,
    /// Number of these moves that lost less than half a disc.
    pub best: usize,
    /// Sum of the losses of all counted moves, in discs.
    pub lost: f64,
    /// Number of moves of each of the [bad grades](Grade::BAD).
    bad: [usize; Grade::BAD.len()],
}

impl SideSummary {
    /// Adds a move, unless it was forced.
    pub fn add(&mut self, judgement: &Judgement) {
        if !judgement.is_forced() {
            self.add_loss(judgement.loss());
        }
    }

    /// Adds a move that was not forced and lost `loss` discs.
    pub fn add_loss(&mut self, loss: f64) {
        self.choices += 1;
        self.best += usize::from(loss < HALF_A_DISC);
        self.lost += loss;
        for (count, grade) in self.bad.iter_mut().zip(Grade::BAD) {
            *count += usize::from(Grade::of(loss) == grade);
        }
    }

    /// Returns the number of moves of each bad grade: inaccuracies, mistakes, blunders.
    pub fn bad(&self) -> [usize; Grade::BAD.len()] {
        self.bad
    }

    /// Returns the mean loss of a move, in discs.
    pub fn mean_loss(&self) -> f64 {
        self.lost / self.choices.max(1) as f64
    }

    /// Returns the share of best moves, 0 to 1.
    pub fn accuracy(&self) -> f64 {
        self.best as f64 / self.choices.max(1) as f64
    }
}

impl Analysis {
    /// Returns the summary of one side's moves.
    pub fn summary(&self, color: Color) -> SideSummary {
        let mut summary = SideSummary::default();
        self.moves_of(color).for_each(|one| summary.add(one));
        summary
    }

    /// Returns the move that decided the game.
    ///
    /// This is the last move that changed the result, if the result after it is that of the game.
    /// `None` if there is no such move, or if an unfinished game stands even.
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

/// Returns 1 for a win, 0 for an even score, −1 for a loss.
/// A score that is not exact counts as even if it is smaller than a mistake.
fn result(value: Value, depth: Depth) -> i32 {
    let least = if depth.is_solved() {
        HALF_A_DISC
    } else {
        Grade::Mistake.least_loss()
    };
    if to_tenth(value.discs().abs()) < least {
        0
    } else {
        value.units().signum()
    }
}
