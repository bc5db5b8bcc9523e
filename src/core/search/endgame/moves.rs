//! Move ordering of the small solver: moves with costs, returned by ascending cost.

use arrayvec::ArrayVec;

use crate::search::ordering::move_list::LegalMove;

/// Moves of a position with few empties, with a sort key for each.
/// Sorting 16-bit keys is cheaper than sorting the moves. A key holds a cost and an index.
#[derive(Debug)]
pub(super) struct EndgameMoves {
    list: ArrayVec<LegalMove, { EndgameMoves::MAX }>,
    /// Keys of the moves not tried yet, and [`Self::TRIED`] for the others.
    /// The keys fill one vector register, so the least key is found without a loop.
    keys: [u16; EndgameMoves::MAX],
    /// Least key of all moves added.
    first: u32,
}

impl EndgameMoves {
    /// Maximum number of moves.
    pub(super) const MAX: usize = 16;

    /// Number of bits of a key that hold the index of its move.
    const INDEX_BITS: u32 = EndgameMoves::MAX.ilog2();

    /// Key of a move already tried, greater than any other key.
    const TRIED: u16 = u16::MAX;

    /// Offset that makes costs non-negative. No cost is below −`OFFSET`.
    const OFFSET: i32 = 1024;

    /// Least cost. A move with this cost is tried first.
    pub(super) const MIN_COST: i32 = -EndgameMoves::OFFSET;

    /// Greatest cost that fits in a key.
    const MAX_COST: i32 =
        (EndgameMoves::TRIED >> EndgameMoves::INDEX_BITS) as i32 - 1 - EndgameMoves::OFFSET;

    /// Creates an empty list.
    #[inline]
    pub(super) fn new() -> EndgameMoves {
        EndgameMoves {
            list: ArrayVec::new(),
            keys: [EndgameMoves::TRIED; EndgameMoves::MAX],
            first: EndgameMoves::TRIED.into(),
        }
    }

    /// Adds a move. Moves of lower cost are tried first, those of equal cost in order of addition.
    ///
    /// # Panics
    /// Panics if the list already holds [`MAX`](Self::MAX) moves.
    #[inline]
    pub(super) fn push(&mut self, candidate: LegalMove, cost: i32) {
        debug_assert!((EndgameMoves::MIN_COST..=EndgameMoves::MAX_COST).contains(&cost));
        let index = self.list.len();
        let key = ((cost + EndgameMoves::OFFSET) << EndgameMoves::INDEX_BITS) as u16 | index as u16;
        self.keys[index] = key;
        self.first = self.first.min(key.into());
        self.list.push(candidate);
    }

    /// Returns all moves in order of addition.
    pub(super) fn all(&self) -> &[LegalMove] {
        &self.list
    }

    /// Returns the key of the first move to try.
    #[inline]
    pub(super) fn first(&self) -> Option<u16> {
        (self.first != u32::from(EndgameMoves::TRIED)).then_some(self.first as u16)
    }

    /// Returns the least key of the moves not tried yet.
    #[inline]
    pub(super) fn next(&self) -> Option<u16> {
        let least = self.keys.iter().copied().min();
        least.filter(|&key| key != EndgameMoves::TRIED)
    }

    /// Returns the move of `key` and marks it as tried.
    #[inline]
    pub(super) fn take(&mut self, key: u16) -> &LegalMove {
        let index = key as usize % EndgameMoves::MAX;
        self.keys[index] = EndgameMoves::TRIED;
        &self.list[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bitboard, Board, Square};

    #[test]
    fn each_candidate_is_returned_once_by_cost_then_by_order_of_addition() {
        let mut random = fastrand::Rng::with_seed(11);
        for count in 0..=EndgameMoves::MAX {
            let mut candidates = EndgameMoves::new();
            let mut expected = Vec::new();
            for square in Square::all().take(count) {
                let cost = random.i32(EndgameMoves::MIN_COST..EndgameMoves::MIN_COST + 8);
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
            let mut next = candidates.first();
            for (_, square) in expected {
                assert_eq!(next, candidates.next());
                let key = next.expect("a candidate");
                assert_eq!(candidates.take(key).square, square);
                next = candidates.next();
            }
            assert_eq!(next, None);
        }
    }
}
