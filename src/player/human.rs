//! Human levels: moves as people choose them, now and then a worse one.
//!
//! All moves are searched, and one is drawn by a softmax: a move that is worse than the best by so many discs is so many
//! times as rare. How many discs make how much, the temperature, depends on the level and on the stage of the game. Its
//! course over the game was fitted to the games of people; `README.md` beside this file has the figures.

#[cfg(test)]
mod tests;

use std::fmt;

use crate::board::Position;
use crate::search::{Limits, Line};

/// A human level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Human {
    /// Its place in [`NAMES`].
    index: usize,
}

/// Who plays like each level, the weakest first.
const NAMES: [&str; 14] = [
    "a beginner",
    "somebody who has played a few games",
    "somebody who plays now and then",
    "somebody who plays often",
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

/// The temperature of each level in those of the average club player. Each level takes 60 to 75 % of the points from the
/// one before.
const FACTORS: [f64; NAMES.len()] = [
    5.1, 3.7, 2.9, 2.38, 2.0, 1.74, 1.516, 1.32, 1.15, 1.0, 0.857, 0.735, 0.63, 0.51,
];

/// The empty squares of a stage.
pub(crate) const STAGE: u32 = 10;

/// The temperature of the average club player in discs, by stage: 1-10 empty squares first, 51-60 last.
pub(crate) const TEMPERATURES: [f64; 6] = [4.25, 3.5, 3.3, 2.95, 2.1, 1.3];

impl Human {
    /// All human levels, the weakest first.
    pub const ALL: [Human; NAMES.len()] = {
        let mut all = [Human { index: 0 }; NAMES.len()];
        let mut index = 0;
        while index < all.len() {
            all[index].index = index;
            index += 1;
        }
        all
    };

    /// Who plays like that.
    pub const fn meaning(self) -> &'static str {
        NAMES[self.index]
    }

    /// How far moves are searched before one is drawn, in plies: farther than people look, who judge by other means.
    pub(super) const DEPTH: u32 = 6;

    /// From how many empty squares on their scores are exact.
    pub(super) const EXACT: u32 = 12;

    /// The limits of that search.
    pub(crate) fn limits() -> Limits {
        Limits::depth(Human::DEPTH).with_exact(Human::EXACT)
    }

    /// Which of the lines to play, those of all moves of `position`; `chance` is a random number from 0 to 1.
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

/// The temperature of the average club player with so many empty squares.
fn stage_temperature(empties: u32) -> f64 {
    let stage = empties.saturating_sub(1) / STAGE;
    TEMPERATURES[TEMPERATURES.len().min(1 + stage as usize) - 1]
}

/// The share of each value: e to the power of what it is above the others, in temperatures. Together 1.
pub(crate) fn softmax(values: &[f64], temperature: f64) -> Vec<f64> {
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights = values
        .iter()
        .map(|value| ((value - best) / temperature).exp());
    let sum: f64 = weights.clone().sum();
    weights.map(|weight| weight / sum).collect()
}

/// `h1`, the weakest, to `h14`.
impl fmt::Display for Human {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("h{}", self.index + 1))
    }
}
