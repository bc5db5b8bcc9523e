//! Report of a training run: its learning curve and its errors on held-out positions, as tables.

use super::checkpoint::CurvePoint;
use super::errors::{ErrorStats, SampleKind};
use super::labelled::MAX_EMPTIES;
use super::stream::LabelledBoard;
use emilia_core::board::Board;
use emilia_view::{Align, Table};

/// An evaluation in a report: its name, and its value of a board in discs.
/// The value is `None` for boards that the evaluation is not for.
pub type NamedEvaluation<'a> = (&'static str, &'a dyn Fn(&Board) -> Option<f64>);

/// Numbers of empties in a row of the table of errors.
const EMPTIES_PER_ROW: usize = 4;

/// Report of a training run.
#[derive(Debug)]
pub struct TrainingReport {
    curve: Vec<CurvePoint>,
    names: Vec<&'static str>,
    /// Held-out errors: `errors[evaluation][empties]`.
    errors: Vec<Vec<ErrorStats>>,
    /// Held-out errors of the first evaluation: `kinds[empties][kind of position]`.
    kinds: Vec<[ErrorStats; 3]>,
}

impl TrainingReport {
    /// Measures the errors of `evaluations` on the held-out positions. The trained one
    /// comes first.
    pub fn new(
        curve: &[CurvePoint],
        held_out: &[(LabelledBoard, SampleKind)],
        evaluations: &[NamedEvaluation],
    ) -> TrainingReport {
        let mut errors = vec![vec![ErrorStats::default(); evaluations.len()]; MAX_EMPTIES + 1];
        let mut kinds = vec![[ErrorStats::default(); 3]; MAX_EMPTIES + 1];
        for (one, kind) in held_out {
            let empties = one.board.empty_count() as usize;
            for (at, (_, evaluate)) in evaluations.iter().enumerate() {
                let Some(value) = evaluate(&one.board) else {
                    continue;
                };
                let error = value - f64::from(one.label);
                errors[empties][at].add(error);
                if at == 0 {
                    kinds[empties][*kind as usize].add(error);
                }
            }
        }
        TrainingReport {
            curve: curve.to_vec(),
            names: evaluations.iter().map(|(name, _)| *name).collect(),
            errors,
            kinds,
        }
    }

    /// Returns the tables: learning curve, errors by number of empties, and errors by kind.
    /// The last one is left out if all held-out positions are of games.
    pub fn tables(&self) -> impl Iterator<Item = Table> {
        let fixed = [self.curve_table(), self.errors_table()];
        fixed.into_iter().chain(self.kinds_table())
    }

    fn curve_table(&self) -> Table {
        let columns = ["positions", "RMSE training", "RMSE held-out"];
        let mut table = Table::new(columns.map(|name| (name, Align::Right)));
        for point in &self.curve {
            table.row([
                point.positions.to_string(),
                format!("{:.3}", point.training_rmse),
                format!("{:.3}", point.held_out_rmse),
            ]);
        }
        table
    }

    /// Returns the errors in each range of empties that has positions, by its first number.
    fn ranges(&self) -> impl Iterator<Item = (usize, Vec<ErrorStats>)> {
        let ranges = self.errors.chunks(EMPTIES_PER_ROW).enumerate();
        ranges
            .map(|(at, rows)| (at * EMPTIES_PER_ROW, total(rows)))
            .filter(|(_, errors)| errors[0].count > 0.0)
    }

    fn errors_table(&self) -> Table {
        let names = self.names.iter().flat_map(|&name| [name, "RMSE"]);
        let columns = ["empties", "held-out"].into_iter().chain(names);
        let mut table = Table::new(columns.map(|name| (name, Align::Right)));
        let mut row = |name: String, errors: &[ErrorStats]| {
            let discs = errors.iter().flat_map(|error| {
                [error.mae(), error.rmse()].map(|discs| match error.count {
                    0.0 => String::new(),
                    _ => format!("{discs:.2}"),
                })
            });
            table.row(
                [name, format!("{:.0}", errors[0].count)]
                    .into_iter()
                    .chain(discs),
            );
        };
        for (first, errors) in self.ranges() {
            row(format!("{first}-{}", first + EMPTIES_PER_ROW - 1), &errors);
        }
        row("all".to_owned(), &total(&self.errors));
        table
    }

    fn kinds_table(&self) -> Option<Table> {
        let is_shown = |errors: &[ErrorStats; 3]| errors[1].count + errors[2].count > 0.0;
        let shown = self.kinds.iter().enumerate();
        let shown: Vec<_> = shown.filter(|(_, errors)| is_shown(errors)).collect();
        if shown.is_empty() {
            return None;
        }
        let names = SampleKind::ALL.map(|kind| [kind.name(), "mean", "MAE"]);
        let columns = std::iter::once("empties").chain(names.into_iter().flatten());
        let mut table = Table::new(columns.map(|name| (name, Align::Right)));
        let mut row = |name: String, errors: &[ErrorStats]| {
            let cells = errors.iter().flat_map(|error| {
                [
                    format!("{:.0}", error.count),
                    format!("{:+.2}", error.mean()),
                    format!("{:.2}", error.mae()),
                ]
            });
            table.row(std::iter::once(name).chain(cells));
        };
        for (empties, errors) in &shown {
            row(empties.to_string(), &errors[..]);
        }
        let rows: Vec<Vec<ErrorStats>> = shown.iter().map(|(_, errors)| errors.to_vec()).collect();
        row("all".to_owned(), &total(&rows));
        Some(table)
    }
}

/// Adds up the errors of all rows, column by column.
fn total(rows: &[Vec<ErrorStats>]) -> Vec<ErrorStats> {
    let columns = 0..rows[0].len();
    let sum = |at: usize| {
        rows.iter()
            .fold(ErrorStats::default(), |sum, row| sum.and(row[at]))
    };
    columns.map(sum).collect()
}
