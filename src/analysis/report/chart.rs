//! SVG chart of a game: Black's score, and the discs lost by each move.

use super::table::{numbered, title};
use crate::analysis::{Analysis, Grade, Judgement};
use crate::board::Color;
use crate::eval::Value;
use crate::game::Game;
use crate::view::{Axis, Figure, Panel, Tone};

/// Least upper end of the score axis, in discs.
const MIN_DISCS: f64 = 8.0;

/// Height of the loss axis as a multiple of the greatest loss or of a blunder.
/// The extra height keeps the named lines inside the panel.
const HEADROOM: f64 = 1.2;

/// Height of the score axis as a multiple of the greatest score, so that the curve has a margin.
const EDGE: f64 = 1.05;

/// Width of a bar, in moves.
const BAR: f64 = 0.8;

/// Returns the chart: scores for Black before each move and after the last, and losses by move.
pub fn chart(game: &Game, analysis: &Analysis) -> Figure {
    let scores: Vec<f64> = analysis.scores_for_black().map(Value::discs).collect();
    let most = scores
        .iter()
        .fold(MIN_DISCS, |most, score| most.max(score.abs()));
    let moves = analysis.moves.len() as f64;
    let most = most * EDGE;
    let points = scores
        .iter()
        .enumerate()
        .map(|(at, &score)| [at as f64, score]);
    let curve = Panel::new(
        "Score under best play, for Black",
        Axis::new("moves made", 0.0, moves),
        Axis::new("discs for Black", -most, most),
    )
    .horizontal(0.0)
    .line(Tone::Blue, points.collect());
    let curve = match analysis.turning_point() {
        Some(turn) => {
            let meaning = format!("decided by {}", numbered(turn));
            curve.vertical_named(turn.number as f64, meaning)
        }
        None => curve,
    };
    let bars = |color| {
        let own = analysis.moves_of(color).map(|judgement| {
            let number = judgement.number as f64;
            [number - BAR / 2.0, number + BAR / 2.0, judgement.loss()]
        });
        own.collect()
    };
    let worst = analysis.moves.iter().map(Judgement::loss);
    let most_lost = HEADROOM * worst.fold(Grade::Blunder.least_loss(), f64::max);
    let losses = Panel::new(
        "Discs lost by each move against the best one",
        Axis::new("move", 0.0, moves + 1.0),
        Axis::new("discs lost", 0.0, most_lost),
    )
    .legend(Tone::Blue, "Black")
    .legend(Tone::Red, "White")
    .bars(Tone::Blue, bars(Color::Black))
    .bars(Tone::Red, bars(Color::White));
    let losses = [Grade::Mistake, Grade::Blunder]
        .into_iter()
        .fold(losses, |panel, grade| {
            panel.horizontal_named(grade.least_loss(), grade.to_string())
        });
    let opening = game.opening().map_or("", |opening| opening.name);
    let about = [&game.tags.event, &game.tags.date, opening];
    let about: Vec<&str> = about.into_iter().filter(|text| !text.is_empty()).collect();
    Figure {
        title: title(game),
        subtitle: about.join(", "),
        panels: vec![curve, losses],
    }
}
