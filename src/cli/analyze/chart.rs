//! The scores of a game as a chart.

use super::table::{numbered, title};
use crate::analysis::{Analysis, Grade, Judgement};
use crate::board::Color;
use crate::eval::Value;
use crate::game::Game;
use crate::view::{Axis, Figure, Panel, Tone};

/// The least that the axis of scores shows, in discs either way.
const LEAST_DISCS: f64 = 8.0;

/// What the axis of discs lost shows, in parts of the greatest loss or of a blunder: a line and its
/// name stay below the edge.
const HEADROOM: f64 = 1.2;

/// What the axis of scores shows, in parts of the greatest score: the curve stays off the edge.
const EDGE: f64 = 1.05;

/// How wide a bar is, in moves.
const BAR: f64 = 0.8;

/// Black's score before each move and after the last, and the discs that each move lost.
pub(super) fn chart(game: &Game, analysis: &Analysis) -> Figure {
    let scores: Vec<f64> = analysis.scores_for_black().map(Value::discs).collect();
    let most = scores
        .iter()
        .fold(LEAST_DISCS, |most, score| most.max(score.abs()));
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
