//! The network sums pattern rows into an accumulator. A small MLP maps the accumulator to a value.
//! Unlike a sum of weights, the network models interactions between patterns.
//!
//! In the forward pass, the number of empties selects the pattern rows and the layers after the
//! accumulator. There are two sets of pattern rows, one for each phase: a range of numbers of
//! empties.
//!
//! ```text
//! pattern instances ────────▶ rows of 32 ─┐
//! mobilities, empties ──────▶ rows of 32 ─┴─▶ sum: accumulator of 32
//!
//! accumulator ─┬─▶ clamp to [0, 1] ─▶ 16 neurons ─▶ clamp to [0, 1], square ─▶ weights ─┐
//!              └─▶ clamp to [-4, 4) ─▶ weights ─────────────────────────────────────────┤
//!                            32 discs × (sum + bias + bias of the number of empties) ◀─┘
//! ```
//!
//! Reading order: `patterns` has the patterns, `shape` the sizes of the layers, and `parameters`
//! the network in floating point. `units` and `quantise` define and apply the integer format.
//! `layout`, `row_offsets` and `weights` hold the integer parameters, and `forward` computes the
//! output. `file` reads the parameters from a file.

mod file;
mod forward;
mod layout;
mod parameters;
mod patterns;
mod quantise;
mod row_offsets;
pub(crate) mod shape;
#[cfg(test)]
mod tests;
mod units;
mod weights;

pub use parameters::{MAX_LINEAR, OutputBucket, Parameters};
pub use patterns::{INSTANCES, configurations, reduced_index};
pub use shape::{
    BIASES, EMPTIES, EXTRAS, HIDDEN, OUTPUT_BUCKETS, OUTPUT_DISCS, OWN_EXTRAS, PHASES, WIDTH, bias,
    bucket, empties_of, extras, phase,
};
pub use weights::NetWeights;

use std::fmt;
use std::sync::{Arc, OnceLock};

use self::patterns::{DISCS, Indices};
use super::{
    AnyEvaluator, Evaluator, Incremental, Light, ProbCutModel, SearchEvaluator, Value, WeightsError,
};
use crate::board::{Bitboard, Board};

/// ln 0.8, added to the fitted ln σ, because a few large errors inflate the fitted σ.
/// In a match, 0.8 σ scored +27 ± 29 Elo against σ (see `src/core/search/MEASUREMENTS.md`).
/// With 0.8 σ, cuts are wrong more often than the selectivity level states.
const LN_SCALE: f32 = -0.223;

/// Coefficients fitted by `emilia train selectivity`. [`LN_SCALE`] scales σ by 0.8.
const PROBCUT_MODEL: ProbCutModel = ProbCutModel {
    midgame: [1.332 + LN_SCALE, -0.545, -0.517, 0.281, -0.996, 0.030],
    endgame: [1.717 + LN_SCALE, -1.942, 0.223, -0.586],
};

/// A small neural network over pattern configurations, trained on games.
#[derive(Clone)]
pub struct Net {
    weights: Arc<NetWeights>,
    /// The evaluation that orders moves in the endgame.
    light: Arc<Light>,
}

impl Net {
    /// The name of the evaluation on the command line.
    pub const NAME: &str = "net";

    /// Makes the evaluation with these weights.
    pub fn new(weights: Arc<NetWeights>) -> Net {
        Net {
            weights,
            light: Light::embedded(),
        }
    }

    /// Makes the evaluation from the bytes of two files: the weights of a net, and the weights of
    /// [`Light`]. A program that does not embed weights uses this function.
    pub fn from_bytes(net: &[u8], light: &[u8]) -> Result<Net, WeightsError> {
        Ok(Net {
            weights: Arc::new(NetWeights::from_bytes(net)?),
            light: Arc::new(Light::from_bytes(light)?),
        })
    }

    /// Makes the evaluation with the weights embedded in the binary.
    ///
    /// # Panics
    /// If the embedded weights do not fit the program. A test checks them.
    pub fn embedded() -> Net {
        static WEIGHTS: OnceLock<Arc<NetWeights>> = OnceLock::new();
        let weights = WEIGHTS.get_or_init(|| {
            Arc::new(
                NetWeights::from_bytes(NetWeights::EMBEDDED)
                    .expect("the embedded weights are valid"),
            )
        });
        Net::new(weights.clone())
    }
}

impl Incremental for Net {
    type State = Indices;

    #[inline]
    fn state(&self, board: &Board) -> Self::State {
        Indices::of(&DISCS, board)
    }

    #[inline]
    fn after(&self, state: &Self::State, parent: &Board, child: &Board) -> Self::State {
        state.after(&DISCS, parent, child)
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
            "the state belongs to another board"
        );
        self.weights.value(board, moves, state)
    }
}

impl SearchEvaluator for Net {
    #[inline]
    fn ordering(&self) -> Option<&impl Incremental> {
        Some(&*self.light)
    }

    #[inline]
    fn probcut_model(&self) -> &ProbCutModel {
        &PROBCUT_MODEL
    }
}

impl fmt::Debug for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Net").field(&self.weights).finish()
    }
}

impl Evaluator for Net {
    fn name(&self) -> &'static str {
        Net::NAME
    }

    fn evaluate(&self, board: &Board) -> Value {
        self.value(board, board.legal_moves(), &self.state(board))
    }

    fn probcut_model(&self) -> &ProbCutModel {
        &PROBCUT_MODEL
    }

    fn fingerprint(&self) -> u64 {
        self.weights.fingerprint()
    }

    fn into_any(self) -> AnyEvaluator {
        AnyEvaluator::Net(self)
    }
}
