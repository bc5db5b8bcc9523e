//! Chart of a fit: learning curve, and errors by stage.

use super::StageErrors;
use crate::train::{ErrorStats, Split};
use crate::view::{Axis, Figure, Panel, Tone};

/// Returns the chart of a fit as SVG.
pub(super) fn chart(
    games: u64,
    split: &Split,
    curve: &[[ErrorStats; 2]],
    stages: &[StageErrors],
) -> String {
    Figure {
        title: "Weights fitted to games".to_owned(),
        subtitle: format!(
            "{games} games: {} training positions, {} held-out.",
            split.training.len(),
            split.held_out.len()
        ),
        panels: vec![by_pass(curve), by_stage(stages)],
    }
    .to_string()
}

fn by_pass(curve: &[[ErrorStats; 2]]) -> Panel {
    let line = |of: usize| -> Vec<[f64; 2]> {
        let points = curve.iter().enumerate();
        points
            .map(|(pass, errors)| [pass as f64, errors[of].rmse()])
            .collect()
    };
    let (training, held_out) = (line(0), line(1));
    let highest = highest(&[&training, &held_out]);
    let lowest = [&training, &held_out]
        .into_iter()
        .flatten()
        .fold(highest, |least, point| least.min(point[1]));
    let margin = 0.06 * (highest - lowest);
    Panel::new(
        "Error by pass",
        Axis::new("passes", 0.0, curve.len().saturating_sub(1) as f64),
        Axis::new("RMSE (discs)", lowest - margin, highest + margin),
    )
    .legend(Tone::Grey, "training")
    .legend(Tone::Blue, "held-out")
    .line(Tone::Grey, training)
    .line(Tone::Blue, held_out)
}

fn by_stage(stages: &[StageErrors]) -> Panel {
    let line = |of: &dyn Fn(&StageErrors) -> ErrorStats| -> Vec<[f64; 2]> {
        let points = stages.iter().enumerate();
        points
            .filter(|(_, errors)| of(errors).count > 0.0)
            .map(|(stage, errors)| [4.5 + 2.0 * stage as f64, of(errors).mae()])
            .collect()
    };
    let pattern = line(&|errors| errors.pattern);
    let classic = line(&|errors| errors.classic);
    let constant = line(&|errors| errors.constant);
    let highest = highest(&[&pattern, &classic, &constant]);
    Panel::new(
        "Error on held-out positions by stage",
        Axis::new("discs on the board", 4.0, 64.0),
        Axis::new("MAE (discs)", 0.0, 1.06 * highest),
    )
    .legend(Tone::Blue, "pattern")
    .legend(Tone::Red, "classic")
    .legend(Tone::Grey, "constant")
    .line(Tone::Grey, constant)
    .line(Tone::Red, classic)
    .line(Tone::Blue, pattern)
}

/// Returns the largest value of all lines.
pub(super) fn highest(lines: &[&Vec<[f64; 2]>]) -> f64 {
    let points = lines.iter().copied().flatten();
    points.fold(0.0, |most: f64, point| most.max(point[1]))
}
