//! [`SkillLikelihood`] and [`SkillEstimate`]: the skill of a player, estimated from moves.

use std::fmt;

use super::{Choice, Model, Skill};

/// Log-likelihood of moves at each whole number of the scale of [`Skill`].
///
/// Sums over the moves of several games are the likelihood of all these moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SkillLikelihood {
    /// Number of moves.
    pub moves: usize,
    /// Natural logarithm of the probability of the moves, at skill 0, 1, and so on.
    pub logarithms: [f64; SKILLS],
}

/// Number of skills: both ends of the scale and the whole numbers between.
pub const SKILLS: usize = (Skill::MAX.number() - Skill::MIN.number()) as usize + 1;

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

/// Half the width of the 90 % interval of a normal distribution, in standard deviations.
const NORMAL_90: f64 = 1.645;

impl SkillLikelihood {
    /// Adds a move: a choice, and the index of the candidate that was played. Leave out forced
    /// moves and moves of the opening book.
    pub fn add(&mut self, choice: &Choice, played: usize) {
        self.moves += 1;
        for (number, logarithm) in (0..).zip(&mut self.logarithms) {
            let skill = Skill::new(Skill::MIN.number() + f64::from(number));
            let probabilities = Model::FITTED.probabilities(choice, skill.factor());
            *logarithm += probabilities[played].max(f64::MIN_POSITIVE).ln();
        }
    }

    /// Adds the moves of another game.
    pub fn merge(&mut self, other: &SkillLikelihood) {
        self.moves += other.moves;
        for (sum, other) in self.logarithms.iter_mut().zip(other.logarithms) {
            *sum += other;
        }
    }

    /// Estimates the skill. `None` without moves.
    pub fn estimate(&self) -> Option<SkillEstimate> {
        if self.moves == 0 {
            return None;
        }
        let at = |index: usize| self.logarithms[index];
        let best = (1..SKILLS - 1).max_by(|&a, &b| at(a).total_cmp(&at(b)))?;
        // The parabola through three skills around the best one.
        let [before, top, after] = [at(best - 1), at(best), at(best + 1)];
        let curvature = (2.0 * top - before - after).max(f64::MIN_POSITIVE);
        let shift = ((after - before) / (2.0 * curvature)).clamp(-1.0, 1.0);
        let number = Skill::MIN.number() + best as f64 + shift;
        let half = NORMAL_90 / curvature.sqrt();
        Some(SkillEstimate {
            skill: Skill::new(number),
            interval: [number - half, number + half].map(Skill::new),
            moves: self.moves,
        })
    }
}

impl SkillEstimate {
    /// An interval wider than this number of levels comes from too few moves.
    pub const MAX_WIDTH: f64 = 6.0;

    /// Returns whether the moves are too few for a useful estimate.
    pub fn is_vague(&self) -> bool {
        let [low, high] = self.interval;
        high.number() - low.number() > SkillEstimate::MAX_WIDTH
    }
}

/// Formats as `h9.3 (h8.1-h10.5)`, or `too few moves`.
impl fmt::Display for SkillEstimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [low, high] = self.interval;
        f.pad(&match self.is_vague() {
            true => "too few moves".to_owned(),
            false => format!("{} ({low}-{high})", self.skill),
        })
    }
}
