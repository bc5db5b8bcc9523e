//! Errors of a net on the held-out positions.

use crate::eval::net::Parameters;
use crate::eval::{Classic, Evaluator, Net, Pattern};
use crate::train::{ErrorStats, LabelledBoard, SampleKind, errors_of};
use crate::view::{Align, Table};

/// Numbers of empties in a row of the table.
const ROW: u32 = 4;

/// Maximum number of empties of a labelled position.
const MOST_EMPTIES: u32 = 60;

/// Errors on the held-out positions in a range of numbers of empties.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Errors {
    /// Least number of empties of the range.
    pub(super) fewest: u32,
    /// Errors of the quantised net, which is used in play.
    pub(super) net: ErrorStats,
    /// Errors of the net before quantisation.
    float: ErrorStats,
    pub(super) pattern: ErrorStats,
    pub(super) classic: ErrorStats,
}

/// Returns the errors by number of empties, in ranges of four.
pub(super) fn by_empties(
    held_out: &[(LabelledBoard, SampleKind)],
    parameters: &Parameters,
    net: &Net,
) -> Vec<Errors> {
    let pattern = Pattern::embedded();
    let rows = (0..=MOST_EMPTIES).step_by(ROW as usize);
    rows.map(|fewest| {
        let of = |predict: &dyn Fn(&LabelledBoard) -> f64| {
            let kinds = SampleKind::ALL.into_iter();
            let errors =
                kinds.map(|kind| errors_of(held_out, kind, fewest..=fewest + ROW - 1, predict));
            errors.fold(ErrorStats::default(), ErrorStats::and)
        };
        Errors {
            fewest,
            net: of(&|one| net.evaluate(&one.board).discs()),
            float: of(&|one| parameters.value(&one.board).into()),
            pattern: of(&|one| pattern.evaluate(&one.board).discs()),
            classic: of(&|one| Classic.evaluate(&one.board).discs()),
        }
    })
    .filter(|errors| errors.net.count > 0.0)
    .collect()
}

/// Returns the table of the errors of all evaluations.
pub(super) fn errors_table(rows: &[Errors]) -> Table {
    let columns = [
        "empties",
        "held-out",
        "net",
        "RMSE",
        "unrounded",
        "pattern",
        "RMSE",
        "classic",
        "RMSE",
    ];
    let mut table = Table::new(columns.map(|name| (name, Align::Right)));
    let mut row = |name: String, errors: &Errors| {
        let both = |error: ErrorStats| [error.mae(), error.rmse()];
        let numbers = [
            &both(errors.net)[..],
            &[errors.float.rmse()],
            &both(errors.pattern),
            &both(errors.classic),
        ];
        let cells = numbers
            .concat()
            .into_iter()
            .map(|discs| format!("{discs:.2}"));
        table.row(
            [name, format!("{:.0}", errors.net.count)]
                .into_iter()
                .chain(cells),
        );
    };
    let mut all = Errors::default();
    for errors in rows {
        row(
            format!("{}-{}", errors.fewest, errors.fewest + ROW - 1),
            errors,
        );
        all = Errors {
            fewest: 0,
            net: all.net.and(errors.net),
            float: all.float.and(errors.float),
            pattern: all.pattern.and(errors.pattern),
            classic: all.classic.and(errors.classic),
        };
    }
    row("all".to_owned(), &all);
    table
}

/// Returns the errors of the net by number of empties and kind of positions.
/// Returns `None` if all positions are of games.
pub(super) fn leaves_table(held_out: &[(LabelledBoard, SampleKind)], net: &Net) -> Option<Table> {
    let errors = |kind, empties| {
        errors_of(held_out, kind, empties..=empties, |one| {
            net.evaluate(&one.board).discs()
        })
    };
    let rows: Vec<[ErrorStats; 3]> = (0..=MOST_EMPTIES)
        .map(|empties| SampleKind::ALL.map(|kind| errors(kind, empties)))
        .collect();
    super::super::kinds_table(&rows)
}
