//! Parity of the quadrants: who plays last in a corner region often gains there, so squares in quadrants with an odd
//! number of empties are tried first.

use crate::bitboard;
use crate::board::{Bitboard, Square};

/// The squares of all quadrants with an odd number of empties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OddQuadrants(Bitboard);

impl OddQuadrants {
    /// No quadrant.
    const NONE: OddQuadrants = OddQuadrants(Bitboard::EMPTY);

    /// For this set of empties.
    pub(super) fn of(empties: Bitboard) -> OddQuadrants {
        empties.squares().fold(OddQuadrants::NONE, Self::after)
    }

    /// When `square` has been filled.
    #[inline]
    pub(super) fn after(self, square: Square) -> OddQuadrants {
        OddQuadrants(self.0 ^ QUADRANTS[square.index()])
    }

    /// Whether `square` lies in one of them.
    #[inline]
    pub(super) fn contains(self, square: Square) -> bool {
        self.0.contains(square)
    }

    /// `squares` in two parts: those in odd quadrants, and the others.
    #[inline]
    pub(super) fn split(self, squares: Bitboard) -> [Bitboard; 2] {
        [squares & self.0, squares & !self.0]
    }
}

/// The quadrant of each square.
static QUADRANTS: [Bitboard; 64] = {
    let first = bitboard! {
        X X X X . . . .
        X X X X . . . .
        X X X X . . . .
        X X X X . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
    };
    let mut quadrants = [first; 64];
    let mut square = 0;
    while square < 64 {
        // Right half: four bits on; lower half: four rows, 32 bits, on.
        quadrants[square] = Bitboard(first.0 << (square & 4) << (square & 32));
        square += 1;
    }
    quadrants
};
