//! The pattern evaluation (Buro 1997): a sum of weights of disc configurations, fitted to games.
//!
//! Reading order: `shapes` has the patterns and their index, `features` the sets of patterns.
//! `state` keeps the indices of a board up to date, and `weights` adds up the weights.
//! `reduced_index` lets symmetric configurations share a weight.
//! `file` reads the weights, and `fitting` holds the code that only training needs.

pub(crate) mod features;
mod file;
pub(crate) mod fitting;
pub(crate) mod reduced_index;
pub(crate) mod shapes;
pub(crate) mod state;
#[cfg(test)]
mod tests;
pub(crate) mod weights;

pub use features::{GAME_STAGES, stage};
pub use weights::PatternWeights;

use std::sync::Arc;

use features::{Features, Full};

use super::{AnyEvaluator, Evaluator, Incremental, ProbCutModel, SearchEvaluator, Value};
use crate::board::{Bitboard, Board};

/// Coefficients fitted by `emilia train selectivity`.
const PROBCUT_MODEL: ProbCutModel = ProbCutModel {
    midgame: [1.573, -1.655, 0.587, 0.403, -0.738, -0.135],
    endgame: [1.506, -3.786, 0.524, -0.228],
};

/// The pattern evaluation: a sum of fitted weights, one for each pattern instance.
#[derive(Clone, Debug)]
pub struct Pattern {
    weights: Arc<PatternWeights>,
}

impl Pattern {
    /// The name of the evaluation on the command line.
    pub const NAME: &str = "pattern";

    /// Makes the evaluation with these weights.
    pub fn new(weights: Arc<PatternWeights>) -> Pattern {
        Pattern { weights }
    }
}

impl Incremental for Pattern {
    type State = <Full as Features>::State;

    #[inline]
    fn state(&self, board: &Board) -> Self::State {
        self.weights.full.state(board)
    }

    #[inline]
    fn after(&self, state: &Self::State, parent: &Board, child: &Board) -> Self::State {
        self.weights.full.after(state, parent, child)
    }

    #[inline]
    fn passed(&self, state: &Self::State) -> Self::State {
        self.weights.full.passed(state)
    }

    #[inline]
    fn value(&self, board: &Board, moves: Bitboard, state: &Self::State) -> Value {
        self.weights.full.value(board, moves, state)
    }
}

impl SearchEvaluator for Pattern {
    #[inline]
    fn ordering(&self) -> Option<&impl Incremental> {
        Some(&*self.weights.light)
    }

    #[inline]
    fn probcut_model(&self) -> &ProbCutModel {
        &PROBCUT_MODEL
    }
}

impl Evaluator for Pattern {
    fn evaluate(&self, board: &Board) -> Value {
        self.weights.full.evaluate(board)
    }

    fn name(&self) -> &'static str {
        Pattern::NAME
    }

    fn fingerprint(&self) -> u64 {
        self.weights.fingerprint()
    }

    fn into_any(self) -> AnyEvaluator {
        AnyEvaluator::Pattern(self)
    }

    fn probcut_model(&self) -> &ProbCutModel {
        &PROBCUT_MODEL
    }
}
