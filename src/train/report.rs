//! Errors of an evaluation on held-out positions, as a table.

use super::labelled::MAX_EMPTIES;
use super::stream::LabelledBoard;
use emilia_core::board::Board;
use emilia_view::{Align, Table};

/// Statistics of errors: predicted value minus label, in discs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ErrorStats {
    /// Number of errors added.
    pub count: f64,
    signed: f64,
    absolute: f64,
    squares: f64,
}

impl ErrorStats {
    /// Adds one error, in discs.
    pub(super) fn add(&mut self, error: f64) {
        self.count += 1.0;
        self.signed += error;
        self.absolute += error.abs();
        self.squares += error * error;
    }

    /// Mean error in discs. Positive if the predictions are too high on average.
    pub fn mean(&self) -> f64 {
        self.signed / self.count.max(1.0)
    }

    /// Mean absolute error in discs.
    fn mae(&self) -> f64 {
        self.absolute / self.count.max(1.0)
    }

    /// Root mean square error in discs.
    pub(super) fn rmse(&self) -> f64 {
        (self.squares / self.count.max(1.0)).sqrt()
    }
}

/// Range of one row of the table: it covers 4 consecutive numbers of empties.
const EMPTIES_PER_ROW: usize = 4;

/// Returns a table with the errors of `evaluate` on the held-out positions, in discs, by number of
/// empties.
pub fn errors_table(held_out: &[LabelledBoard], evaluate: impl Fn(&Board) -> f64) -> Table {
    /// Index of the last row, which is for all positions.
    const ALL: usize = MAX_EMPTIES / EMPTIES_PER_ROW + 1;
    let mut rows = [ErrorStats::default(); ALL + 1];
    for one in held_out {
        let row = one.board.empty_count() as usize / EMPTIES_PER_ROW;
        let error = evaluate(&one.board) - f64::from(one.label);
        rows[row].add(error);
        rows[ALL].add(error);
    }
    let columns = ["empties", "held-out", "MAE", "RMSE"];
    let mut table = Table::new(columns.map(|name| (name, Align::Right)));
    for (row, errors) in rows.iter().enumerate().filter(|(_, row)| row.count > 0.0) {
        let first = row * EMPTIES_PER_ROW;
        let name = match row {
            ALL => "all".to_owned(),
            _ => format!("{first}-{}", first + EMPTIES_PER_ROW - 1),
        };
        let discs = [errors.mae(), errors.rmse()].map(|discs| format!("{discs:.2}"));
        table.row(
            [name, format!("{:.0}", errors.count)]
                .into_iter()
                .chain(discs),
        );
    }
    table
}
