//! The patterns: where they lie on the board, and how the discs in them are numbered. Stands on `board`.
//!
//! A pattern is a set of squares with its images under the symmetries of the board; all images share their weights.
//! The discs in it make a number in balanced ternary: a disc of the mover counts +1, of the opponent −1, each times
//! the power of three of its square. So the other side's number is the negative, and a number of up to ten squares
//! fits 16 bits.

use crate::bitboard;
use crate::board::Bitboard;

/// Squares of the largest pattern.
pub(super) const MOST_SQUARES: usize = 10;

/// The patterns, each in one of its places.
pub(super) const SHAPES: [Bitboard; 14] = [
    // The corner, 3×3.
    bitboard! {
        X X X . . . . .
        X X X . . . . .
        X X X . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
    },
    // Both edges of a corner, with its X square.
    bitboard! {
        X X X X X . . .
        X X . . . . . .
        X . . . . . . .
        X . . . . . . .
        X . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
    },
    // The corner as a triangle.
    bitboard! {
        X X X X . . . .
        X X X . . . . .
        X X . . . . . .
        X . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
    },
    // The corner, 2×5.
    bitboard! {
        X X X X X . . .
        X X X X X . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
    },
    // The edge with both X squares.
    bitboard! {
        X X X X X X X X
        . X . . . . X .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
    },
    // The middle of the edge and what lies before it, with both corners.
    bitboard! {
        X . X X X X . X
        . . X X X X . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
    },
    // The second, third and fourth line.
    bitboard! {
        . . . . . . . .
        X X X X X X X X
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
    },
    bitboard! {
        . . . . . . . .
        . . . . . . . .
        X X X X X X X X
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
    },
    bitboard! {
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        X X X X X X X X
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
    },
    // The diagonals, from the longest to those of four squares.
    bitboard! {
        X . . . . . . .
        . X . . . . . .
        . . X . . . . .
        . . . X . . . .
        . . . . X . . .
        . . . . . X . .
        . . . . . . X .
        . . . . . . . X
    },
    bitboard! {
        . X . . . . . .
        . . X . . . . .
        . . . X . . . .
        . . . . X . . .
        . . . . . X . .
        . . . . . . X .
        . . . . . . . X
        . . . . . . . .
    },
    bitboard! {
        . . X . . . . .
        . . . X . . . .
        . . . . X . . .
        . . . . . X . .
        . . . . . . X .
        . . . . . . . X
        . . . . . . . .
        . . . . . . . .
    },
    bitboard! {
        . . . X . . . .
        . . . . X . . .
        . . . . . X . .
        . . . . . . X .
        . . . . . . . X
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
    },
    bitboard! {
        . . . . X . . .
        . . . . . X . .
        . . . . . . X .
        . . . . . . . X
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
    },
];

/// A pattern with all that follows from its shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pattern {
    /// How many squares it has.
    pub(super) len: usize,
    /// The lane of its first place on the board; the others follow.
    pub(super) first: usize,
    /// How many places it has.
    pub(super) places: usize,
    /// Where its weights begin.
    pub(super) start: usize,
    /// Room for its weights, a power of two above 3^`len`: the low bits of a number, negative or not, tell it.
    pub(super) room: usize,
}

/// The patterns, in the order of [`SHAPES`].
pub(super) const PATTERNS: [Pattern; SHAPES.len()] = {
    let mut patterns = [Pattern {
        len: 0,
        first: 0,
        places: 0,
        start: 0,
        room: 0,
    }; SHAPES.len()];
    let (mut first, mut start, mut at) = (0, 0, 0);
    while at < SHAPES.len() {
        let len = SHAPES[at].count() as usize;
        let places = places(SHAPES[at]).1;
        let room = 3_usize.pow(len as u32).next_power_of_two();
        patterns[at] = Pattern {
            len,
            first,
            places,
            start,
            room,
        };
        first += places;
        start += room;
        at += 1;
    }
    patterns
};

/// Places of all patterns.
pub(super) const PLACES: usize = {
    let last = PATTERNS[SHAPES.len() - 1];
    last.first + last.places
};

/// Weights of all patterns, the gaps included.
pub(super) const ROOM: usize = {
    let last = PATTERNS[SHAPES.len() - 1];
    last.start + last.room
};

/// The squares of each place, in the order of their powers of three; those beyond the length of the pattern are 0.
pub(super) const SQUARES: [[u8; MOST_SQUARES]; PLACES] = {
    let mut squares = [[0; MOST_SQUARES]; PLACES];
    let mut at = 0;
    while at < SHAPES.len() {
        let (symmetries, count) = places(SHAPES[at]);
        let mut place = 0;
        while place < count {
            squares[PATTERNS[at].first + place] = image(SHAPES[at], symmetries[place]);
            place += 1;
        }
        at += 1;
    }
    squares
};

/// The symmetries that bring `shape` to its different places, and how many there are.
const fn places(shape: Bitboard) -> ([u8; 8], usize) {
    let (mut symmetries, mut sets, mut count) = ([0; 8], [0; 8], 0);
    let mut symmetry = 0;
    while symmetry < 8 {
        let set = set_of(image(shape, symmetry), shape.count() as usize);
        let mut known = 0;
        while known < count && sets[known] != set {
            known += 1;
        }
        if known == count {
            (symmetries[count], sets[count]) = (symmetry, set);
            count += 1;
        }
        symmetry += 1;
    }
    (symmetries, count)
}

/// The squares of `shape` in a1..h8 order, each moved by `symmetry`: bit 0 mirrors the files, bit 1 the ranks, and then
/// bit 2 exchanges files and ranks.
pub(super) const fn image(shape: Bitboard, symmetry: u8) -> [u8; MOST_SQUARES] {
    let mut squares = [0; MOST_SQUARES];
    let (mut bits, mut at) = (shape.0, 0);
    while bits != 0 {
        let mut square = bits.trailing_zeros() as u8;
        if symmetry & 1 != 0 {
            square ^= 0b000_111;
        }
        if symmetry & 2 != 0 {
            square ^= 0b111_000;
        }
        if symmetry & 4 != 0 {
            square = square % 8 * 8 + square / 8;
        }
        squares[at] = square;
        at += 1;
        bits &= bits - 1;
    }
    squares
}

const fn set_of(squares: [u8; MOST_SQUARES], len: usize) -> u64 {
    let (mut set, mut at) = (0, 0);
    while at < len {
        set |= 1 << squares[at];
        at += 1;
    }
    set
}
