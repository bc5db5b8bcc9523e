//! Estimates of a match from its tally: score share, discs, Elo and LOS, each with its error.

use std::fmt;

use serde::Serialize;

use super::elo::{ELO_PER_DEVIATION, Z_95, elo_of_share, normal_cdf};
use super::tally::{Moments, PairTally};

/// Estimate with its 95 % interval. If the results give no bound on one side, this end is infinite
/// (`null` in JSON). No field is ever NaN.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The estimate itself, in the unit of the estimated quantity: Elo, discs, or a share of
    /// points.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// Returns half the width of the interval. Infinite if an end is infinite.
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Returns an estimate with an infinite interval.
    pub(super) const fn vague(value: f64) -> Estimate {
        Estimate {
            value,
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
        }
    }

    /// Returns whether an end of the interval is finite.
    pub fn is_known(&self) -> bool {
        self.low.is_finite() || self.high.is_finite()
    }

    pub(crate) fn around(value: f64, error: f64) -> Estimate {
        Estimate {
            value,
            low: value - error,
            high: value + error,
        }
    }

    fn of_mean(sample: &Moments) -> Estimate {
        match sample.error_of_mean() {
            Some(error) if error > 0.0 => Estimate::around(sample.mean, Z_95 * error),
            // The variance of one pair is undefined. Equal pairs have variance 0, although their
            // mean still has an error.
            _ => Estimate::vague(sample.mean),
        }
    }
}

/// Formats as `+12.3 ± 4.5`. The precision is the number of decimals, 1 by default.
///
/// If one end is infinite, the other end is written: `+636.4, at least +380.0`.
/// An infinite value, or an interval that is infinite on both sides, is written `n/a`.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = f.precision().unwrap_or(1);
        let Estimate { value, low, high } = *self;
        let error = self.error();
        let is_bound = |(_, end): &(&str, f64)| end.is_finite();
        let bound = [("at least", low), ("at most", high)]
            .into_iter()
            .find(is_bound);
        match bound.filter(|_| !error.is_finite()) {
            Some((which, bound)) => {
                if value.is_finite() {
                    write!(f, "{value:+.decimals$}, ")?;
                }
                write!(f, "{which} {bound:+.decimals$}")
            }
            None if !error.is_finite() => f.write_str("n/a"),
            None => write!(f, "{value:+.decimals$} ± {error:.decimals$}"),
        }
    }
}

/// Estimates of the first player's strength from the pairs played so far.
///
/// Intervals assume a normal distribution with the variance between pairs.
/// Intervals are reliable from a few dozen pairs on.
/// Before the first pair, the estimates are those of equal players, with infinite intervals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MatchSummary {
    /// Share of the points, 0 to 1.
    #[serde(rename = "points")]
    pub share: Estimate,
    /// Disc difference per game.
    pub discs: Estimate,
    /// Logistic Elo. Its interval is the interval of the share, each end converted to Elo. The
    /// conversion is not linear: the end farther from 0 is also farther from the value.
    pub elo: Estimate,
    /// Normalised Elo: the advantage in standard deviations of a game, × 800 / ln 10.
    /// The number of games needed to show that a player is stronger depends only on normalised Elo,
    /// not on the share of draws.
    /// Source: Van den Bergh, "Normalized Elo".
    pub normalized_elo: Estimate,
    /// Likelihood of superiority: the probability, 0 to 1, that the first player is stronger.
    pub los: f64,
}

impl PairTally {
    /// Computes the estimates of these results.
    pub fn summary(&self) -> MatchSummary {
        let sample = self.share();
        let share = Estimate::of_mean(&sample);
        MatchSummary {
            share,
            discs: Estimate::of_mean(&self.discs()),
            elo: elo(&share, sample.count),
            normalized_elo: normalized_elo(&sample),
            los: likelihood_of_superiority(&sample),
        }
    }
}

fn elo(share: &Estimate, pairs: f64) -> Estimate {
    let value = elo_of_share(share.value);
    if value.is_finite() {
        return Estimate {
            value,
            low: elo_of_share(share.low),
            high: elo_of_share(share.high),
        };
    }
    if pairs < 2.0 {
        return Estimate::vague(value);
    }
    // All pairs were won, or all lost, so the value is infinite.
    // The finite end is the 95 % bound of Clopper and Pearson, 1934.
    let bound = elo_of_share(0.05_f64.powf(1.0 / pairs)) * value.signum();
    Estimate {
        value,
        low: bound.min(value),
        high: bound.max(value),
    }
}

fn normalized_elo(share: &Moments) -> Estimate {
    let advantage = share.mean - 0.5;
    match share.variance {
        // The result of a pair is the mean of the results of two games, so its variance is half the
        // variance of a game.
        Some(variance) if variance > 0.0 => Estimate::around(
            ELO_PER_DEVIATION * advantage / (2.0 * variance).sqrt(),
            // `Z_95` standard errors of the mean, in standard deviations of a game, as Elo. The
            // error of the estimated variance is neglected: it is small near equality.
            Z_95 * ELO_PER_DEVIATION / (2.0 * share.count).sqrt(),
        ),
        _ if advantage == 0.0 => Estimate::vague(0.0),
        _ => Estimate::vague(f64::INFINITY.copysign(advantage)),
    }
}

fn likelihood_of_superiority(share: &Moments) -> f64 {
    let advantage = share.mean - 0.5;
    match share.error_of_mean() {
        Some(error) if error > 0.0 => normal_cdf(advantage / error),
        // If all pairs are equal, the variance is 0. LOS is then a posterior probability from a
        // uniform prior: that the first player wins a pair more often than not, given that it won
        // all pairs or lost all pairs.
        _ if advantage == 0.0 => 0.5,
        _ => {
            let doubt = 0.5_f64.powf(share.count + 1.0);
            if advantage > 0.0 { 1.0 - doubt } else { doubt }
        }
    }
}
