//! What a position is worth without search. Stands on `board`.

mod classic;
mod pattern;
mod promise;
mod value;

pub use classic::Classic;
pub use pattern::{BadWeights, Pattern, PatternWeights, STAGES, stage};
pub(crate) use pattern::{Features, Folding, Full, Light, LightPattern};
pub use promise::square_promise;
pub use value::Value;

use std::sync::Arc;

use crate::board::{Bitboard, Board};
use crate::files::checksum;

/// A static evaluation: the expected final score of the side to move.
///
/// It must not change under the eight symmetries of the board, and it must treat both colours alike (which it cannot
/// help, as [`Board`] has none).
pub trait Evaluator: std::fmt::Debug + Send + Sync {
    /// What `board` is worth for the side to move. The game need not be over for either side, but the caller handles
    /// finished games itself.
    fn evaluate(&self, board: &Board) -> Value;

    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// A number that another evaluation hardly has: of the name, and of the weights if they can be replaced.
    fn fingerprint(&self) -> u64 {
        checksum(self.name().as_bytes())
    }

    /// The pattern evaluation, if this is it: the search has a faster way for it.
    fn as_pattern(&self) -> Option<&Pattern> {
        None
    }
}

/// An evaluation that keeps what it knows of a board from one move to the next.
pub(crate) trait Incremental: Sync {
    /// What it knows of a board.
    type State: Copy + Send + Sync;

    /// What there is to know of `board`.
    fn state(&self, board: &Board) -> Self::State;

    /// The state of `child`, one move after `parent`, whose state this is.
    fn after(&self, state: &Self::State, parent: &Board, child: &Board) -> Self::State;

    /// The state of the same discs with the other side to move.
    fn passed(&self, state: &Self::State) -> Self::State;

    /// What `board`, whose legal moves and state these are, is worth for the side to move.
    fn value(&self, board: &Board, moves: Bitboard, state: &Self::State) -> Value;

    /// A cheaper evaluation of the same kind for the second half of the game, if there is one.
    fn light(&self) -> Option<&LightPattern> {
        None
    }
}

/// Any evaluation, from scratch at every position.
impl Incremental for &dyn Evaluator {
    type State = ();

    #[inline]
    fn state(&self, _: &Board) {}

    #[inline]
    fn after(&self, (): &(), _: &Board, _: &Board) {}

    #[inline]
    fn passed(&self, (): &()) {}

    #[inline]
    fn value(&self, board: &Board, _: Bitboard, (): &()) -> Value {
        self.evaluate(board)
    }
}

/// The evaluation of this name, if there is one.
pub fn by_name(name: &str) -> Option<Arc<dyn Evaluator>> {
    match name {
        "classic" => Some(Arc::new(Classic)),
        "pattern" => Some(Arc::new(Pattern::embedded())),
        _ => None,
    }
}
