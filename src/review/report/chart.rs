//! Picture of a game: the score after each move, and the discs that each move loses.
//! `web/chart.svg` draws it, with the sizes that this file has too.

use std::io;

use serde_json::{Value, json};

use super::AnalysedGame;
use super::page::render;
use super::table::decided_by;
use crate::Grade;
use emilia_core::board::Color;

/// Least score at the top of the curve, in discs.
const MIN_DISCS: f64 = 8.0;

/// Factor between the largest loss and the top of the panel, which leaves room for the name of a
/// grade.
const HEADROOM: f64 = 1.2;

/// Factor between the largest score and the edge of the panel.
const EDGE: f64 = 1.05;

/// Width and height of a panel in pixels.
const SIZE: [f64; 2] = [430.0, 270.0];

/// Width of a bar in moves.
const BAR: f64 = 0.8;

/// Width of the gap between bars in pixels.
const GAP: f64 = 1.0;

/// Range of values along a side of a panel, and its length in pixels.
struct Axis {
    low: f64,
    high: f64,
    length: f64,
}

impl Axis {
    fn new(length: f64, low: f64, high: f64) -> Axis {
        Axis { low, high, length }
    }

    /// Returns the distance of a value from the low end.
    fn at(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low) * self.length
    }

    /// Returns the distance of a value from the high end.
    fn below(&self, value: f64) -> f64 {
        self.length - self.at(value)
    }

    /// Returns round values and their labels, at least `1 / most` of the axis apart.
    fn ticks(&self, most: f64) -> impl Iterator<Item = (f64, String)> {
        let least = (self.high - self.low) / most;
        let power = 10_f64.powf(least.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
        let is_enough = |step: &f64| *step >= least * (1.0 - 1e-9);
        let step = steps.into_iter().find(is_enough).unwrap_or(least);
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        let numbers = (self.low / step).ceil() as i64..=(self.high / step).floor() as i64;
        let values = numbers.map(move |number| number as f64 * step);
        let label = move |value| format!("{value:.decimals$}").replace('-', "−");
        values.map(move |value| (value, label(value)))
    }

    /// Returns the labels of a panel's lower side.
    fn across(&self, label: &str) -> Value {
        let ticks = self.ticks(8.0).map(|(value, name)| (self.at(value), name));
        json!({ "label": label, "ticks": ticks.collect::<Vec<_>>() })
    }

    /// Returns the labels of a panel's left side.
    fn up(&self, label: &str) -> Value {
        let values = self.ticks(6.0);
        let ticks = values.map(|(value, name)| (self.below(value), name));
        json!({ "label": label, "ticks": ticks.collect::<Vec<_>>() })
    }
}

/// Draws the picture of a game as SVG.
///
/// # Errors
/// If the template cannot be filled in.
pub fn chart(game: &AnalysedGame) -> io::Result<String> {
    let opening = game.opening.as_deref().unwrap_or_default();
    let mut about: Vec<&str> = vec![&game.event, &game.date, opening];
    about.retain(|text| !text.is_empty());
    let panels = [score_panel(game), loss_panel(game)];
    let values = json!({
        "title": game.title(), "subtitle": about.join(", "), "panels": panels,
    });
    render("chart.svg", &values)
}

/// Returns the curve of the score, with the move that decided the game.
fn score_panel(game: &AnalysedGame) -> Value {
    let scores = game.scores.iter();
    let most = EDGE * scores.fold(MIN_DISCS, |most, score| most.max(score.abs()));
    let x = Axis::new(SIZE[0], 0.0, game.moves.len().max(1) as f64);
    let y = Axis::new(SIZE[1], -most, most);
    let scores = game.scores.iter().enumerate();
    let points = scores.map(|(moves, &score)| [x.at(moves as f64), y.below(score)]);
    let decided = game.turn().zip(decided_by(game));
    let turn =
        decided.map(|(turn, meaning)| json!({ "x": x.at(turn.number as f64), "meaning": meaning }));
    json!({
        "left": 76,
        "title": "Score under best play, for Black",
        "x": x.across("moves made"),
        "y": y.up("discs for Black"),
        "lines": [(y.below(0.0), "")],
        "curve": points.collect::<Vec<_>>(),
        "turn": turn,
    })
}

/// Returns the bars of the losses, with the least losses of the bad grades.
fn loss_panel(game: &AnalysedGame) -> Value {
    let losses = game.moves.iter().map(|judged| judged.lost);
    let most = HEADROOM * losses.fold(Grade::Blunder.least_loss(), f64::max);
    let x = Axis::new(SIZE[0], 0.0, game.moves.len() as f64 + 1.0);
    let y = Axis::new(SIZE[1], 0.0, most);
    let sides = [(Color::Black, "#2f6db5"), (Color::White, "#c8553d")];
    let losses_of_sides = sides.iter().flat_map(|(side, fill)| {
        let own = game.moves.iter().filter(move |judged| judged.side == *side);
        own.map(move |judged| (judged.number as f64, judged.lost, fill))
    });
    let bars = losses_of_sides.map(|(number, lost, fill)| {
        let left = x.at(number - BAR / 2.0) + GAP / 2.0;
        json!({ "x": left, "y": y.below(lost), "fill": fill })
    });
    let grades = [Grade::Mistake, Grade::Blunder];
    json!({
        "left": 606,
        "title": "Discs lost by each move against the best one",
        "x": x.across("move"),
        "y": y.up("discs lost"),
        "bar": x.at(BAR) - GAP,
        "bars": bars.collect::<Vec<_>>(),
        "lines": grades.map(|grade| (y.below(grade.least_loss()), grade.to_string())),
    })
}
