//! Statistics of each side's moves in an analysed game, and the move that decided the game.

use serde::{Deserialize, Serialize};

use super::judgement::to_tenth;
use super::{Analysis, Grade, Judgement};
use emilia_core::eval::Value;
use emilia_core::search::Depth;
use emilia_player::people::HALF_A_DISC;

/// Statistics of the moves of one side or one player. Forced moves are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SideSummary {
    /// Number of counted moves: the moves that were not forced.
    pub choices: usize,
    /// Number of counted moves that lost less than half a disc.
    pub best: usize,
    /// Sum of the losses of all counted moves, in discs.
    pub lost: f64,
    /// Mean loss of a counted move, in discs.
    pub mean_loss: f64,
    /// Number of moves graded as inaccuracies.
    pub inaccuracies: usize,
    /// Number of moves graded as mistakes.
    pub mistakes: usize,
    /// Number of moves graded as blunders.
    pub blunders: usize,
}

impl SideSummary {
    /// Counts a move that was not forced and lost `loss` discs.
    pub fn add(&mut self, loss: f64) {
        self.choices += 1;
        self.best += usize::from(loss < HALF_A_DISC);
        self.lost += loss;
        self.mean_loss = self.lost / self.choices as f64;
        match Grade::of(loss) {
            Grade::Good => {}
            Grade::Inaccuracy => self.inaccuracies += 1,
            Grade::Mistake => self.mistakes += 1,
            Grade::Blunder => self.blunders += 1,
        }
    }

    /// Returns the share of counted moves that lost less than half a disc, 0 to 1.
    pub fn accuracy(&self) -> f64 {
        self.best as f64 / self.choices.max(1) as f64
    }
}

impl Analysis {
    /// Returns the move that decided the game: the last move that changed the result, if that
    /// result is also the result of the game.
    ///
    /// `None` if there is no such move, or if the game is unfinished and its last position is even.
    pub fn turning_point(&self) -> Option<&Judgement> {
        let last = result(self.last.value, self.last.depth);
        if last == 0 && !self.is_finished {
            return None;
        }
        let turns = |judgement: &&Judgement| {
            let depth = judgement.best.depth;
            result(judgement.score.value, depth) != result(judgement.best.value, depth)
        };
        let turn = self.moves.iter().rev().find(turns)?;
        let end = self.moves.last()?;
        let after = |judgement: &Judgement| result(judgement.score_for_black(), self.last.depth);
        (after(turn) == after(end)).then_some(turn)
    }
}

/// Returns 1 for a win, 0 for an even position and −1 for a loss. A score that is not exact counts
/// as even if its absolute value is below the threshold of [`Grade::Mistake`].
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
