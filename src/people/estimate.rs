//! [`SkillEstimate`]: the skill of a player, estimated from moves.

use super::{Choice, Model, Skill};

/// A choice, and the move that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedChoice {
    /// The moves that could be played.
    pub choice: Choice,
    /// Index of the move played in [`Choice::candidates`].
    pub played: usize,
}

/// Maximum-likelihood estimate of the skill of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkillEstimate {
    /// The skill at which the model makes the moves most likely.
    pub skill: Skill,
    /// Ends of the 90 % interval, by the curvature of the log-likelihood.
    pub interval: [Skill; 2],
    /// Number of moves.
    pub moves: usize,
}

/// Distance in levels between the skills of the first search.
const STEP: f64 = 0.25;

/// Half the width of the 90 % interval of a normal distribution, in standard deviations.
const NORMAL_90: f64 = 1.645;

impl SkillEstimate {
    /// An interval wider than this number of levels comes from too few moves.
    pub const MAX_WIDTH: f64 = 6.0;

    /// Estimates the skill from moves. Leave out forced moves and moves of the opening book.
    /// `None` without moves.
    pub fn of(moves: &[PlayedChoice]) -> Option<SkillEstimate> {
        if moves.is_empty() {
            return None;
        }
        let log_likelihood = |number: f64| {
            let factor = Skill::new(number).factor();
            let of_move = |one: &PlayedChoice| {
                Model::FITTED.probabilities(&one.choice, factor)[one.played].ln()
            };
            moves.iter().map(of_move).sum::<f64>()
        };
        let (low, high) = (Skill::MIN.number(), Skill::MAX.number());
        let steps = ((high - low) / STEP).round() as usize;
        let grid: Vec<f64> = (0..=steps)
            .map(|step| log_likelihood(low + STEP * step as f64))
            .collect();
        let best = (1..steps).max_by(|&a, &b| grid[a].total_cmp(&grid[b]))?;
        // A parabola through three skills around the best one of the grid.
        let [before, at, after] = [grid[best - 1], grid[best], grid[best + 1]];
        let curvature = (2.0 * at - before - after).max(f64::MIN_POSITIVE);
        let shift = ((after - before) / (2.0 * curvature)).clamp(-1.0, 1.0);
        let number = low + STEP * (best as f64 + shift);
        let half = NORMAL_90 * STEP / curvature.sqrt();
        Some(SkillEstimate {
            skill: Skill::new(number),
            interval: [number - half, number + half].map(Skill::new),
            moves: moves.len(),
        })
    }

    /// Returns whether the moves are too few for a useful estimate.
    pub fn is_vague(&self) -> bool {
        let [low, high] = self.interval;
        high.number() - low.number() > SkillEstimate::MAX_WIDTH
    }
}
