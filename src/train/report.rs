//! Report of a training: its learning curve and its errors on held-out positions, as tables.

use super::checkpoint::CurvePoint;
use super::labelled::MAX_EMPTIES;
use super::stream::LabelledBoard;
use emilia_core::board::Board;
use emilia_view::{Align, Table};

/// Statistics of prediction errors (prediction minus label), in discs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ErrorStats {
    /// Number of predictions.
    pub count: f64,
    signed: f64,
    absolute: f64,
    squares: f64,
}

impl ErrorStats {
    /// Adds the error of one prediction, in discs.
    pub(super) fn add(&mut self, error: f64) {
        self.count += 1.0;
        self.signed += error;
        self.absolute += error.abs();
        self.squares += error * error;
    }

    /// Returns the mean error in discs. Positive if predictions are too high.
    pub fn mean(&self) -> f64 {
        self.signed / self.count.max(1.0)
    }

    /// Returns the mean absolute error in discs.
    fn mae(&self) -> f64 {
        self.absolute / self.count.max(1.0)
    }

    /// Returns the root mean square error in discs.
    pub(super) fn rmse(&self) -> f64 {
        (self.squares / self.count.max(1.0)).sqrt()
    }
}

/// An evaluation in a report: its name, and its value of a board in discs.
/// The value is `None` for boards that the evaluation is not for.
pub type NamedEvaluation<'a> = (&'static str, &'a dyn Fn(&Board) -> Option<f64>);

/// Numbers of empties in a row of the table of errors.
const EMPTIES_PER_ROW: usize = 4;

/// Returns the learning curve, if there is one, and the errors of `evaluations` on the held-out
/// positions by number of empties. The first evaluation has a value of each board.
pub fn tables(
    curve: &[CurvePoint],
    held_out: &[LabelledBoard],
    evaluations: &[NamedEvaluation],
) -> Vec<Table> {
    let errors = errors_table(held_out, evaluations);
    if curve.is_empty() {
        return vec![errors];
    }
    let columns = ["positions", "RMSE training", "RMSE held-out"];
    let mut table = Table::new(columns.map(|name| (name, Align::Right)));
    for point in curve {
        table.row([
            point.positions.to_string(),
            format!("{:.3}", point.training_rmse),
            format!("{:.3}", point.held_out_rmse),
        ]);
    }
    vec![table, errors]
}

fn errors_table(held_out: &[LabelledBoard], evaluations: &[NamedEvaluation]) -> Table {
    /// The last row has the errors on all positions.
    const ALL: usize = MAX_EMPTIES / EMPTIES_PER_ROW + 1;
    let mut rows = vec![vec![ErrorStats::default(); evaluations.len()]; ALL + 1];
    for one in held_out {
        let row = one.board.empty_count() as usize / EMPTIES_PER_ROW;
        for (at, (_, evaluate)) in evaluations.iter().enumerate() {
            if let Some(value) = evaluate(&one.board) {
                let error = value - f64::from(one.label);
                rows[row][at].add(error);
                rows[ALL][at].add(error);
            }
        }
    }
    let names = evaluations.iter().flat_map(|&(name, _)| [name, "RMSE"]);
    let columns = ["empties", "held-out"].into_iter().chain(names);
    let mut table = Table::new(columns.map(|name| (name, Align::Right)));
    let shown = rows.iter().enumerate();
    for (row, errors) in shown.filter(|(_, errors)| errors[0].count > 0.0) {
        let first = row * EMPTIES_PER_ROW;
        let name = match row {
            ALL => "all".to_owned(),
            _ => format!("{first}-{}", first + EMPTIES_PER_ROW - 1),
        };
        let discs = errors.iter().flat_map(|error| {
            [error.mae(), error.rmse()].map(|discs| match error.count {
                0.0 => String::new(),
                _ => format!("{discs:.2}"),
            })
        });
        let head = [name, format!("{:.0}", errors[0].count)];
        table.row(head.into_iter().chain(discs));
    }
    table
}
