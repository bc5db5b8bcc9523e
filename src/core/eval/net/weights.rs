//! The integer parameters of the network, and the evaluation of a position with them.

use std::fmt;
use std::hint::black_box;

use super::forward::output;
use super::layout::{ExtraRow, QuantisedBucket, Row};
use super::patterns::{Indices, ROWS};
use super::row_offsets::RowOffsets;
use super::shape::{BIASES, EXTRAS, OUTPUT_BUCKETS, PHASES, bias, bucket, extras, phase};
use super::units::OUTPUT_SHIFT;
use crate::board::{Bitboard, Board};
use crate::eval::Value;

/// All integer parameters of the network.
#[derive(Clone, PartialEq, Eq)]
pub struct NetWeights {
    /// The pattern rows, by phase (a range of numbers of empties), then by pattern and pattern
    /// index.
    pub(super) rows: [Box<[Row; ROWS]>; PHASES],
    /// Extra rows, besides the pattern rows: see [`extras`].
    pub(super) extras: Box<[ExtraRow; EXTRAS]>,
    /// The layers after the accumulator, by output bucket.
    pub(super) buckets: Box<[QuantisedBucket; OUTPUT_BUCKETS]>,
    /// Output biases, by number of empties.
    pub(super) biases: Box<[i32; BIASES]>,
    pub(super) fingerprint: u64,
}

impl fmt::Debug for NetWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NetWeights({:016x})", self.fingerprint)
    }
}

impl NetWeights {
    /// A hash of the parameters.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The value of `board`, given its legal moves and pattern indices.
    #[inline]
    pub(crate) fn value(&self, board: &Board, moves: Bitboard, state: &Indices) -> Value {
        let empties = board.empty_count();
        // `black_box` keeps the offsets in memory: to load an offset takes fewer operations than to
        // extract it from a vector register.
        let offsets = black_box(RowOffsets::of(state.lanes()));
        let output = output(
            &self.rows[phase(empties)],
            &offsets,
            extras(board, moves).map(|extra| &self.extras[extra]),
            &self.buckets[bucket(empties)],
        );
        let output = output + self.biases[bias(empties)];
        Value::from_units((output + (1 << OUTPUT_SHIFT >> 1)) >> OUTPUT_SHIFT).clamped()
    }
}
