//! Patterns: sets of squares, whose disc configurations index the weights of an evaluation.
//!
//! Reading order: `shapes` has the patterns and the index of a configuration.
//! `state` updates the pattern indices of a board from move to move.
//! `reduced_index` lets symmetric configurations share their weights.

mod reduced_index;
pub(super) mod shapes;
pub(super) mod state;

pub use reduced_index::{PatternClasses, ReducedIndex};

use crate::board::Bitboard;

/// Largest number of legal moves that the weights distinguish. Positions with more moves use the
/// weights for 31 moves.
pub(super) const MAX_MOBILITY: usize = 31;

/// Returns the number of `moves`, at most [`MAX_MOBILITY`].
#[inline]
pub(super) fn mobility(moves: Bitboard) -> usize {
    (moves.count() as usize).min(MAX_MOBILITY)
}
