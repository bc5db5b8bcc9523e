//! The classic evaluation.

use super::{Evaluator, Value};
use crate::board::Board;

/// Discs, mobility and corners, weighed by hand-sized constants.
#[derive(Clone, Copy, Debug, Default)]
pub struct Classic;

impl Evaluator for Classic {
    fn evaluate(&self, board: &Board) -> Value {
        let mobility =
            board.legal_moves().count() as i32 - board.pass().legal_moves().count() as i32;
        Value::from_units(mobility * 32).clamped()
    }

    fn name(&self) -> &'static str {
        "classic"
    }
}
