//! Move ordering of the endgame solvers: moves with costs, and the parity of the quadrants.
//! The side that makes the last move in a quadrant often gains discs there.
//! Squares in quadrants with an odd number of empties are therefore tried first.

use arrayvec::ArrayVec;

use crate::board::{Bitboard, Square};
use crate::search::ordering::LegalMove;

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

    /// Splits `squares` into parts to be tried in turn: squares in odd quadrants before squares in
    /// even quadrants, and corners before other squares.
    #[inline]
    pub(super) fn parts(self, squares: Bitboard) -> [Bitboard; 4] {
        let [odd, even] = self.split(squares);
        let [first, others] = [Bitboard::CORNERS, !Bitboard::CORNERS];
        [odd & first, odd & others, even & first, even & others]
    }

    /// Splits `squares` into the squares in odd quadrants and the squares in even quadrants.
    #[inline]
    pub(super) fn split(self, squares: Bitboard) -> [Bitboard; 2] {
        [squares & self.0, squares & !self.0]
    }
}

/// Quadrant of each square, as a set of 16 squares.
static QUADRANTS: [Bitboard; 64] = {
    let first = Bitboard(0x0F0F_0F0F);
    let mut quadrants = [first; 64];
    let mut square = 0;
    while square < 64 {
        // The right quadrants are 4 bits further on, the lower quadrants 32 bits (4 rows).
        quadrants[square] = Bitboard(first.0 << (square & 4) << (square & 32));
        square += 1;
    }
    quadrants
};

/// Moves of a position with few empties, with a sort key for each.
/// Sorting 16-bit keys is cheaper than sorting the moves. A key holds a cost and an index.
#[derive(Debug)]
pub(super) struct EndgameMoves {
    list: ArrayVec<LegalMove, { EndgameMoves::MAX }>,
    /// Keys of the moves not tried yet, and [`Self::TRIED`] for the tried moves. The keys fill one
    /// vector register, so the least key is found without a loop.
    keys: [u16; EndgameMoves::MAX],
}

impl EndgameMoves {
    /// Maximum number of moves.
    pub(super) const MAX: usize = 16;

    /// Number of bits of a key that hold the index of its move.
    const INDEX_BITS: u32 = EndgameMoves::MAX.ilog2();

    /// Key of a move already tried, greater than any other key.
    const TRIED: u16 = u16::MAX;

    /// Added to the cost of a move that is not evaluated. It exceeds what an evaluation can add, so
    /// that such a move comes after all evaluated moves.
    const UNEVALUATED: i32 = 400;

    /// Offset that makes costs non-negative. No cost is below −`OFFSET`.
    const OFFSET: i32 = 1024;

    /// Greatest cost that fits in a key.
    const MAX_COST: i32 =
        (EndgameMoves::TRIED >> EndgameMoves::INDEX_BITS) as i32 - 1 - EndgameMoves::OFFSET;

    #[inline]
    pub(super) fn new() -> EndgameMoves {
        EndgameMoves {
            list: ArrayVec::new(),
            keys: [EndgameMoves::TRIED; EndgameMoves::MAX],
        }
    }

    /// Adds a move. Moves of lower cost are tried first, moves of equal cost in order of addition.
    ///
    /// # Panics
    /// Panics if the list already holds [`MAX`](Self::MAX) moves.
    #[inline]
    pub(super) fn push(&mut self, candidate: LegalMove, cost: i32) {
        debug_assert!((-EndgameMoves::OFFSET..=EndgameMoves::MAX_COST).contains(&cost));
        let index = self.list.len();
        let key = ((cost + EndgameMoves::OFFSET) << EndgameMoves::INDEX_BITS) as u16 | index as u16;
        self.keys[index] = key;
        self.list.push(candidate);
    }

    /// Adds the result of `value` to the cost of each move whose cost is at most `within` points
    /// above the least cost. The other moves come after these.
    #[inline]
    pub(super) fn add_costs(&mut self, within: i32, mut value: impl FnMut(&LegalMove) -> i32) {
        let limit = u32::from(self.least()) + (within << EndgameMoves::INDEX_BITS) as u32;
        for (candidate, key) in self.list.iter().zip(&mut self.keys) {
            let more = if u32::from(*key) <= limit {
                value(candidate)
            } else {
                EndgameMoves::UNEVALUATED
            };
            *key = key.wrapping_add_signed((more << EndgameMoves::INDEX_BITS) as i16);
        }
    }

    /// Returns all moves in order of addition.
    pub(super) fn all(&self) -> &[LegalMove] {
        &self.list
    }

    /// Returns the least key, or [`Self::TRIED`] if every move was tried.
    #[inline]
    fn least(&self) -> u16 {
        self.keys.iter().copied().fold(Self::TRIED, u16::min)
    }

    /// Takes the move of least cost among those not tried yet.
    #[inline]
    pub(super) fn take_best(&mut self) -> Option<&LegalMove> {
        let key = self.least();
        if key == EndgameMoves::TRIED {
            return None;
        }
        let index = key as usize % EndgameMoves::MAX;
        self.keys[index] = EndgameMoves::TRIED;
        Some(&self.list[index])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn each_candidate_is_returned_once_by_cost_then_by_order_of_addition() {
        let mut random = fastrand::Rng::with_seed(11);
        for count in 0..=EndgameMoves::MAX {
            let mut candidates = EndgameMoves::new();
            let mut expected = Vec::new();
            for square in Square::all().take(count) {
                let cost = random.i32(-8..8);
                let candidate = LegalMove {
                    square,
                    child: Board::START,
                    replies: Bitboard::EMPTY,
                };
                candidates.push(candidate, cost);
                expected.push((cost, square));
            }
            assert_eq!(candidates.all().len(), count);
            expected.sort_by_key(|&(cost, _)| cost);
            for (_, square) in expected {
                assert_eq!(candidates.take_best().map(|mv| mv.square), Some(square));
            }
            assert!(candidates.take_best().is_none());
        }
    }
}
