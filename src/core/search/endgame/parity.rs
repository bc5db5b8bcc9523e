//! Parity of the quadrants, for move ordering in the endgame.
//! The side that plays last in a quadrant often gains there.
//! Squares in quadrants with an odd number of empties are therefore tried first.

use crate::bitboard;
use crate::board::{Bitboard, Square};

/// Set of all squares in quadrants with an odd number of empties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OddQuadrants(Bitboard);

impl OddQuadrants {
    /// Empty set: all quadrants have an even number of empties.
    const NONE: OddQuadrants = OddQuadrants(Bitboard::EMPTY);

    /// Computes the odd quadrants of a set of empties.
    pub(super) fn of(empties: Bitboard) -> OddQuadrants {
        empties.squares().fold(OddQuadrants::NONE, Self::after)
    }

    /// Returns the odd quadrants after a disc is placed on `square`.
    #[inline]
    pub(super) fn after(self, square: Square) -> OddQuadrants {
        OddQuadrants(self.0 ^ QUADRANTS[square.index()])
    }

    /// Returns whether `square` lies in an odd quadrant.
    #[inline]
    pub(super) fn contains(self, square: Square) -> bool {
        self.0.contains(square)
    }

    /// Splits `squares` into those in odd quadrants and those in even ones.
    #[inline]
    pub(super) fn split(self, squares: Bitboard) -> [Bitboard; 2] {
        [squares & self.0, squares & !self.0]
    }
}

/// Quadrant of each square, as a set of 16 squares.
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
        // The right half is 4 bits further on, the lower half 4 rows or 32 bits.
        quadrants[square] = Bitboard(first.0 << (square & 4) << (square & 32));
        square += 1;
    }
    quadrants
};
