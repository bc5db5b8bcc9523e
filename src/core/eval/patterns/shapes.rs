//! The patterns: their squares, their instances on the board, and the index of a configuration.
//!
//! - A pattern is a set of squares with its symmetric images. All images share the same weights.
//! - An instance is one of the images on the board.
//! - A configuration is the content of an instance's squares: each of them is empty, or has a disc
//!   of the mover or of the opponent.
//! - A pattern index is the number of a configuration in balanced ternary: a digit is +1 for a disc
//!   of the mover, −1 for a disc of the opponent, 0 for an empty square. Seen from the other side,
//!   a configuration therefore has the negative index. An index of ten digits fits 16 bits.
//! - A slot is the place of a configuration's weight, or row of weights, in memory.

use crate::bitboard;
use crate::board::{Bitboard, Symmetry};

/// Maximum number of squares in a pattern.
pub(crate) const MAX_SQUARES: usize = 10;

/// The 3×3 squares at a corner.
pub(crate) const CORNER: Bitboard = bitboard! {
    X X X . . . . .
    X X X . . . . .
    X X X . . . . .
};

/// Parts of both edges at a corner, with the X square.
pub(crate) const ELBOW: Bitboard = bitboard! {
    X X X X X . . .
    X X . . . . . .
    X . . . . . . .
    X . . . . . . .
    X . . . . . . .
};

/// The triangle of ten squares at a corner.
pub(crate) const TRIANGLE: Bitboard = bitboard! {
    X X X X . . . .
    X X X . . . . .
    X X . . . . . .
    X . . . . . . .
};

/// The 2×5 squares at a corner.
pub(crate) const BLOCK: Bitboard = bitboard! {
    X X X X X . . .
    X X X X X . . .
};

/// The edge with both X squares.
pub(crate) const EDGE: Bitboard = bitboard! {
    X X X X X X X X
    . X . . . . X .
};

/// The middle of the edge and of the second row, with both corners.
pub(crate) const BAY: Bitboard = bitboard! {
    X . X X X X . X
    . . X X X X . .
};

/// The row `number` of the board, 1 to 8.
pub(crate) const fn row(number: usize) -> Bitboard {
    Bitboard(Bitboard::RANK_1.0 << (8 * (number - 1)))
}

/// The diagonal of `length` squares from the first row down to the last column.
pub(crate) const fn diagonal(length: usize) -> Bitboard {
    let (mut squares, mut at) = (0, 0);
    while at < length {
        squares |= 1 << (9 * at + 8 - length);
        at += 1;
    }
    Bitboard(squares)
}

/// A pattern with the values derived from its shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PatternShape {
    /// The squares of one instance.
    pub(super) shape: Bitboard,
    /// Number of squares.
    pub(crate) len: usize,
    /// Index of the lane of the first instance in a `State`, which has one lane for each instance.
    /// The lanes of the other instances follow.
    pub(crate) first: usize,
    /// Number of instances on the board, which are the distinct symmetric images.
    pub(crate) instances: usize,
    /// Offset of the weights of this pattern in a table.
    pub(crate) start: usize,
    /// Number of slots for the weights of this pattern: the smallest power of two above 3^`len`.
    /// With a power of two, the low bits of a pattern index, positive or negative, select the slot.
    pub(crate) room: usize,
}

impl PatternShape {
    /// Returns the slot of a configuration: the offset of its weight from [`start`](Self::start).
    /// `index` is the pattern index of the configuration. The mask keeps the low bits of the index,
    /// so that negative indices select the slots at the end.
    #[inline]
    pub(crate) const fn slot(&self, index: i16) -> usize {
        index as u16 as usize & (self.room - 1)
    }
}

/// Returns the patterns of these shapes.
pub(crate) const fn patterns<const N: usize>(shapes: [Bitboard; N]) -> [PatternShape; N] {
    let mut patterns = [PatternShape {
        shape: Bitboard::EMPTY,
        len: 0,
        first: 0,
        instances: 0,
        start: 0,
        room: 0,
    }; N];
    let mut at = 0;
    while at < N {
        let len = shapes[at].count() as usize;
        patterns[at] = PatternShape {
            shape: shapes[at],
            len,
            first: instances_of(&patterns),
            instances: instances(shapes[at]).1,
            start: room_of(&patterns),
            room: 3_usize.pow(len as u32).next_power_of_two(),
        };
        at += 1;
    }
    patterns
}

/// Returns the number of instances of all patterns.
pub(crate) const fn instances_of(patterns: &[PatternShape]) -> usize {
    let (mut sum, mut at) = (0, 0);
    while at < patterns.len() {
        sum += patterns[at].instances;
        at += 1;
    }
    sum
}

/// Returns the number of slots of all patterns, including slots without a configuration.
pub(crate) const fn room_of(patterns: &[PatternShape]) -> usize {
    let (mut sum, mut at) = (0, 0);
    while at < patterns.len() {
        sum += patterns[at].room;
        at += 1;
    }
    sum
}

/// The squares of each instance of `shape` in digit order, and the number of instances.
pub(crate) const fn instances(shape: Bitboard) -> ([[u8; MAX_SQUARES]; 8], usize) {
    let mut images = [[0; MAX_SQUARES]; 8];
    let (mut sets, mut count) = ([0; 8], 0);
    let mut symmetry = 0;
    while symmetry < 8 {
        let set = Symmetry::ALL[symmetry].bitboard(shape).0;
        let mut known = 0;
        while known < count && sets[known] != set {
            known += 1;
        }
        if known == count {
            (images[count], sets[count]) = (image(shape, Symmetry::ALL[symmetry]), set);
            count += 1;
        }
        symmetry += 1;
    }
    (images, count)
}

/// The squares of `shape` in a1..h8 order, each mapped by `symmetry`.
pub(crate) const fn image(shape: Bitboard, symmetry: Symmetry) -> [u8; MAX_SQUARES] {
    let mut squares = [0; MAX_SQUARES];
    let (mut rest, mut at) = (shape, 0);
    while let Some(square) = rest.first() {
        squares[at] = symmetry.square(square).index() as u8;
        at += 1;
        rest = Bitboard(rest.0 & (rest.0 - 1));
    }
    squares
}
