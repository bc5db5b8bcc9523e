//! [`SkillLikelihood`] and [`SkillEstimate`]: the skill of a player, estimated from the moves
//! played.

use std::fmt;

use super::{Choice, Model, Skill};

/// Log-likelihood of a player's moves at each whole-numbered [`Skill`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SkillLikelihood {
    /// Number of moves that the estimate counts.
    pub(super) moves: usize,
    /// Natural logarithm of the probability of the moves, at skill 0, 1, and so on.
    pub(super) logarithms: [f64; SKILLS],
}

/// Number of whole-numbered skills, both ends of the scale included.
const SKILLS: usize = (Skill::MAX.number() - Skill::MIN.number()) as usize + 1;

/// Maximum-likelihood estimate of the skill of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkillEstimate {
    /// Skill at which the model gives the moves the greatest probability.
    pub skill: Skill,
    /// Ends of the 90 % interval: the skills at which the log-likelihood is 1.353 lower.
    pub interval: [Skill; 2],
    /// Number of moves that the estimate counts.
    pub moves: usize,
}

/// Drop of the log-likelihood from its maximum to an end of the 90 % interval: half the square of
/// 1.645, the 95 % quantile of the normal distribution (Wilks, 1938). The likelihood is not
/// symmetric. For a single game, this interval therefore contains the true level more often than an
/// interval computed from the curvature.
const DROP: f64 = 1.353;

impl SkillLikelihood {
    /// Adds a move: the choice, and the index of the candidate that was played. Forced moves and
    /// moves of the opening book show no skill, so do not add them.
    pub fn add(&mut self, choice: &Choice, played: usize) {
        self.moves += 1;
        for (number, logarithm) in (0..).zip(&mut self.logarithms) {
            let factor = Skill::new(f64::from(number)).factor();
            let probabilities = Model::FITTED.probabilities(choice, factor);
            *logarithm += probabilities[played].max(f64::MIN_POSITIVE).ln();
        }
    }

    /// Estimates the skill. Returns `None` if no move was added.
    pub fn estimate(&self) -> Option<SkillEstimate> {
        if self.moves == 0 {
            return None;
        }
        let at = |index: usize| self.logarithms[index];
        let best = (1..SKILLS - 1).max_by(|&a, &b| at(a).total_cmp(&at(b)))?;
        // Finds the maximum of the parabola through the best skill and both skills next to it.
        let [before, middle, after] = [at(best - 1), at(best), at(best + 1)];
        let curvature = (2.0 * middle - before - after).max(f64::MIN_POSITIVE);
        let slope = (after - before) / 2.0;
        let shift = (slope / curvature).clamp(-1.0, 1.0);
        let index = best as f64 + shift;
        let top = middle + shift * slope - curvature * shift * shift / 2.0;
        let below = (0..=index as usize).rev();
        let above = index.ceil() as usize..SKILLS;
        let ends = [self.end(below, index, top), self.end(above, index, top)];
        let [low, high] = ends.map(|end| end.map(Skill::new));
        Some(SkillEstimate {
            skill: Skill::new(index),
            interval: [low.unwrap_or(Skill::MIN), high.unwrap_or(Skill::MAX)],
            moves: self.moves,
        })
    }

    /// Returns the interpolated index at which the log-likelihood falls to `top` − [`DROP`]. `top`
    /// is the log-likelihood at index `from`, and `indices` are the next indices in one direction.
    /// Returns `None` if the log-likelihood stays higher up to the last index.
    fn end(&self, indices: impl Iterator<Item = usize>, from: f64, top: f64) -> Option<f64> {
        let cut = top - DROP;
        let (mut last, mut value) = (from, top);
        for index in indices {
            let next = self.logarithms[index];
            if next < cut {
                return Some(last + (index as f64 - last) * (value - cut) / (value - next));
            }
            (last, value) = (index as f64, next);
        }
        None
    }
}

impl SkillEstimate {
    /// Maximum width of the interval of a useful estimate, in levels.
    pub const MAX_WIDTH: f64 = 6.0;

    /// Least number of moves of a useful estimate. Near an end of the scale, the interval can be
    /// narrow after only a few moves.
    pub const MIN_MOVES: usize = 8;

    /// Returns whether the moves are too few or the interval is too wide for a useful estimate.
    pub fn is_vague(&self) -> bool {
        let [low, high] = self.interval;
        self.moves < SkillEstimate::MIN_MOVES
            || high.number() - low.number() > SkillEstimate::MAX_WIDTH
    }
}

/// Formats as `h9.3 (h8.1-h10.5)`, as `h13.2 (from h11.9)` or `h1.4 (up to h3.0)` if the interval
/// reaches an end of the scale, as `above h14`, or as `too few moves`.
impl fmt::Display for SkillEstimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [low, high] = self.interval;
        let skill = self.skill;
        f.pad(&if self.is_vague() {
            "too few moves".to_owned()
        } else if !skill.is_of_a_level() {
            skill.to_string()
        } else if !high.is_of_a_level() {
            format!("{skill} (from {low})")
        } else if low == Skill::MIN {
            format!("{skill} (up to {high})")
        } else {
            format!("{skill} ({low}-{high})")
        })
    }
}
