//! The sequential test: play on until the results tell two hypotheses apart.
//!
//! A. Wald, "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16 (1945), 117–186: play until
//! the log-likelihood ratio of the hypotheses leaves the interval [ln β/(1−α), ln (1−β)/α]. The hypotheses here fix only the
//! strength, not the five probabilities of a pair; the generalised test (GSPRT) puts in the likeliest probabilities under
//! each: M. Van den Bergh, "The GSPRT" and "Normalized Elo" (hardy.uhasselt.be/Fishtest, 2020), where the two maximum
//! likelihood estimates below are derived.

use std::f64::consts::SQRT_2;
use std::fmt;

use super::elo::{ELO_PER_DEVIATION, share_of_elo};
use super::tally::{PairTally, SHARES};

/// What the Elo of the hypotheses means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EloModel {
    /// The share of the points: 400 · log₁₀ of the odds.
    Logistic,
    /// The advantage in standard deviations of a game: a test takes as long for many draws as for few.
    Normalized,
}

/// Whether the first player is at least `elo1` stronger (H1) or at most `elo0` (H0).
///
/// ```
/// use emilia::arena::statistics::{Decision, EloModel, Sprt, PairTally};
/// let sprt = Sprt::new(0.0, 20.0, 0.05, 0.05, EloModel::Normalized).unwrap();
/// let mut tally = PairTally::default();
/// while sprt.state(&tally).decision == Decision::Continue {
///     tally.add_pair(12, 2);
///     tally.add_pair(6, -8);
/// }
/// assert_eq!(sprt.state(&tally).decision, Decision::AcceptH1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    lower: f64,
    upper: f64,
    model: EloModel,
}

/// The largest Elo that a test may have: beyond about 690, no results of pairs have that normalised Elo.
pub const MOST_ELO: f64 = 500.0;

/// The numbers make no test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadSprt {
    /// The Elo bounds are not between −[`MOST_ELO`] and [`MOST_ELO`], or the first is not below the second.
    Elo,
    /// An error rate is not above 0 and below ½.
    ErrorRate,
}

impl fmt::Display for BadSprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BadSprt::Elo => {
                "the Elo bounds of the test must be between -500 and 500, the lower one first, like 0,20"
            }
            BadSprt::ErrorRate => {
                "the error rates of the test must be above 0 and below 0.5, like 0.05"
            }
        })
    }
}

impl std::error::Error for BadSprt {}

/// What a test says at some point of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Play on.
    Continue,
    /// The first player is not `elo1` stronger.
    AcceptH0,
    /// The first player is more than `elo0` stronger.
    AcceptH1,
}

/// `continue`, `H0` or `H1`.
impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Decision::Continue => "continue",
            Decision::AcceptH0 => "H0",
            Decision::AcceptH1 => "H1",
        })
    }
}

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SprtState {
    /// Log-likelihood ratio of H1 to H0.
    pub llr: f64,
    /// H0 is accepted from here down.
    pub lower: f64,
    /// H1 is accepted from here up.
    pub upper: f64,
    /// What follows.
    pub decision: Decision,
}

impl Sprt {
    /// A test of `elo1` against `elo0`, which accepts H1 where H0 is true with probability `alpha`, and H0 where H1 is true
    /// with probability `beta`.
    ///
    /// # Errors
    /// If `elo0` is not below `elo1`, one of them is beyond [`MOST_ELO`], or an error rate is not between 0 and ½.
    pub fn new(
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
        model: EloModel,
    ) -> Result<Sprt, BadSprt> {
        if !(-MOST_ELO <= elo0 && elo0 < elo1 && elo1 <= MOST_ELO) {
            return Err(BadSprt::Elo);
        }
        if ![alpha, beta].iter().all(|&rate| 0.0 < rate && rate < 0.5) {
            return Err(BadSprt::ErrorRate);
        }
        Ok(Sprt {
            elo0,
            elo1,
            lower: (beta / (1.0 - alpha)).ln(),
            upper: ((1.0 - beta) / alpha).ln(),
            model,
        })
    }

    /// Where the test stands after these results.
    pub fn state(&self, tally: &PairTally) -> SprtState {
        let llr = self.llr(tally);
        let decision = if llr >= self.upper {
            Decision::AcceptH1
        } else if llr <= self.lower {
            Decision::AcceptH0
        } else {
            Decision::Continue
        };
        SprtState {
            llr,
            lower: self.lower,
            upper: self.upper,
            decision,
        }
    }

    fn llr(&self, tally: &PairTally) -> f64 {
        /// Stands for a count of 0, so that every result stays possible.
        const TRACE: f64 = 1e-3;
        if tally.pair_count() == 0 {
            return 0.0;
        }
        let counts = tally.pairs().map(|count| (count as f64).max(TRACE));
        let total: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / total);
        let [under_h0, under_h1] = [self.elo0, self.elo1].map(|elo| self.likeliest(&observed, elo));
        (0..counts.len())
            .map(|result| counts[result] * (under_h1[result] / under_h0[result]).ln())
            .sum()
    }

    /// The probabilities of the five results that make the observed frequencies likeliest, among those with this strength.
    fn likeliest(&self, observed: &Pentanomial, elo: f64) -> Pentanomial {
        match self.model {
            EloModel::Logistic => {
                let share = share_of_elo(elo);
                likeliest_with_mean_0(observed, &SHARES.map(|result| result - share))
            }
            // The standard deviation of a pair is that of a game divided by √2.
            EloModel::Normalized => {
                likeliest_with_advantage(observed, SQRT_2 * elo / ELO_PER_DEVIATION)
            }
        }
    }
}

/// Something for each of the five results of a pair.
type Pentanomial = [f64; 5];

/// The likeliest probabilities under which the mean of `values`, some of them above and some below 0, is 0.
///
/// By Lagrange they are p̂ᵢ / (1 + θ·vᵢ), where θ makes the mean 0 and all of them positive (A. Owen, "Empirical
/// likelihood ratio confidence intervals for a single functional", Biometrika 75 (1988), 237–249). The mean falls with θ,
/// from +∞ to −∞ between the two ends: Newton's steps, halved where they leave the bracket.
fn likeliest_with_mean_0(observed: &Pentanomial, values: &Pentanomial) -> Pentanomial {
    const MOST_STEPS: usize = 100;
    let most = values.iter().copied().fold(f64::MIN, f64::max);
    let least = values.iter().copied().fold(f64::MAX, f64::min);
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let mut theta = 0.0;
    for _ in 0..MOST_STEPS {
        let (mut mean, mut slope) = (0.0, 0.0);
        for (&p, &value) in observed.iter().zip(values) {
            let term = value / (1.0 + theta * value);
            mean += p * term;
            slope -= p * term * term;
        }
        if mean > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        let newton = theta - mean / slope;
        let next = if low < newton && newton < high {
            newton
        } else {
            f64::midpoint(low, high)
        };
        let step = (next - theta).abs();
        theta = next;
        if step <= 1e-13 * (1.0 + theta.abs()) {
            break;
        }
    }
    std::array::from_fn(|result| observed[result] / (1.0 + theta * values[result]))
}

/// The likeliest probabilities under which the mean is `deviations` standard deviations above ½.
///
/// With yᵢ = xᵢ − ½ and r the root of the mean of y², the condition is that the mean of y is s·r, s = t / √(1 + t²). It is not
/// linear in the probabilities, but where r is known it says that the mean of yᵢ − s/2·(yᵢ²/r + r) is 0, and its gradient
/// says so too. So the solution is that of the linear problem with the r of the solution, which is found by repeating, and
/// halving where that leaves the bracket (as in "Normalized Elo", section 4.1, with other unknowns). Some hundred Elo away from
/// the results there can be more than one solution; any of them makes the hypothesis as good as impossible.
fn likeliest_with_advantage(observed: &Pentanomial, deviations: f64) -> Pentanomial {
    const MOST_ROUNDS: usize = 100;
    const PRECISION: f64 = 1e-9;
    let slope = deviations / deviations.hypot(1.0);
    let centred = SHARES.map(|share| share - 0.5);
    // No results that meet the condition have an r outside: y² is at least |y|/4, and at most 1/4.
    let (mut low, mut high) = (slope.abs() / 4.0, 0.5);
    let mut root = f64::midpoint(low, high);
    let mut likeliest = *observed;
    for _ in 0..MOST_ROUNDS {
        let values = centred.map(|y| y - slope / 2.0 * (y * y / root + root));
        likeliest = likeliest_with_mean_0(observed, &values);
        let squares = centred.iter().zip(likeliest).map(|(y, p)| y * y * p);
        let found = squares.sum::<f64>().sqrt();
        if (found - root).abs() < PRECISION {
            break;
        }
        if found > root {
            low = root;
        } else {
            high = root;
        }
        root = if low < found && found < high {
            found
        } else {
            f64::midpoint(low, high)
        };
    }
    likeliest
}
