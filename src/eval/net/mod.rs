//! The network: the patterns give sums instead of a value, and small layers make the value of these. What patterns say
//! together, a sum of weights cannot.

mod file;
mod forward;
mod layout;
#[cfg(feature = "train")]
mod parameters;
#[cfg(feature = "train")]
mod quantise;
pub(crate) mod shape;
mod slots;
#[cfg(all(test, feature = "train"))]
mod tests;
mod units;
mod weights;

#[cfg(feature = "train")]
pub(crate) use parameters::{MOST_LINEAR, Parameters, Stack};
#[cfg(feature = "train")]
pub(crate) use shape::{EXTRAS, HIDDEN, OUTPUT_DISCS, PHASES, STACKS, WIDTH, extras, phase, stack};
pub use weights::NetWeights;

use std::sync::{Arc, OnceLock};

use super::pattern::features::{Features, Full};
use super::pattern::state::PatternIndices;
use super::{ErrorModel, Evaluator, Incremental, Pattern, SearchEvaluator, Value};
use crate::board::{Bitboard, Board};

/// ln 0.8. Matches are won with σ 0.8 times the measured one, in which a few large errors weigh most; cuts are right less
/// often, then, than the level of selectivity says (`src/search/README.md` has the matches).
const LN_SCALE: f32 = -0.223;

/// Fitted by `emilia train --fit-selectivity`, and then scaled.
const ERROR_MODEL: ErrorModel = ErrorModel {
    midgame: [1.332 + LN_SCALE, -0.545, -0.517, 0.281, -0.996, 0.030],
    endgame: [1.717 + LN_SCALE, -1.942, 0.223, -0.586],
};

/// A small neural network over the configurations of patterns, trained on games.
#[derive(Clone, Debug)]
pub struct Net {
    weights: Arc<NetWeights>,
    /// Its light weights order moves in the endgame.
    pattern: Pattern,
}

impl Net {
    /// The name on the command line.
    pub const NAME: &str = "net";

    /// The evaluation with these weights.
    pub fn new(weights: Arc<NetWeights>) -> Net {
        Net {
            weights,
            pattern: Pattern::embedded(),
        }
    }

    /// The evaluation with the weights that are part of the binary.
    ///
    /// # Panics
    /// If these do not fit the program, which a test sees to.
    pub fn embedded() -> Net {
        static WEIGHTS: OnceLock<Arc<NetWeights>> = OnceLock::new();
        let weights = WEIGHTS.get_or_init(|| {
            let file = include_bytes!("../net.bin");
            Arc::new(NetWeights::from_bytes(file).expect("weights of this program"))
        });
        Net::new(weights.clone())
    }
}

impl Incremental for Net {
    type State = <Full as Features>::State;

    #[inline]
    fn state(&self, board: &Board) -> Self::State {
        Self::State::of(Full::DISCS, board)
    }

    #[inline]
    fn after(&self, state: &Self::State, parent: &Board, child: &Board) -> Self::State {
        state.after(Full::DISCS, parent, child)
    }

    #[inline]
    fn passed(&self, state: &Self::State) -> Self::State {
        state.passed()
    }

    #[inline]
    fn value(&self, board: &Board, moves: Bitboard, state: &Self::State) -> Value {
        debug_assert_eq!(
            *state,
            self.state(board),
            "a state that belongs to another board"
        );
        self.weights.value(board, moves, state)
    }
}

impl SearchEvaluator for Net {
    #[inline]
    fn ordering(&self) -> Option<impl Incremental> {
        SearchEvaluator::ordering(&self.pattern)
    }

    #[inline]
    fn error_model(&self) -> &ErrorModel {
        &ERROR_MODEL
    }
}

impl Evaluator for Net {
    fn name(&self) -> &'static str {
        Net::NAME
    }

    fn evaluate(&self, board: &Board) -> Value {
        self.value(board, board.legal_moves(), &self.state(board))
    }

    fn error_model(&self) -> &ErrorModel {
        &ERROR_MODEL
    }

    fn fingerprint(&self) -> u64 {
        self.weights.fingerprint()
    }
}
