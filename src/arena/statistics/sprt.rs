//! Sequential probability ratio test (SPRT): play until the results decide between two hypotheses.
//!
//! Play ends when the log-likelihood ratio leaves the interval [ln β/(1−α), ln (1−β)/α], where α is
//! the type I error and β the type II error.
//! Source: A. Wald, Annals of Mathematical Statistics 16 (1945), 117–186.
//! The hypotheses fix only the strength, not the five probabilities of a pair's results.
//! The generalised test (GSPRT) therefore uses the likeliest probabilities under each hypothesis.
//! Source: M. Van den Bergh, "The GSPRT" and "Normalized Elo" (hardy.uhasselt.be/Fishtest, 2020).
//! That source derives both maximum-likelihood estimates of this file.

use std::f64::consts::SQRT_2;
use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use super::elo::{ELO_PER_DEVIATION, share_of_elo};
use super::tally::{PairTally, SHARES};
use emilia_core::board::excerpt;

/// SPRT between two hypotheses. H0: the first player is at most `elo0` stronger. H1: the first
/// player is at least `elo1` stronger.
///
/// ```
/// use emilia_arena::statistics::{Decision, PairTally, Sprt};
/// let sprt = Sprt::new(0.0, 20.0).unwrap();
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
    /// Type I error: the probability that H1 is accepted if H0 is true.
    alpha: f64,
    /// Type II error: the probability that H0 is accepted if H1 is true.
    beta: f64,
    model: EloModel,
}

/// Elo scale of the bounds `elo0` and `elo1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EloModel {
    /// Elo of the share of points. The number of games until a decision depends on the share of
    /// draws.
    Logistic,
    /// Normalised Elo: the advantage in standard deviations of a game's result, × 800 / ln 10.
    Normalized,
}

/// Default of both error rates.
const ERROR_RATE: f64 = 0.05;

/// Maximum absolute value of `elo0` and `elo1`. For more than about 695 normalised Elo,
/// `likeliest_with_advantage` could fail: its iteration could reach a value of r (see there) for
/// which no probabilities exist.
pub const MAX_ELO: f64 = 500.0;

/// Decision of a test after the results so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Decision {
    /// Neither hypothesis is accepted yet.
    #[serde(rename = "none")]
    Continue,
    /// H0 is accepted: the first player is not `elo1` stronger.
    #[serde(rename = "H0")]
    AcceptH0,
    /// H1 is accepted: the first player is more than `elo0` stronger.
    #[serde(rename = "H1")]
    AcceptH1,
}

/// State of a test after the results so far.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtState {
    /// Log-likelihood ratio of H1 to H0.
    pub llr: f64,
    /// Lower SPRT bound: H0 is accepted at or below it.
    pub lower: f64,
    /// Upper SPRT bound: H1 is accepted at or above it.
    pub upper: f64,
    /// Decision at this log-likelihood ratio.
    pub decision: Decision,
}

/// Formats as `LLR +0.50 in (-2.25, +2.89)`.
impl fmt::Display for SprtState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (llr, lower, upper) = (self.llr, self.lower, self.upper);
        write!(f, "LLR {llr:+.2} in ({lower:.2}, {upper:+.2})")
    }
}

/// Parses `E0,E1`, optionally followed by any of `,alpha=RATE`, `,beta=RATE`, `,model=logistic` and
/// `,model=normalized`.
impl FromStr for Sprt {
    type Err = String;

    fn from_str(text: &str) -> Result<Sprt, String> {
        let mut words = text.split(',').map(str::trim);
        let mut elo = || words.next()?.parse().ok();
        let (Some(elo0), Some(elo1)) = (elo(), elo()) else {
            return Err("expected two numbers of Elo, like 0,20".to_owned());
        };
        let mut sprt = Sprt::new(elo0, elo1)?;
        for word in words {
            match word.split_once('=') {
                Some(("alpha", rate)) => sprt.alpha = error_rate(rate)?,
                Some(("beta", rate)) => sprt.beta = error_rate(rate)?,
                Some(("model", "logistic")) => sprt.model = EloModel::Logistic,
                Some(("model", "normalized")) => sprt.model = EloModel::Normalized,
                _ => {
                    return Err(format!(
                        "'{}': expected alpha=RATE, beta=RATE, model=logistic or model=normalized",
                        excerpt(word)
                    ));
                }
            }
        }
        Ok(sprt)
    }
}

/// Parses an error rate: a probability above 0 and below 0.5.
fn error_rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate| 0.0 < *rate && *rate < 0.5);
    rate.ok_or_else(|| format!("'{}': expected a rate above 0 and below 0.5", excerpt(text)))
}

/// Formats as `0 to 20 normalised Elo, alpha 0.05, beta 0.05`.
impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt {
            elo0,
            elo1,
            alpha,
            beta,
            model,
        } = self;
        let model = match model {
            EloModel::Logistic => "",
            EloModel::Normalized => "normalised ",
        };
        write!(f, "{elo0} to {elo1} {model}Elo, alpha {alpha}, beta {beta}")
    }
}

impl Sprt {
    /// Returns a test of H1 (`elo1`) against H0 (`elo0`) in normalised Elo, both with an error rate
    /// of 5 %.
    ///
    /// # Errors
    /// If `elo0` is not below `elo1`, or a bound is outside ±[`MAX_ELO`].
    pub fn new(elo0: f64, elo1: f64) -> Result<Sprt, String> {
        if -MAX_ELO <= elo0 && elo0 < elo1 && elo1 <= MAX_ELO {
            return Ok(Sprt {
                elo0,
                elo1,
                alpha: ERROR_RATE,
                beta: ERROR_RATE,
                model: EloModel::Normalized,
            });
        }
        Err(format!(
            "the bounds of the test in Elo must be between -{MAX_ELO} and {MAX_ELO}, \
             the lower one first, like 0,20"
        ))
    }

    /// Returns the state of the test after these results.
    pub fn state(&self, tally: &PairTally) -> SprtState {
        let llr = self.llr(tally);
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        let decision = match llr {
            _ if llr >= upper => Decision::AcceptH1,
            _ if llr <= lower => Decision::AcceptH0,
            _ => Decision::Continue,
        };
        SprtState {
            llr,
            lower,
            upper,
            decision,
        }
    }

    fn llr(&self, tally: &PairTally) -> f64 {
        /// Number that replaces a count of 0 pairs, so that every result keeps a positive
        /// probability.
        const TRACE: f64 = 1e-3;
        if tally.pair_count() == 0 {
            return 0.0;
        }
        let counts = tally.pairs.map(|count| (count as f64).max(TRACE));
        let total: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / total);
        let [under_h0, under_h1] = [self.elo0, self.elo1].map(|elo| match self.model {
            EloModel::Logistic => {
                let values = SHARES.map(|share| share - share_of_elo(elo));
                likeliest_with_mean_0(&observed, &values)
            }
            // The share of points of a pair is the mean of two games. Its standard deviation is
            // that of a game divided by √2, so an advantage is √2 times as many standard
            // deviations.
            EloModel::Normalized => {
                likeliest_with_advantage(&observed, SQRT_2 * elo / ELO_PER_DEVIATION)
            }
        });
        (0..counts.len())
            .map(|result| counts[result] * (under_h1[result] / under_h0[result]).ln())
            .sum()
    }
}

/// One number for each of the five results of a pair.
type Pentanomial = [f64; 5];

/// Returns the maximum-likelihood probabilities under which the mean of `values` is 0.
///
/// Let p̂ᵢ be the share of result i in `observed`, and vᵢ its value in `values`. Some values must
/// be positive and some negative.
/// By Lagrange multipliers the probabilities are p̂ᵢ / (1 + θ·vᵢ).
/// The multiplier θ makes the mean of `values` 0 and all probabilities positive.
/// The mean falls from +∞ to −∞ while θ rises from −1 / max(v) to −1 / min(v).
/// Newton's method finds θ. A step that leaves this interval is replaced by a bisection.
/// Source: A. Owen, Biometrika 75 (1988), 237–249.
fn likeliest_with_mean_0(observed: &Pentanomial, values: &Pentanomial) -> Pentanomial {
    const MAX_STEPS: usize = 100;
    let most = values.iter().copied().fold(f64::MIN, f64::max);
    let least = values.iter().copied().fold(f64::MAX, f64::min);
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let mut theta = 0.0;
    for _ in 0..MAX_STEPS {
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
        let next = inside_or_midpoint(newton, low, high);
        let step = (next - theta).abs();
        theta = next;
        if step <= 1e-13 * (1.0 + theta.abs()) {
            break;
        }
    }
    std::array::from_fn(|result| observed[result] / (1.0 + theta * values[result]))
}

/// Returns the maximum-likelihood probabilities with mean ½ plus `deviations` standard deviations.
///
/// Let yᵢ = xᵢ − ½, where xᵢ is the share of points of result i, and let r be the root of the mean
/// of y². The condition is that the mean of y is s·r, where s = t / √(1 + t²) and t is
/// `deviations`.
///
/// This condition is not linear in the probabilities. For a fixed r the condition is linear: the
/// mean of yᵢ − s/2·(yᵢ²/r + r) is 0. The gradients of the two forms of the condition agree at the
/// solution. The solution is therefore a fixed point in r, found by iteration with bisection as
/// fallback.
///
/// For a hypothesis several hundred Elo from the results there can be more than one solution. Each
/// solution makes the hypothesis practically impossible.
/// Source: "Normalized Elo", section 4.1, with other unknowns.
fn likeliest_with_advantage(observed: &Pentanomial, deviations: f64) -> Pentanomial {
    const MAX_ROUNDS: usize = 100;
    const PRECISION: f64 = 1e-9;
    let slope = deviations / deviations.hypot(1.0);
    let centred = SHARES.map(|share| share - 0.5);
    // Bounds of r: y² is at least |y|/4 and at most 1/4 for every result. The mean of y² is r², and
    // the mean of y is s·r, so r is at least |s|/4 and at most 1/2.
    let (mut low, mut high) = (slope.abs() / 4.0, 0.5);
    let mut root = f64::midpoint(low, high);
    let mut likeliest = *observed;
    for _ in 0..MAX_ROUNDS {
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
        root = inside_or_midpoint(found, low, high);
    }
    likeliest
}

/// Returns `x` if it lies between `low` and `high`, or else their midpoint (a bisection step).
fn inside_or_midpoint(x: f64, low: f64, high: f64) -> f64 {
    if low < x && x < high {
        x
    } else {
        f64::midpoint(low, high)
    }
}
