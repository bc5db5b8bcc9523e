//! Static evaluation: the expected final score of a position, computed without search.
//!
//! Reading order:
//! 1. `simple`: [`Simple`], a sum of three counts that can be worked out with pencil and paper.
//! 2. `value`: [`Value`], the unit of evaluations and searches (1/32 disc).
//! 3. `classic`: [`Classic`], a weighted sum of hand-picked features.
//! 4. `patterns`: sets of squares whose disc configurations index weights.
//! 5. `light`: [`Light`], a sum of pattern weights, which orders moves in the endgame.
//! 6. `net`: [`Net`], a small network on top of patterns.
//! 7. `probcut_model`: [`ProbCutModel`], the expected errors of shallow searches, for forward
//!    pruning.
//! 8. `any`: selection of an evaluation at run time. `weights_error`: errors of files of weights.
//!
//! # Adding a term
//!
//! - In [`Simple`] or [`Classic`]: add a `Weight`, and a summand in the function `evaluate`.
//!   For an evaluation of your own, [`Evaluator`] has an example.
//! - In the net: add extra rows, which are rows besides the pattern rows. In `net/shape.rs`,
//!   [`EXTRAS`](net::EXTRAS) is the number of extra rows, [`OWN_EXTRAS`](net::OWN_EXTRAS) the
//!   number that apply to one position, and [`extras`](net::extras) selects these. Then train a net
//!   (`src/train/README.md`): with another number of rows, the embedded weights are refused.
//! - Run `emilia train selectivity` to fit the `PROBCUT_MODEL` of the evaluation again. This model
//!   has the errors of shallow searches, which change with the evaluation.
//! - As evidence, give new signatures in `search/bench.rs` and a match (`.github/CONTRIBUTING.md`).

mod any;
mod checksum;
mod classic;
pub mod light;
pub mod net;
mod patterns;
mod probcut_model;
mod simple;
mod square_weight;
#[cfg(test)]
mod tests;
mod value;
mod weights_error;

pub use any::AnyEvaluator;
pub use checksum::{NO_BYTES, checksum, checksum_after};
pub use classic::Classic;
pub use light::Light;
pub use net::{Net, NetWeights};
pub use patterns::{PatternClasses, ReducedIndex};
pub use probcut_model::ProbCutModel;
pub use simple::Simple;
pub use square_weight::static_square_weight;
pub use value::Value;
pub use weights_error::WeightsError;

use std::fmt::Debug;
use std::sync::Arc;

use crate::board::{Bitboard, Board};

/// A static evaluation: the expected final score for the side to move.
///
/// The value must be the same for all eight symmetric images of a board.
/// The value cannot depend on colours, because a [`Board`] has none.
///
/// ```
/// use emilia_core::eval::{Evaluator, ProbCutModel, Value};
/// use emilia_core::{Board, Engine, Limits, Settings, Silent};
///
/// /// Disc difference.
/// #[derive(Debug)]
/// struct Discs;
///
/// impl Evaluator for Discs {
///     fn name(&self) -> &'static str {
///         "discs"
///     }
///     fn evaluate(&self, board: &Board) -> Value {
///         Value::from_score(board.player.count() as i32 - board.opponent.count() as i32)
///     }
///     fn probcut_model(&self) -> &ProbCutModel {
///         // σ is e³, about 20 discs, at every depth.
///         &ProbCutModel { midgame: [3.0, 0.0, 0.0, 0.0, 0.0, 0.0], endgame: [3.0, 0.0, 0.0, 0.0] }
///     }
/// }
///
/// let mut engine = Engine::new(Settings::default().with_evaluator(Discs));
/// let line = engine.search(&Board::START, &Limits::depth(8), &mut Silent);
/// assert_eq!(line.pv.len(), 8);
/// ```
pub trait Evaluator: Debug + Send + Sync {
    /// The name of the evaluation on the command line.
    fn name(&self) -> &'static str;

    /// The value of `board` for the side to move. The game must not be over.
    /// The search clamps the value to [`Value::MIN`]`..=`[`Value::MAX`], the range of final scores.
    fn evaluate(&self, board: &Board) -> Value;

    /// The error model of shallow searches with this evaluation, used by forward pruning.
    fn probcut_model(&self) -> &ProbCutModel;

    /// A hash of the name, or of the weights if the weights can be replaced.
    /// Evaluations with equal fingerprints are treated as the same.
    fn fingerprint(&self) -> u64 {
        checksum(self.name().as_bytes())
    }

    /// Converts the evaluation into the form that an engine stores.
    /// The search is compiled separately for each evaluation with an incremental state. All other
    /// evaluations share one compiled search.
    fn into_any(self) -> AnyEvaluator
    where
        Self: Sized + 'static,
    {
        AnyEvaluator::Stateless(Arc::new(self))
    }
}

/// An evaluation with a state that is updated incrementally from move to move.
pub(crate) trait Incremental: Sync {
    type State: Copy + Send + Sync;

    /// Computes the state of `board` from scratch.
    fn state(&self, board: &Board) -> Self::State;

    /// Returns the state of `child`, one move after `parent`. `state` is the state of `parent`.
    fn after(&self, state: &Self::State, parent: &Board, child: &Board) -> Self::State;

    /// Returns the state of the same discs with the other side to move.
    fn passed(&self, state: &Self::State) -> Self::State;

    /// The value of `board` for the side to move, given its legal moves and its state.
    fn value(&self, board: &Board, moves: Bitboard, state: &Self::State) -> Value;
}

/// The interface between the search and an evaluation.
/// The search is compiled once for each type that implements this trait.
pub(crate) trait SearchEvaluator: Incremental {
    /// A cheaper evaluation by which the endgame solver orders moves. With `None`, the solver
    /// orders moves without an evaluation.
    fn ordering(&self) -> Option<&impl Incremental>;

    /// The error model of shallow searches. See [`Evaluator::probcut_model`].
    fn probcut_model(&self) -> &ProbCutModel;
}

/// Wraps an evaluation without a state: every position is evaluated from scratch.
#[derive(Debug)]
pub(crate) struct FromScratch<'a>(pub(crate) &'a dyn Evaluator);

impl Incremental for FromScratch<'_> {
    type State = ();

    #[inline]
    fn state(&self, _: &Board) {}

    #[inline]
    fn after(&self, (): &(), _: &Board, _: &Board) {}

    #[inline]
    fn passed(&self, (): &()) {}

    #[inline]
    fn value(&self, board: &Board, _: Bitboard, (): &()) -> Value {
        self.0.evaluate(board).clamp(Value::MIN, Value::MAX)
    }
}

impl SearchEvaluator for FromScratch<'_> {
    fn ordering(&self) -> Option<&impl Incremental> {
        None::<&Self>
    }

    fn probcut_model(&self) -> &ProbCutModel {
        self.0.probcut_model()
    }
}
