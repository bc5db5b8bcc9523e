//! Static evaluation: the expected final score of a position without search.

mod any;
mod classic;
mod error_model;
pub(crate) mod net;
mod pattern;
mod square_weight;
mod value;
mod weights_file;

pub use any::{AnyEvaluator, AnyWeights};
pub use classic::Classic;
pub use error_model::ErrorModel;
pub use net::{Net, NetWeights};
#[cfg(feature = "train")]
pub(crate) use pattern::fitting::{Features, Full, Light, ReducedIndex};
pub use pattern::{Pattern, PatternWeights, STAGES, stage};
pub use square_weight::static_square_weight;
pub use value::Value;
pub use weights_file::BadWeights;

use std::fmt::Debug;

use crate::board::{Bitboard, Board};
use crate::files::checksum;

/// A static evaluation: the expected final score for the side to move.
///
/// It must be the same for all eight symmetric images of a board, and the same for both colours (which it cannot help, as
/// [`Board`] has none).
///
/// ```
/// use emilia::board::Board;
/// use emilia::eval::{AnyEvaluator, ErrorModel, Evaluator, Value};
///
/// /// Counts discs.
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
///     fn error_model(&self) -> &ErrorModel {
///         // σ is e³, 20 discs, whatever the depths.
///         &ErrorModel { midgame: [3.0, 0.0, 0.0, 0.0, 0.0, 0.0], endgame: [3.0, 0.0, 0.0, 0.0] }
///     }
/// }
///
/// let evaluator = AnyEvaluator::custom(Discs);
/// assert_eq!(evaluator.evaluate(&Board::START), Value::ZERO);
/// ```
pub trait Evaluator: Debug + Send + Sync {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// The value of `board` for the side to move. Finished games never come here.
    fn evaluate(&self, board: &Board) -> Value;

    /// How far shallow searches with this evaluation are from deep ones: forward pruning goes by it.
    fn error_model(&self) -> &ErrorModel;

    /// A cheaper evaluation for move ordering in endgames of at most 30 empty squares, if there is one. It is asked of evaluations
    /// from outside; those of this library bring theirs as they are searched with.
    fn ordering(&self) -> Option<&dyn Evaluator> {
        None
    }

    /// A hash of the name, or of the weights if they can be replaced: two evaluations with the same one are the same.
    fn fingerprint(&self) -> u64 {
        checksum(self.name().as_bytes())
    }
}

/// An evaluation with a state that is kept up to date from one move to the next.
pub(crate) trait Incremental: Sync {
    /// The state of a board.
    type State: Copy + Send + Sync;

    /// The state of `board`, computed from scratch.
    fn state(&self, board: &Board) -> Self::State;

    /// The state of `child`, one move after `parent`, whose state this is.
    fn after(&self, state: &Self::State, parent: &Board, child: &Board) -> Self::State;

    /// The state of the same discs with the other side to move.
    fn passed(&self, state: &Self::State) -> Self::State;

    /// The value of `board`, whose legal moves and state these are, for the side to move.
    fn value(&self, board: &Board, moves: Bitboard, state: &Self::State) -> Value;
}

/// What the search asks of an evaluation: it is compiled once for each type that has this.
pub(crate) trait SearchEvaluator: Incremental {
    /// See [`Evaluator::ordering`].
    fn ordering(&self) -> Option<impl Incremental>;

    /// See [`Evaluator::error_model`].
    fn error_model(&self) -> &ErrorModel;
}

impl<E: Incremental> Incremental for &E {
    type State = E::State;

    #[inline]
    fn state(&self, board: &Board) -> E::State {
        (*self).state(board)
    }

    #[inline]
    fn after(&self, state: &E::State, parent: &Board, child: &Board) -> E::State {
        (*self).after(state, parent, child)
    }

    #[inline]
    fn passed(&self, state: &E::State) -> E::State {
        (*self).passed(state)
    }

    #[inline]
    fn value(&self, board: &Board, moves: Bitboard, state: &E::State) -> Value {
        (*self).value(board, moves, state)
    }
}

/// An evaluation without a state: every position is evaluated from scratch.
#[derive(Debug)]
pub(crate) struct FromScratch<'a, E: ?Sized>(pub(crate) &'a E);

impl<E: Evaluator + ?Sized> Incremental for FromScratch<'_, E> {
    type State = ();

    #[inline]
    fn state(&self, _: &Board) {}

    #[inline]
    fn after(&self, (): &(), _: &Board, _: &Board) {}

    #[inline]
    fn passed(&self, (): &()) {}

    #[inline]
    fn value(&self, board: &Board, _: Bitboard, (): &()) -> Value {
        self.0.evaluate(board)
    }
}

impl<E: Evaluator + ?Sized> SearchEvaluator for FromScratch<'_, E> {
    fn ordering(&self) -> Option<impl Incremental> {
        self.0.ordering().map(FromScratch)
    }

    fn error_model(&self) -> &ErrorModel {
        self.0.error_model()
    }
}
