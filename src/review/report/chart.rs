//! SVG chart of a game: Black's score, and the discs lost by each move.

use super::AnalysedGame;
use super::table::decided_by;
use crate::Grade;
use emilia_core::board::Color;
use emilia_view::{Axis, Chart, Mark, Panel, Tone};

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
pub fn chart(game: &AnalysedGame) -> Chart {
    let scores = game.scores.iter();
    let most = EDGE * scores.fold(MIN_DISCS, |most, score| most.max(score.abs()));
    let moves = game.moves.len() as f64;
    let points = (game.scores.iter().enumerate()).map(|(at, &score)| [at as f64, score]);
    let mut curve = vec![
        Mark::Horizontal(0.0, String::new()),
        Mark::Line(Tone::Blue, points.collect()),
    ];
    let turn = game.turn().zip(decided_by(game));
    curve.extend(turn.map(|(turn, meaning)| Mark::Vertical(turn.number as f64, meaning)));
    let curve = Panel {
        title: "Score under best play, for Black".to_owned(),
        legend: Vec::new(),
        x: Axis::new("moves made", 0.0, moves),
        y: Axis::new("discs for Black", -most, most),
        marks: curve,
    };
    let bars = |side| {
        let own = game.moves.iter().filter(|judged| judged.side == side);
        let bars = own.map(|judged| {
            let number = judged.number as f64;
            [number - BAR / 2.0, number + BAR / 2.0, judged.lost]
        });
        bars.collect()
    };
    let worst = game.moves.iter().map(|judged| judged.lost);
    let most_lost = HEADROOM * worst.fold(Grade::Blunder.least_loss(), f64::max);
    let grades = [Grade::Mistake, Grade::Blunder];
    let mut marks = vec![
        Mark::Bars(Tone::Blue, bars(Color::Black)),
        Mark::Bars(Tone::Red, bars(Color::White)),
    ];
    marks.extend(grades.map(|grade| Mark::Horizontal(grade.least_loss(), grade.to_string())));
    let losses = Panel {
        title: "Discs lost by each move against the best one".to_owned(),
        legend: [(Tone::Blue, "Black"), (Tone::Red, "White")]
            .map(|(tone, side)| (tone, side.to_owned()))
            .to_vec(),
        x: Axis::new("move", 0.0, moves + 1.0),
        y: Axis::new("discs lost", 0.0, most_lost),
        marks,
    };
    let opening = game.opening.as_deref().unwrap_or_default();
    let about = [&game.event, &game.date, opening].into_iter();
    let about: Vec<&str> = about.filter(|text| !text.is_empty()).collect();
    Chart {
        title: game.title(),
        subtitle: about.join(", "),
        panels: vec![curve, losses],
    }
}
