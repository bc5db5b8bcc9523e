//! Human levels: imitation of human players, who now and then choose a worse move.
//!
//! All moves are searched, and one is drawn with softmax probabilities of their scores.
//! The temperature, in discs, depends on the level and on the stage of the game.
//! The temperature of each stage was fitted to games of human players: see `MEASUREMENTS.md` in
//! this folder.

#[cfg(test)]
mod tests;

use std::fmt;

use crate::board::Position;
use crate::search::{Limits, Line};

/// Human level, `h1` to `h14`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Human {
    /// Index into [`NAMES`].
    index: usize,
}

/// Description of each level, weakest first.
const NAMES: [&str; 14] = [
    "a beginner",
    "a player after a few games",
    "an occasional player",
    "a regular player",
    "a weak club player",
    "between weak and average",
    "between weak and average",
    "between weak and average",
    "between weak and average",
    "an average club player",
    "between average and strong",
    "between average and strong",
    "a strong club player",
    "the best of a club",
];

/// Temperature of each level, relative to the average club player.
/// Each level scores 60 to 75 % of the points against the level before it.
const FACTORS: [f64; NAMES.len()] = [
    5.1, 3.7, 2.9, 2.38, 2.0, 1.74, 1.516, 1.32, 1.15, 1.0, 0.857, 0.735, 0.63, 0.51,
];

/// Empties per stage.
pub(crate) const STAGE: u32 = 10;

/// Temperature of the average club player in discs, by stage: 1-10 empties first, 51-60 last.
pub(crate) const TEMPERATURES: [f64; 6] = [4.25, 3.5, 3.3, 2.95, 2.1, 1.3];

impl Human {
    /// All human levels, weakest first.
    pub const ALL: [Human; NAMES.len()] = {
        let mut all = [Human { index: 0 }; NAMES.len()];
        let mut index = 0;
        while index < all.len() {
            all[index].index = index;
            index += 1;
        }
        all
    };

    /// Returns a description of people who play at this level.
    pub const fn help(self) -> &'static str {
        NAMES[self.index]
    }

    /// Search depth before the draw, in plies. The errors come from the draw, not from the depth.
    pub(super) const DEPTH: u32 = 6;

    /// Number of empties from which on scores are exact.
    pub(super) const EXACT: u32 = 12;

    /// Number of plies of the opening book that players of this level have learned: one more with
    /// each level, and none for a beginner.
    pub(super) fn book_plies(self) -> u32 {
        self.index as u32
    }

    /// Returns the limits of the search before the draw.
    pub(crate) fn limits() -> Limits {
        Limits::depth(Human::DEPTH).with_solve_from_empties(Human::EXACT)
    }

    /// Draws one of `lines`, the best lines of all moves of `position`, and returns its index.
    /// `chance` is a random number from 0 to 1.
    pub(super) fn draw(self, position: &Position, lines: &[Line], chance: f64) -> usize {
        let temperature = FACTORS[self.index] * stage_temperature(position.board.empty_count());
        let values: Vec<f64> = lines.iter().map(|line| line.value.discs()).collect();
        let shares = softmax(&values, temperature);
        let sums = shares.iter().scan(0.0, |sum, share| {
            *sum += share;
            Some(*sum)
        });
        sums.take_while(|&sum| sum <= chance)
            .count()
            .min(lines.len() - 1)
    }
}

/// Returns the temperature of the average club player with `empties` empties, in discs.
fn stage_temperature(empties: u32) -> f64 {
    let stage = empties.saturating_sub(1) / STAGE;
    TEMPERATURES[TEMPERATURES.len().min(1 + stage as usize) - 1]
}

/// Returns the softmax of the values: shares proportional to exp(value / temperature), sum 1.
pub(crate) fn softmax(values: &[f64], temperature: f64) -> Vec<f64> {
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights = values
        .iter()
        .map(|value| ((value - best) / temperature).exp());
    let sum: f64 = weights.clone().sum();
    weights.map(|weight| weight / sum).collect()
}

/// Formats as `h1`, the weakest, to `h14`.
impl fmt::Display for Human {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("h{}", self.index + 1))
    }
}
