//! Chart of the training of a net: learning curve, and errors by number of empties.

use super::super::chart::highest;
use super::errors::Errors;
use crate::train::{CurvePoint, ErrorStats, Stream};
use crate::view::{Axis, Figure, Panel, Tone};

/// Positions in one unit of the axis.
const MILLION: f64 = 1e6;

/// Returns the chart as SVG.
pub(super) fn chart(stream: &Stream, curve: &[CurvePoint], errors: &[Errors]) -> String {
    Figure {
        title: "Net".to_owned(),
        subtitle: format!("{} training positions.", stream.len()),
        panels: vec![learning_curve(curve), by_empties(errors)],
    }
    .to_string()
}

fn learning_curve(curve: &[CurvePoint]) -> Panel {
    let line = |of: &dyn Fn(&CurvePoint) -> f64| -> Vec<[f64; 2]> {
        let points = curve.iter();
        points
            .map(|point| [point.positions as f64 / MILLION, of(point)])
            .collect()
    };
    let training = line(&|point| point.training_rmse);
    let held_out = line(&|point| point.held_out_rmse);
    let heights = training.iter().chain(&held_out).map(|point| point[1]);
    let highest = highest(&[&training, &held_out]);
    let lowest = heights.fold(highest, f64::min);
    let margin = 0.06 * (highest - lowest);
    let seen = training.last().map_or(1.0, |point| point[0]);
    Panel::new(
        "Learning curve",
        Axis::new("million positions seen", 0.0, seen),
        Axis::new("RMSE (discs)", lowest - margin, highest + margin),
    )
    .legend(Tone::Grey, "training")
    .legend(Tone::Blue, "held-out")
    .line(Tone::Grey, training)
    .line(Tone::Blue, held_out)
}

fn by_empties(errors: &[Errors]) -> Panel {
    let line = |of: &dyn Fn(&Errors) -> ErrorStats| -> Vec<[f64; 2]> {
        let points = errors.iter();
        points
            .map(|errors| [f64::from(errors.fewest) + 1.5, of(errors).mae()])
            .collect()
    };
    let net = line(&|errors| errors.net);
    let pattern = line(&|errors| errors.pattern);
    let classic = line(&|errors| errors.classic);
    let highest = highest(&[&net, &pattern, &classic]);
    Panel::new(
        "Error on held-out positions",
        Axis::new("empty squares", 0.0, 60.0),
        Axis::new("MAE (discs)", 0.0, 1.06 * highest),
    )
    .legend(Tone::Blue, "net")
    .legend(Tone::Red, "pattern")
    .legend(Tone::Grey, "classic")
    .line(Tone::Grey, classic)
    .line(Tone::Red, pattern)
    .line(Tone::Blue, net)
}
