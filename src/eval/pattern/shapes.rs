//! The patterns: where their instances lie on the board, and the index of a configuration.
//!
//! A pattern is a set of squares with its images under the symmetries of the board; all images share their weights.
//! The pattern index is a number in balanced ternary: a disc of the mover counts +1, of the opponent −1, each times
//! the power of three of its square. So the other side's index is the negative, and an index of up to ten squares
//! fits 16 bits.

use crate::bitboard;
use crate::board::{Bitboard, Symmetry};

/// Squares of the largest pattern.
pub(super) const MOST_SQUARES: usize = 10;

/// The corner, 3×3.
pub(super) const CORNER: Bitboard = bitboard! {
    X X X . . . . .
    X X X . . . . .
    X X X . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
};

/// Both edges of a corner, with its X square.
pub(super) const ELBOW: Bitboard = bitboard! {
    X X X X X . . .
    X X . . . . . .
    X . . . . . . .
    X . . . . . . .
    X . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
};

/// The corner as a triangle.
pub(super) const TRIANGLE: Bitboard = bitboard! {
    X X X X . . . .
    X X X . . . . .
    X X . . . . . .
    X . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
};

/// The corner, 2×5.
pub(super) const BLOCK: Bitboard = bitboard! {
    X X X X X . . .
    X X X X X . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
};

/// The edge with both X squares.
pub(super) const EDGE: Bitboard = bitboard! {
    X X X X X X X X
    . X . . . . X .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
};

/// The middle of the edge and what lies before it, with both corners.
pub(super) const BAY: Bitboard = bitboard! {
    X . X X X X . X
    . . X X X X . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
};

/// The second line.
pub(super) const LINE_2: Bitboard = bitboard! {
    . . . . . . . .
    X X X X X X X X
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
};

/// The third line.
pub(super) const LINE_3: Bitboard = bitboard! {
    . . . . . . . .
    . . . . . . . .
    X X X X X X X X
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
};

/// The fourth line.
pub(super) const LINE_4: Bitboard = bitboard! {
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    X X X X X X X X
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
};

/// The longest diagonal.
pub(super) const DIAGONAL_8: Bitboard = bitboard! {
    X . . . . . . .
    . X . . . . . .
    . . X . . . . .
    . . . X . . . .
    . . . . X . . .
    . . . . . X . .
    . . . . . . X .
    . . . . . . . X
};

/// The diagonal of seven squares.
pub(super) const DIAGONAL_7: Bitboard = bitboard! {
    . X . . . . . .
    . . X . . . . .
    . . . X . . . .
    . . . . X . . .
    . . . . . X . .
    . . . . . . X .
    . . . . . . . X
    . . . . . . . .
};

/// The diagonal of six squares.
pub(super) const DIAGONAL_6: Bitboard = bitboard! {
    . . X . . . . .
    . . . X . . . .
    . . . . X . . .
    . . . . . X . .
    . . . . . . X .
    . . . . . . . X
    . . . . . . . .
    . . . . . . . .
};

/// The diagonal of five squares.
pub(super) const DIAGONAL_5: Bitboard = bitboard! {
    . . . X . . . .
    . . . . X . . .
    . . . . . X . .
    . . . . . . X .
    . . . . . . . X
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
};

/// The diagonal of four squares.
pub(super) const DIAGONAL_4: Bitboard = bitboard! {
    . . . . X . . .
    . . . . . X . .
    . . . . . . X .
    . . . . . . . X
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
};

/// A pattern with all that follows from its shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pattern {
    /// One of its instances.
    pub(super) shape: Bitboard,
    /// How many squares it has.
    pub(in crate::eval) len: usize,
    /// The lane of its first instance; the others follow.
    pub(in crate::eval) first: usize,
    /// How many instances it has on the board: its symmetric images.
    pub(in crate::eval) instances: usize,
    /// Where its weights begin.
    pub(in crate::eval) start: usize,
    /// Room for its weights, a power of two above 3^`len`: the low bits of an index, negative or not, tell it.
    pub(in crate::eval) room: usize,
}

impl Pattern {
    /// Where among its weights that of a configuration stands, by its index.
    #[inline]
    pub(in crate::eval) const fn slot(&self, index: i16) -> usize {
        index as u16 as usize & (self.room - 1)
    }
}

/// Most patterns in a set.
pub(in crate::eval) const MOST_PATTERNS: usize = 14;

/// The patterns of these shapes, and after them some without instances, lanes and room.
pub(super) const fn patterns(shapes: &[Bitboard]) -> [Pattern; MOST_PATTERNS] {
    let mut patterns = [Pattern {
        shape: Bitboard::EMPTY,
        len: 0,
        first: 0,
        instances: 0,
        start: 0,
        room: 0,
    }; MOST_PATTERNS];
    let (mut first, mut start, mut at) = (0, 0, 0);
    while at < MOST_PATTERNS {
        (patterns[at].first, patterns[at].start) = (first, start);
        if at < shapes.len() {
            let len = shapes[at].count() as usize;
            patterns[at].shape = shapes[at];
            patterns[at].len = len;
            patterns[at].instances = instances(shapes[at]).1;
            patterns[at].room = 3_usize.pow(len as u32).next_power_of_two();
        }
        first += patterns[at].instances;
        start += patterns[at].room;
        at += 1;
    }
    assert!(shapes.len() <= MOST_PATTERNS, "too many patterns");
    patterns
}

/// The squares of each instance of a shape, in the order of their powers of three.
pub(super) const fn instances(shape: Bitboard) -> ([[u8; MOST_SQUARES]; 8], usize) {
    let mut images = [[0; MOST_SQUARES]; 8];
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

/// The squares of `shape` in a1..h8 order, each moved by `symmetry`.
pub(super) const fn image(shape: Bitboard, symmetry: Symmetry) -> [u8; MOST_SQUARES] {
    let mut squares = [0; MOST_SQUARES];
    let (mut rest, mut at) = (shape, 0);
    while let Some(square) = rest.first() {
        squares[at] = symmetry.square(square).index() as u8;
        at += 1;
        rest = Bitboard(rest.0 & (rest.0 - 1));
    }
    squares
}
