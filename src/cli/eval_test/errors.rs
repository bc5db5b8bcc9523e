//! Statistics of the errors of searches.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::Known;
use crate::board::Move;
use crate::eval::Value;

/// Sums of errors over positions. They are integers, so they do not depend on the order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Errors {
    pub(super) positions: u64,
    /// Number of positions with an exact label.
    pub(super) exact: u64,
    /// Sum of value minus label, in 1/32 disc.
    signed: i64,
    absolute: u64,
    squared: u64,
    /// Number of positions with move scores in which a move was found.
    moves: u64,
    /// Number of moves found that are best.
    best: u64,
    /// Number of moves found that have a score.
    scored: u64,
    /// Discs lost by the scored moves, in 1/32 disc.
    lost: u64,
    pub(super) nodes: u64,
}

impl Errors {
    /// Returns the errors of one position, searched to `value` with the move `mv`.
    pub(super) fn of(known: &Known, value: Value, mv: Option<Move>, nodes: u64) -> Errors {
        let error = i64::from((value - known.label).units());
        let mv = mv.filter(|_| !known.moves.is_empty());
        let score = mv.and_then(|mv| {
            let known = known.moves.iter().find(|&&(known, _)| known == mv);
            known.map(|&(_, score)| score)
        });
        Errors {
            positions: 1,
            exact: known.is_exact.into(),
            signed: error,
            absolute: error.unsigned_abs(),
            squared: error.unsigned_abs().pow(2),
            moves: mv.is_some().into(),
            best: (score == Some(known.label)).into(),
            scored: score.is_some().into(),
            lost: score.map_or(0, |score| {
                (known.label - score).units().unsigned_abs().into()
            }),
            nodes,
        }
    }

    /// Returns the mean absolute error in discs.
    pub(super) fn mean_absolute(&self) -> Option<f64> {
        mean(self.absolute as f64, self.positions).map(discs)
    }

    /// Returns the mean error in discs, positive if the search is too optimistic.
    pub(super) fn mean(&self) -> Option<f64> {
        mean(self.signed as f64, self.positions).map(discs)
    }

    /// Returns the root mean square error in discs.
    pub(super) fn root_mean_square(&self) -> Option<f64> {
        mean(self.squared as f64, self.positions).map(|square| discs(square.sqrt()))
    }

    /// Returns the share of best moves found, in percent.
    pub(super) fn best_percent(&self) -> Option<f64> {
        mean(100.0 * self.best as f64, self.moves)
    }

    /// Returns the mean discs lost by a move.
    pub(super) fn lost_per_move(&self) -> Option<f64> {
        mean(self.lost as f64, self.scored).map(discs)
    }
}

impl AddAssign for Errors {
    fn add_assign(&mut self, other: Errors) {
        self.positions = self.positions.saturating_add(other.positions);
        self.exact = self.exact.saturating_add(other.exact);
        self.signed = self.signed.saturating_add(other.signed);
        self.absolute = self.absolute.saturating_add(other.absolute);
        self.squared = self.squared.saturating_add(other.squared);
        self.moves = self.moves.saturating_add(other.moves);
        self.best = self.best.saturating_add(other.best);
        self.scored = self.scored.saturating_add(other.scored);
        self.lost = self.lost.saturating_add(other.lost);
        self.nodes = self.nodes.saturating_add(other.nodes);
    }
}

/// Formats a value with two decimals, or `-` for none.
pub(super) fn figure(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"))
}

fn mean(sum: f64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum / count as f64)
}

fn discs(units: f64) -> f64 {
    units / f64::from(Value::PER_DISC)
}
