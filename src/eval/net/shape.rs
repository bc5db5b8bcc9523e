//! The shape of the network: how wide each layer is, and which rows and which stack a position has.

use crate::board::{Bitboard, Board};

/// Sums that the rows of a position add up to: a multiple of 32, or 16, which takes as long as 32.
pub(crate) const WIDTH: usize = 32;

/// Neurons of the hidden layer: a multiple of 8.
pub(crate) const HIDDEN: usize = 16;

/// Phases of the game: the patterns have rows of their own in each.
pub(crate) const PHASES: usize = 2;

/// Positions with so many empty squares and fewer are of the second phase.
const LATE_EMPTIES: u32 = 25;

/// The phase of a position with so many empty squares.
#[inline]
pub(crate) const fn phase(empties: u32) -> usize {
    if empties > LATE_EMPTIES { 0 } else { 1 }
}

/// Stacks of layers behind the sums: one for every four discs.
pub(crate) const STACKS: usize = 15;

/// The stack of a position with so many empty squares.
#[inline]
pub(crate) const fn stack(empties: u32) -> usize {
    let stack = MOST_EMPTIES.saturating_sub(empties as usize) / 4;
    if stack < STACKS { stack } else { STACKS - 1 }
}

/// An output of 1 stands for this many discs.
pub(crate) const OUTPUT_DISCS: i32 = 32;

/// More moves than this hardly ever are to choose from, and count as this many.
const MOST_MOVES: usize = 31;

/// More empty squares than this no game has.
const MOST_EMPTIES: usize = 60;

/// Where the rows of the opponent's moves begin among the extras; those of the mover's come first.
const OPPONENT_MOVES: usize = MOST_MOVES + 1;

/// Where the rows of the number of empty squares begin.
const EMPTIES: usize = OPPONENT_MOVES + MOST_MOVES + 1;

/// Rows besides those of patterns.
pub(crate) const EXTRAS: usize = EMPTIES + MOST_EMPTIES + 1;

/// How many of these extras a position has.
pub(crate) const OWN_EXTRAS: usize = 3;

/// Which of the extras a board with these legal moves has: the row of the number of the mover's moves, of the opponent's
/// if the mover passed, and of the empty squares.
#[inline]
pub(crate) fn extras(board: &Board, moves: Bitboard) -> [usize; OWN_EXTRAS] {
    let count = |moves: Bitboard| (moves.count() as usize).min(MOST_MOVES);
    [
        count(moves),
        OPPONENT_MOVES + count(board.pass().legal_moves()),
        EMPTIES + (board.empty_count() as usize).min(MOST_EMPTIES),
    ]
}
