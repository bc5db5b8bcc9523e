//! SVG chart of a game: the score after each move, and a mark at the move that decided the game.
//! The template `web/chart.svg` has the drawing commands. Its sizes must agree with the constants
//! of this file.

use super::AnalysedGame;
use super::page::{escaped, filled};
use super::table::decided_by;

/// Scores up to this number of discs for either side are always on the vertical axis, even if all
/// scores of the game are smaller.
const MIN_DISCS: f64 = 8.0;

/// Score at the top of the vertical axis, as a multiple of the largest absolute score of the game,
/// or of [`MIN_DISCS`] if that is larger. The margin keeps the curve away from the edge.
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
    /// differ by 1, 2 or 5 times a power of ten. There are at most `most` + 1 ticks.
    fn ticks(&self, most: f64) -> impl Iterator<Item = (f64, String)> {
        let [low, high] = [f64::min, f64::max].map(|of| of(self.ends[0], self.ends[1]));
        let least = (high - low) / most;
        let power = 10_f64.powf(least.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
        let is_enough = |step: &f64| *step >= least * (1.0 - 1e-9);
        let step = steps.into_iter().find(is_enough).unwrap_or(least);
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        let numbers = (low / step).ceil() as i64..=(high / step).floor() as i64;
        let values = numbers.map(move |number| number as f64 * step);
        let label = move |value| format!("{value:.decimals$}").replace('-', "−");
        values.map(move |value| (self.at(value), label(value)))
    }
}

/// Draws the chart of a game as SVG.
pub fn chart(game: &AnalysedGame) -> String {
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
    let curve =
        scores.map(|(moves, &score)| format!("{:.1} {:.1}", x.at(moves as f64), y.at(score)));
    let decided = game.turn().zip(decided_by(game));
    let turn = decided.map(|(turn, meaning)| turning_point(x.at(turn.number as f64), &meaning));
    let subtitle = escaped(&about.join(", "));
    let subtitle = match &*subtitle {
        "" => String::new(),
        text => format!("\n<text class=\"label\" x=\"24.0\" y=\"58.0\">{text}</text>"),
    };
    let values = [
        ("title", &*escaped(&game.title())),
        ("subtitle", &subtitle),
        ("discs", &y.ticks(6.0).map(disc_tick).collect::<String>()),
        ("moves", &x.ticks(8.0).map(move_tick).collect::<String>()),
        ("zero", &format!("{:.1}", y.at(0.0))),
        ("curve", &curve.collect::<Vec<_>>().join("L")),
        ("turn", &turn.unwrap_or_default()),
    ];
    filled(include_str!("web/chart.svg"), &values)
}

/// Draws a line of the grid at a number of discs, with its label.
fn disc_tick((at, label): (f64, String)) -> String {
    format!(
        "\n<path class=\"grid\" d=\"M0 {at:.1}H430\"/>\n<text class=\"end\" x=\"-9.0\" y=\"{:.1}\">{label}</text>",
        at + 4.0
    )
}

/// Draws a tick at a number of moves, with its label.
fn move_tick((at, label): (f64, String)) -> String {
    format!(
        "\n<path class=\"axis\" d=\"M{at:.1} 270v5\"/>\n<text class=\"middle\" x=\"{at:.1}\" y=\"290.0\">{label}</text>"
    )
}

/// Draws the line of the move that decided the game. Its label is on the side with more space.
fn turning_point(at: f64, meaning: &str) -> String {
    let (class, label) = if at > SIZE[0] / 2.0 {
        ("end", at - 5.0)
    } else {
        ("start", at + 5.0)
    };
    let line = |class| format!("\n<path class=\"{class}\" d=\"M{at:.1} 0V270\"/>");
    let text = format!(
        "\n<text class=\"{class} meaning\" x=\"{label:.1}\" y=\"14.0\">{}</text>",
        escaped(meaning)
    );
    [line("edge"), line("mark"), text].concat()
}
