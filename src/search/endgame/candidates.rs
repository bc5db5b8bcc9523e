//! The moves of a position in the order in which they are tried.

use arrayvec::ArrayVec;

use crate::board::{Bitboard, Board, Square};

/// A move to try.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Candidate {
    pub(in crate::search) square: Square,
    /// The board after it, seen by the other side.
    pub(in crate::search) child: Board,
    /// The legal moves there.
    pub(in crate::search) replies: Bitboard,
}

impl Candidate {
    /// The legal move `square`.
    #[inline]
    pub(in crate::search) fn new(board: &Board, square: Square) -> Candidate {
        let (child, replies) = board.advance(square);
        Candidate {
            square,
            child,
            replies,
        }
    }

    /// Points for the mobility that the move leaves the opponent: so many for each reply, and so many more if it is a corner.
    #[inline]
    pub(in crate::search) fn mobility_points(&self, reply: i32, corner: i32) -> i32 {
        let corners = self.replies & Bitboard::CORNERS;
        reply * self.replies.count() as i32 + corner * corners.count() as i32
    }
}

/// The moves of a position with few empties. What is put in order is not the moves but a small key for each: its cost,
/// and where it is in the list.
#[derive(Debug)]
pub(super) struct Candidates {
    list: ArrayVec<Candidate, { Candidates::MOST }>,
    /// Those of the moves not tried yet; [`Self::TRIED`] for all others. They fill one vector register, and the least of
    /// them is found without a loop.
    keys: [u16; Candidates::MOST],
    /// The least of all that were ever put in.
    first: u32,
}

impl Candidates {
    /// The most moves there is room for.
    pub(super) const MOST: usize = 16;

    /// The bits of a key that say where its move is.
    const INDEX_BITS: u32 = Candidates::MOST.ilog2();

    /// Greater than all keys.
    const TRIED: u16 = u16::MAX;

    /// What is added to costs to make them positive. None is below minus this.
    const OFFSET: i32 = 1024;

    /// The cost of a move that is tried before all others.
    pub(super) const LEAST_COST: i32 = -Candidates::OFFSET;

    /// The greatest cost there is room for in a key.
    const MOST_COST: i32 =
        (Candidates::TRIED >> Candidates::INDEX_BITS) as i32 - 1 - Candidates::OFFSET;

    /// No moves.
    #[inline]
    pub(super) fn new() -> Candidates {
        Candidates {
            list: ArrayVec::new(),
            keys: [Candidates::TRIED; Candidates::MOST],
            first: Candidates::TRIED.into(),
        }
    }

    /// One more move. The lower its cost, the sooner it is tried; of equals, the one that came first.
    ///
    /// # Panics
    /// If there are [`MOST`](Self::MOST) already.
    #[inline]
    pub(super) fn push(&mut self, candidate: Candidate, cost: i32) {
        debug_assert!((Candidates::LEAST_COST..=Candidates::MOST_COST).contains(&cost));
        let index = self.list.len();
        let key = ((cost + Candidates::OFFSET) << Candidates::INDEX_BITS) as u16 | index as u16;
        self.keys[index] = key;
        self.first = self.first.min(key.into());
        self.list.push(candidate);
    }

    /// All moves, as they came.
    pub(super) fn all(&self) -> &[Candidate] {
        &self.list
    }

    /// The key of the move to try first.
    #[inline]
    pub(super) fn first(&self) -> Option<u16> {
        (self.first != u32::from(Candidates::TRIED)).then_some(self.first as u16)
    }

    /// The key of the move to try next.
    #[inline]
    pub(super) fn next(&self) -> Option<u16> {
        let least = self.keys.iter().copied().min();
        least.filter(|&key| key != Candidates::TRIED)
    }

    /// The move of a key; from now on it is tried.
    #[inline]
    pub(super) fn take(&mut self, key: u16) -> &Candidate {
        let index = key as usize % Candidates::MOST;
        self.keys[index] = Candidates::TRIED;
        &self.list[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_come_once_the_cheapest_first_and_equals_as_they_came() {
        let mut random = fastrand::Rng::with_seed(11);
        for count in 0..=Candidates::MOST {
            let mut candidates = Candidates::new();
            let mut expected = Vec::new();
            for square in Square::all().take(count) {
                let cost = random.i32(Candidates::LEAST_COST..Candidates::LEAST_COST + 8);
                let candidate = Candidate {
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
