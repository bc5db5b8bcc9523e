//! SVG chart of a game: the score after each move, and a mark at the move that decided the game.
//! The template `web/chart.svg` has the drawing commands. Its sizes must agree with the constants
//! of this file.

use std::io;

use serde_json::json;

use super::AnalysedGame;
use super::page::render;
use super::table::decided_by;

/// Score in discs that the vertical axis shows at least, for both sides.
const MIN_DISCS: f64 = 8.0;

/// Score at the top of the vertical axis, relative to the largest absolute score that it shows. The
/// margin keeps the curve away from the edge.
const EDGE: f64 = 1.05;

/// Width and height of the plot in pixels.
const SIZE: [f64; 2] = [430.0, 270.0];

/// Axis of the chart. `ends` are the values at its left and right end, or at its top and bottom
/// end. `length` is in pixels.
struct Axis {
    ends: [f64; 2],
    length: f64,
}

impl Axis {
    /// Returns the distance in pixels between `value` and the first end.
    fn at(&self, value: f64) -> f64 {
        let [first, last] = self.ends;
        (value - first) / (last - first) * self.length
    }

    /// Returns the ticks as (distance from the first end in pixels, label). Neighbouring ticks
    /// differ by 1, 2 or 5 times a power of ten, and there are about `most` ticks at most.
    fn ticks(&self, most: f64) -> Vec<(f64, String)> {
        let [low, high] = [f64::min, f64::max].map(|of| of(self.ends[0], self.ends[1]));
        let least = (high - low) / most;
        let power = 10_f64.powf(least.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
        let is_enough = |step: &f64| *step >= least * (1.0 - 1e-9);
        let step = steps.into_iter().find(is_enough).unwrap_or(least);
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        let numbers = (low / step).ceil() as i64..=(high / step).floor() as i64;
        let values = numbers.map(|number| number as f64 * step);
        let label = |value| format!("{value:.decimals$}").replace('-', "−");
        values.map(|value| (self.at(value), label(value))).collect()
    }
}

/// Draws the chart of a game as SVG.
///
/// # Errors
/// If the template cannot be rendered.
pub fn chart(game: &AnalysedGame) -> io::Result<String> {
    let opening = game.opening.as_deref().unwrap_or_default();
    let mut about: Vec<&str> = vec![&game.event, &game.date, opening];
    about.retain(|text| !text.is_empty());
    let scores = game.scores.iter();
    let most = EDGE * scores.fold(MIN_DISCS, |most, score| most.max(score.abs()));
    let x = Axis {
        ends: [0.0, game.moves.len().max(1) as f64],
        length: SIZE[0],
    };
    let y = Axis {
        ends: [most, -most],
        length: SIZE[1],
    };
    let scores = game.scores.iter().enumerate();
    let curve = scores.map(|(moves, &score)| [x.at(moves as f64), y.at(score)]);
    let decided = game.turn().zip(decided_by(game));
    let turn =
        decided.map(|(turn, meaning)| json!({ "x": x.at(turn.number as f64), "meaning": meaning }));
    let values = json!({
        "title": game.title(),
        "subtitle": about.join(", "),
        "moves": x.ticks(8.0),
        "discs": y.ticks(6.0),
        "zero": y.at(0.0),
        "curve": curve.collect::<Vec<_>>(),
        "turn": turn,
    });
    render("chart.svg", &values)
}
