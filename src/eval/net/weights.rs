//! The parameters of the network, ready for play, and the value that they give.

use super::forward::output;
use super::layout::{ExtraRow, Layers, Row};
use super::shape::{EXTRAS, STACKS, extras, stack};
use super::slots::{ROWS, Slots};
use super::units::OUTPUT_SHIFT;
use crate::board::{Bitboard, Board};
use crate::eval::Value;
use crate::eval::pattern::state::PatternIndices;

/// All parameters of the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetWeights {
    /// By pattern and index.
    pub(super) rows: Box<[Row; ROWS]>,
    pub(super) extras: Box<[ExtraRow; EXTRAS]>,
    pub(super) stacks: Box<[Layers; STACKS]>,
    pub(super) fingerprint: u64,
}

impl NetWeights {
    /// A hash of the parameters.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The value of `board`, whose legal moves and pattern indices these are.
    #[inline]
    pub(super) fn value(
        &self,
        board: &Board,
        moves: Bitboard,
        state: &impl PatternIndices,
    ) -> Value {
        let output = output(
            &self.rows,
            &Slots::of(state.lanes()),
            extras(board, moves).map(|extra| &self.extras[extra]),
            &self.stacks[stack(board.empty_count())],
        );
        Value::from_units((output + (1 << OUTPUT_SHIFT >> 1)) >> OUTPUT_SHIFT).clamped()
    }
}
