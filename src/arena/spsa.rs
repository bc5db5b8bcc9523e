//! SPSA (simultaneous perturbation stochastic approximation): tunes numeric options of a player by
//! games between copies of the player.
//!
//! Each iteration changes all values up or down at random, and plays a pair of games between the
//! copy with these values and the copy with the opposite changes. Then it moves the values towards
//! the winner.
//! Source: J. Spall, IEEE Transactions on Automatic Control 37 (1992), 332–341. The gains follow
//! J. Spall, IEEE Transactions on Aerospace and Electronic Systems 34 (1998), 817–823, with the
//! constants of Fishtest.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use super::statistics::Estimate;
use emilia_core::board::excerpt;

/// Option to tune, with its range.
#[derive(Clone, Debug, PartialEq)]
pub struct TunedOption {
    /// Name of the option, as in a player specification.
    pub name: String,
    range: Range<f64>,
    /// Whether both ends of the range are whole numbers. The player then gets rounded values.
    is_whole: bool,
}

/// Parses `NAME=LOW..HIGH`.
impl FromStr for TunedOption {
    type Err = String;

    fn from_str(text: &str) -> Result<TunedOption, String> {
        let number = |text: &str| {
            text.trim()
                .parse::<f64>()
                .ok()
                .filter(|end| end.is_finite())
        };
        let read = || {
            let (name, ends) = text.split_once('=').filter(|(name, _)| !name.is_empty())?;
            let (low, high) = ends.split_once("..")?;
            let range = number(low)?..number(high)?;
            (range.start < range.end).then(|| TunedOption {
                name: name.trim().to_owned(),
                is_whole: !ends.replace("..", "").contains('.'),
                range,
            })
        };
        let text = excerpt(text);
        read().ok_or_else(|| format!("'{text}': expected NAME=LOW..HIGH, like margin=0.5..4.0"))
    }
}

/// Formats as `NAME=LOW..HIGH`.
impl fmt::Display for TunedOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Range { start, end } = self.range;
        write!(f, "{}={start}..{end}", self.name)
    }
}

impl TunedOption {
    /// Returns the value at `part` of the range: 0 is its start and 1 its end.
    fn value(&self, part: f64) -> f64 {
        self.range.start + part * (self.range.end - self.range.start)
    }

    /// Formats the value at `part` (0 to 1) of the range as the player reads it.
    fn text(&self, part: f64) -> String {
        if self.is_whole {
            format!("{:.0}", self.value(part))
        } else {
            format!("{:.6}", self.value(part))
        }
    }
}

/// Tuning in progress. Values are stored as fractions of their ranges, from 0 to 1.
#[derive(Clone, Debug)]
pub struct Spsa {
    options: Vec<TunedOption>,
    /// Planned number of iterations. The gains depend on it.
    iterations: usize,
    rate: f64,
    seed: u64,
    /// Values of the options, as fractions: `history[n]` holds the values after `n` iterations.
    history: Vec<Vec<f64>>,
}

impl Spsa {
    /// Perturbation in the last iteration, as a fraction of the range. Fishtest's default is half
    /// of this value, but Fishtest plays far more games.
    const LAST_STEP: f64 = 0.1;
    /// Exponents with which the gain (α) and the perturbation (γ) decrease over the iterations.
    const ALPHA: f64 = 0.602;
    const GAMMA: f64 = 0.101;
    /// Stability constant of the gain (A in Spall's notation), as a fraction of the number of
    /// iterations.
    const STABILITY: f64 = 0.1;

    /// Returns a tuning of `iterations` pairs of games. All values begin in the middle of their
    /// ranges.
    ///
    /// `rate` is the gain in the last iteration: if one player wins the pair by 1½ to ½, each value
    /// moves by `rate` times its perturbation towards the value of this player.
    pub fn new(options: Vec<TunedOption>, iterations: usize, rate: f64, seed: u64) -> Spsa {
        Spsa {
            history: vec![vec![0.5; options.len()]],
            options,
            iterations,
            rate,
            seed,
        }
    }

    /// Returns the number of finished iterations.
    pub fn done(&self) -> usize {
        self.history.len() - 1
    }

    /// Returns the perturbation of each value in the next iteration, as a signed fraction of its
    /// range.
    fn perturbation(&self) -> Vec<f64> {
        let number = self.done() as u64 + 1;
        let step = Spsa::LAST_STEP * (self.iterations as f64 / number as f64).powf(Spsa::GAMMA);
        // The seed depends on the iteration only, so a resumed tuning continues as if
        // uninterrupted.
        let mut random = fastrand::Rng::with_seed(self.seed.wrapping_add(number.rotate_left(32)));
        let signed = self
            .options
            .iter()
            .map(|_| if random.bool() { step } else { -step });
        signed.collect()
    }

    /// Returns the option values of both players in the next iteration, formatted for the players.
    pub fn players(&self) -> [Vec<String>; 2] {
        let steps = self.perturbation();
        [1.0, -1.0].map(|sign| {
            let values = self.history[self.done()].iter().zip(&steps);
            let values = values.map(|(value, step)| (value + sign * step).clamp(0.0, 1.0));
            let texts = self.options.iter().zip(values);
            texts.map(|(option, value)| option.text(value)).collect()
        })
    }

    /// Ends an iteration and moves the values towards the winner. `result` is the number of games
    /// that the first of [`players`](Self::players) won, minus the number of games that it lost.
    pub fn update(&mut self, result: i32) {
        let steps = self.perturbation();
        let all = self.iterations as f64;
        let stability = Spsa::STABILITY * all;
        let decay = (stability + all) / (stability + self.done() as f64 + 1.0);
        // In Spall's notation this is a / c, the gain divided by the perturbation `step`. In the
        // last iteration, a = rate · c² with c = `LAST_STEP`.
        let gain = |step: f64| self.rate * Spsa::LAST_STEP.powi(2) * decay.powf(Spsa::ALPHA) / step;
        let values = self.history[self.done()].iter().zip(&steps);
        let moved =
            values.map(|(value, &step)| (value + gain(step) * f64::from(result)).clamp(0.0, 1.0));
        self.history.push(moved.collect());
    }

    /// Estimates the best value of each option: the mean over the second half of the iterations.
    /// The error (half the 95 % interval) follows from the means of the four quarters of that half.
    /// The error is at least the distance that one win moves the value in the last iteration.
    pub fn estimates(&self) -> Vec<Estimate> {
        /// 97.5 % quantile of Student's t with three degrees of freedom, divided by √4.
        const T: f64 = 3.182 / 2.0;
        let half = &self.history[self.history.len() / 2..];
        let estimate = |(index, option): (usize, &TunedOption)| {
            let mean = |part: &[Vec<f64>]| {
                part.iter().map(|values| values[index]).sum::<f64>() / part.len() as f64
            };
            let quarters = half.chunks(half.len().div_ceil(4)).map(mean);
            let spread = quarters
                .map(|quarter| (quarter - mean(half)).powi(2))
                .sum::<f64>();
            // If the value did not move in the second half, the spread is 0. The error is then the
            // distance of one win.
            let error = (T * (spread / 3.0).sqrt()).max(self.rate * Spsa::LAST_STEP);
            let width = option.range.end - option.range.start;
            Estimate::around(option.value(mean(half)), error * width)
        };
        self.options.iter().enumerate().map(estimate).collect()
    }

    /// Returns the current value of each option.
    pub fn values(&self) -> Vec<f64> {
        let now = self.options.iter().zip(&self.history[self.done()]);
        now.map(|(option, &part)| option.value(part)).collect()
    }

    /// Draws the values of each option over the iterations as SVG. The height of the picture is the
    /// range of the option.
    pub fn plot(&self) -> String {
        const COLORS: [&str; 4] = ["#1f6f43", "#b3541e", "#3b5b92", "#7a3b7a"];
        let across = 600.0 / self.done().max(1) as f64;
        let lines = self.options.iter().enumerate().map(|(index, option)| {
            let points = self.history.iter().enumerate().map(|(number, values)| {
                let (x, y) = (across * number as f64, 240.0 * (1.0 - values[index]));
                format!("{x:.1},{y:.1} ")
            });
            let points: String = points.collect();
            let (color, x) = (COLORS[index % COLORS.len()], 150 * index);
            let name = option.name.replace('&', "&amp;").replace('<', "&lt;");
            let Range { start, end } = option.range;
            format!(
                "<polyline fill=\"none\" stroke=\"{color}\" points=\"{points}\"/>\n\
                 <text x=\"{x}\" y=\"-8\" fill=\"{color}\">{name} {start} to {end}</text>\n"
            )
        });
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-30 -30 660 300\" \
             font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"600\" height=\"240\" \
             fill=\"#fff\" stroke=\"#888\"/>\n<text x=\"600\" y=\"258\" text-anchor=\"end\">{} \
             games</text>\n{}</svg>\n",
            2 * self.done(),
            lines.collect::<String>()
        )
    }
}

/// Puts option values into the player specification `spec`. If `spec` contains `{NAME}`, the value
/// replaces it. Otherwise the value becomes a key of a built-in player or an option of a UCI
/// program.
///
/// # Errors
/// If `spec` does not contain `{NAME}`, and is neither `builtin`, with or without keys, nor a UCI
/// program.
pub fn with_values(
    spec: &str,
    options: &[TunedOption],
    values: &[String],
) -> Result<String, String> {
    let mut spec = spec.to_owned();
    for (TunedOption { name, .. }, value) in options.iter().zip(values) {
        let place = format!("{{{name}}}");
        if spec.contains(&place) {
            spec = spec.replace(&place, value);
        } else if let Some(options) = spec.strip_prefix("uci:") {
            spec = format!("uci:option.{name}={value},{options}");
        } else if spec == "builtin" || spec.starts_with("builtin:") {
            let gap = if spec.contains(':') { "," } else { ":" };
            spec = format!("{spec}{gap}{name}={value}");
        } else {
            return Err(format!(
                "--option {name}: '{}' has no place for it (expected builtin:KEY=VALUE,..., or \
                 {place} in it, as in gtp:engine --{name}={place})",
                excerpt(&spec)
            ));
        }
    }
    Ok(spec)
}
