//! The pattern evaluation: how often each arrangement of discs in certain parts of the board was worth how much, in
//! many games (Buro 1997). Stands on `board`.

mod file;
mod fold;
mod shapes;
mod state;
#[cfg(test)]
mod tests;
mod weights;

pub use file::BadWeights;
pub(crate) use fold::{Folding, Row};
pub use weights::{PatternWeights, STAGES, stage};

use std::sync::{Arc, OnceLock};

use super::{Evaluator, Value};
use crate::board::Board;
use state::State;

/// Weights for arrangements of discs, fitted to games.
#[derive(Clone, Debug)]
pub struct Pattern {
    weights: Arc<PatternWeights>,
}

impl Pattern {
    /// The evaluation with these weights.
    pub fn new(weights: Arc<PatternWeights>) -> Pattern {
        Pattern { weights }
    }

    /// The evaluation with the weights that are part of the binary.
    ///
    /// # Panics
    /// If these do not fit the program, which a test sees to.
    pub fn embedded() -> Pattern {
        static WEIGHTS: OnceLock<Arc<PatternWeights>> = OnceLock::new();
        let weights = WEIGHTS.get_or_init(|| {
            let file = include_bytes!("../weights.bin");
            Arc::new(PatternWeights::from_bytes(file).expect("weights of this program"))
        });
        Pattern::new(weights.clone())
    }
}

impl Evaluator for Pattern {
    fn evaluate(&self, board: &Board) -> Value {
        self.weights
            .value(board, board.legal_moves(), &State::of(board))
    }

    fn name(&self) -> &'static str {
        "pattern"
    }

    fn fingerprint(&self) -> u64 {
        self.weights.fingerprint()
    }

    fn as_pattern(&self) -> Option<&Pattern> {
        Some(self)
    }
}
