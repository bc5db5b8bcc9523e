//! Sums of errors, from which the figures are made. Stands on `board` and `eval`.

use std::ops::AddAssign;

use super::Known;
use crate::board::Move;
use crate::eval::Value;

/// The errors of some positions, in whole numbers: their sum does not depend on the order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Errors {
    pub(super) positions: u64,
    /// Value found minus true score, in 1/32 disc.
    signed: i64,
    absolute: u64,
    squared: u64,
    /// Positions where a move was found and the scores of moves are known.
    moves: u64,
    /// Those of them where the move is a best one.
    best: u64,
    /// Those of them where the score of the move is known.
    priced: u64,
    /// The discs that these moves lose.
    lost: u64,
    pub(super) nodes: u64,
}

impl Errors {
    /// The errors of one position.
    pub(super) fn of(known: &Known, value: Value, mv: Option<Move>, nodes: u64) -> Errors {
        let error = i64::from((value - Value::from_score(known.best)).units());
        let mv = mv.filter(|_| !known.moves.is_empty());
        let score = mv.and_then(|mv| {
            let known = known.moves.iter().find(|&&(known, _)| known == mv);
            known.map(|&(_, score)| score)
        });
        Errors {
            positions: 1,
            signed: error,
            absolute: error.unsigned_abs(),
            squared: error.unsigned_abs().pow(2),
            moves: mv.is_some().into(),
            best: (score == Some(known.best)).into(),
            priced: score.is_some().into(),
            lost: score.map_or(0, |score| known.best.abs_diff(score).into()),
            nodes,
        }
    }

    /// Mean absolute error in discs.
    pub(super) fn mean_absolute(&self) -> Option<f64> {
        mean(self.absolute as f64, self.positions).map(discs)
    }

    /// Mean error in discs, above 0 where the search is too hopeful.
    pub(super) fn mean(&self) -> Option<f64> {
        mean(self.signed as f64, self.positions).map(discs)
    }

    /// Root of the mean square error, in discs.
    pub(super) fn root_mean_square(&self) -> Option<f64> {
        mean(self.squared as f64, self.positions).map(|square| discs(square.sqrt()))
    }

    /// Percent of the moves found that are best ones.
    pub(super) fn best_percent(&self) -> Option<f64> {
        mean(100.0 * self.best as f64, self.moves)
    }

    /// Discs that a move found loses.
    pub(super) fn lost_per_move(&self) -> Option<f64> {
        mean(self.lost as f64, self.priced)
    }
}

impl AddAssign for Errors {
    fn add_assign(&mut self, other: Errors) {
        self.positions += other.positions;
        self.signed += other.signed;
        self.absolute += other.absolute;
        self.squared += other.squared;
        self.moves += other.moves;
        self.best += other.best;
        self.priced += other.priced;
        self.lost += other.lost;
        self.nodes += other.nodes;
    }
}

/// Two decimals; `-` where there is nothing to tell.
pub(super) fn figure(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"))
}

fn mean(sum: f64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum / count as f64)
}

fn discs(units: f64) -> f64 {
    units / f64::from(Value::PER_DISC)
}
