//! The shape of the network: the layer sizes, and which weight rows and output bucket a position
//! uses.

use std::ops::RangeInclusive;

use crate::board::{Bitboard, Board};
use crate::eval::patterns::{MAX_MOBILITY, mobility};

/// Width of the accumulator: 16 or a multiple of 32. The network takes as much time with a width of
/// 16 as with 32.
pub const WIDTH: usize = 32;

/// Number of neurons in the hidden layer, a multiple of 8.
pub const HIDDEN: usize = 16;

/// Number of phases. A phase is a range of numbers of empties, with its own pattern rows.
pub const PHASES: usize = 2;

/// Largest number of empty squares in the second phase.
const LATE_EMPTIES: u32 = 25;

/// The phase of a position with `empties` empty squares: 0 or 1.
#[inline]
pub const fn phase(empties: u32) -> usize {
    if empties > LATE_EMPTIES { 0 } else { 1 }
}

/// The range of the number of empty squares in a phase.
pub fn empties_of(phase: usize) -> RangeInclusive<u32> {
    match phase {
        0 => LATE_EMPTIES + 1..=MAX_EMPTIES as u32,
        _ => 0..=LATE_EMPTIES,
    }
}

/// Number of output buckets. Each bucket has its own layers after the accumulator.
/// A bucket covers four numbers of empty squares, the last bucket five (0..=4).
pub const OUTPUT_BUCKETS: usize = 15;

/// Index of the output bucket of a position with `empties` empty squares.
#[inline]
pub const fn bucket(empties: u32) -> usize {
    let bucket = MAX_EMPTIES.saturating_sub(empties as usize) / 4;
    if bucket < OUTPUT_BUCKETS {
        bucket
    } else {
        OUTPUT_BUCKETS - 1
    }
}

/// Discs per unit of the network's output.
pub const OUTPUT_DISCS: i32 = 32;

/// Largest number of empty squares in a game.
const MAX_EMPTIES: usize = 60;

/// Number of output biases, one for each number of empty squares.
/// Without these biases, the mean error of searches would depend on the parity of the number of
/// empty squares.
pub const BIASES: usize = MAX_EMPTIES + 1;

/// Index of the output bias of a position with `empties` empty squares.
#[inline]
pub const fn bias(empties: u32) -> usize {
    let empties = empties as usize;
    if empties < BIASES {
        empties
    } else {
        MAX_EMPTIES
    }
}

/// Index of the first extra row for the opponent's move count. The rows for the mover's move count
/// come before this row.
const OPPONENT_MOVES: usize = MAX_MOBILITY + 1;

/// Index of the first extra row for the number of empty squares.
pub const EMPTIES: usize = OPPONENT_MOVES + MAX_MOBILITY + 1;

/// Number of extra rows, besides the rows of patterns.
pub const EXTRAS: usize = EMPTIES + MAX_EMPTIES + 1;

/// Number of extra rows that apply to one position.
pub const OWN_EXTRAS: usize = 3;

/// Indices of the extra rows of `board`, whose legal moves are `moves`.
/// One row is for the mover's move count, one for the move count that the opponent would have after
/// a pass, and one for the number of empties.
#[inline]
pub fn extras(board: &Board, moves: Bitboard) -> [usize; OWN_EXTRAS] {
    [
        mobility(moves),
        OPPONENT_MOVES + mobility(board.pass().legal_moves()),
        EMPTIES + (board.empty_count() as usize).min(MAX_EMPTIES),
    ]
}
