//! Killer moves and history counters, updated at cut-offs during a search.
//! Move ordering in [`ordering`](super) reads them.

use crate::board::Square;
use crate::search::parameters::ordering::HISTORY_LIMIT;

/// Upper bound of the length of a path from the root in plies: 60 moves and the passes between
/// them.
pub(crate) const MAX_PLY: usize = 128;

/// Moves that caused cut-offs: killer moves for each ply, history counters for each square.
#[derive(Debug)]
pub(crate) struct History {
    /// Killer moves: the last two moves that caused a cut-off at each ply, the latest first.
    /// Source: Akl and Newborn 1977.
    killers: [[Option<Square>; 2]; MAX_PLY],
    /// History counters of each square, separately for moves at even and at odd plies. A counter
    /// rises when its move causes a cut-off. It falls when its move was searched without a cut-off
    /// and a later move of the node causes one. Source: Schaeffer 1983.
    counters: [[i32; Square::COUNT]; 2],
}

impl Default for History {
    fn default() -> History {
        History {
            killers: [[None; 2]; MAX_PLY],
            counters: [[0; Square::COUNT]; 2],
        }
    }
}

impl History {
    /// Records that `square` caused a cut-off at `ply`, in a search of `depth` plies.
    ///
    /// `tried` are the moves searched before `square` without a cut-off. Their counters fall.
    pub(crate) fn update(
        &mut self,
        ply: usize,
        depth: u32,
        square: Square,
        tried: impl Iterator<Item = Square>,
    ) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(square) {
            *killers = [Some(square), killers[0]];
        }
        let counters = &mut self.counters[ply % 2];
        // The bonus grows with the depth, because a cut-off of a deeper search saves more nodes.
        let bonus = (depth * depth).min(HISTORY_LIMIT as u32) as i32;
        change(&mut counters[square.index()], bonus);
        for square in tried {
            change(&mut counters[square.index()], -bonus);
        }
    }

    /// Returns the killer moves of `ply`, the latest first.
    #[inline]
    pub(crate) fn killers(&self, ply: usize) -> [Option<Square>; 2] {
        self.killers[ply]
    }

    /// Returns the history counter of `square` for the side that moves at `ply`.
    /// The counter is in points of the move ordering, within ±[`HISTORY_LIMIT`].
    #[inline]
    pub(crate) fn points(&self, ply: usize, square: Square) -> i32 {
        self.counters[ply % 2][square.index()]
    }
}

/// Adds `change` to a history counter and decays it in proportion to `change`.
/// The decay keeps the counter within ±[`HISTORY_LIMIT`].
fn change(counter: &mut i32, change: i32) {
    *counter += change - *counter * change.abs() / HISTORY_LIMIT;
}

#[cfg(test)]
mod tests {
    use std::iter;

    use super::*;

    #[test]
    fn killers_are_the_last_two_distinct_moves_latest_first() {
        let mut cuts = History::default();
        for square in [Square::A1, Square::B1, Square::B1, Square::C1] {
            cuts.update(3, 1, square, iter::empty());
        }
        assert_eq!(cuts.killers(3), [Some(Square::C1), Some(Square::B1)]);
        assert_eq!(cuts.killers(4), [None, None]);
    }

    #[test]
    fn history_rises_with_cut_offs_and_falls_for_moves_tried_before() {
        let mut cuts = History::default();
        cuts.update(1, 3, Square::A1, [Square::B1, Square::C1].into_iter());
        assert_eq!(cuts.points(1, Square::A1), 9);
        assert_eq!(cuts.points(1, Square::B1), -9);
        assert_eq!(cuts.points(1, Square::C1), -9);
        assert_eq!(cuts.points(1, Square::D1), 0);
        assert_eq!(cuts.points(0, Square::A1), 0);
    }

    #[test]
    fn history_stays_within_its_limit_and_can_change_sign() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut cuts = History::default();
        for _ in 0..100_000 {
            let depth = random.u32(0..=60);
            cuts.update(0, depth, Square::A1, iter::once(Square::B1));
            assert!(cuts.points(0, Square::A1) <= HISTORY_LIMIT);
            assert!(cuts.points(0, Square::B1) >= -HISTORY_LIMIT);
        }
        for _ in 0..HISTORY_LIMIT {
            cuts.update(0, 2, Square::B1, iter::once(Square::A1));
        }
        assert!(cuts.points(0, Square::B1) > 0);
        assert!(cuts.points(0, Square::A1) < 0);
    }
}
