//! Killer moves and history counters, updated at cut-offs during a search.
//! Move ordering in [`ordering`](crate::search::ordering::move_list) reads them.

use crate::board::Square;
use crate::search::parameters::ordering::HISTORY_LIMIT;

/// Upper bound of the length of a line in plies: 60 moves and the passes between them.
pub(crate) const MAX_PLY: usize = 128;

/// Moves that caused cut-offs: killer moves for each ply, history counters for each square.
#[derive(Debug)]
pub(crate) struct CutMoves {
    /// Killer moves: the last two moves that caused a cut-off at each ply, the latest first.
    /// Source: Akl and Newborn 1977.
    killers: [[Option<Square>; 2]; MAX_PLY],
    /// History counters of each square, separately for moves at even and at odd plies.
    /// A counter rises with each cut-off and falls when another move cuts after it was tried.
    /// Source: Schaeffer 1983.
    history: [[i32; Square::COUNT]; 2],
}

impl Default for CutMoves {
    fn default() -> CutMoves {
        CutMoves {
            killers: [[None; 2]; MAX_PLY],
            history: [[0; Square::COUNT]; 2],
        }
    }
}

impl CutMoves {
    /// Records that `square` caused a cut-off at `ply`, in a search of `depth` plies.
    ///
    /// `tried` are the moves searched before it without a cut-off. Their counters fall.
    pub(crate) fn record(
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
        let history = &mut self.history[ply % 2];
        // A larger subtree gives a larger bonus: a cut-off there saves more nodes.
        let bonus = (depth * depth).min(HISTORY_LIMIT as u32) as i32;
        update(&mut history[square.index()], bonus);
        for square in tried {
            update(&mut history[square.index()], -bonus);
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
    pub(crate) fn history(&self, ply: usize, square: Square) -> i32 {
        self.history[ply % 2][square.index()]
    }
}

/// Adds `change` to a history counter and decays it in proportion to `change`.
/// The decay keeps the counter within ±[`HISTORY_LIMIT`].
fn update(counter: &mut i32, change: i32) {
    *counter += change - *counter * change.abs() / HISTORY_LIMIT;
}

#[cfg(test)]
mod tests {
    use std::iter;

    use super::*;

    #[test]
    fn killers_are_the_last_two_distinct_moves_latest_first() {
        let mut cuts = CutMoves::default();
        for square in [Square::A1, Square::B1, Square::B1, Square::C1] {
            cuts.record(3, 1, square, iter::empty());
        }
        assert_eq!(cuts.killers(3), [Some(Square::C1), Some(Square::B1)]);
        assert_eq!(cuts.killers(4), [None, None]);
    }

    #[test]
    fn history_rises_with_cut_offs_and_falls_for_moves_tried_before() {
        let mut cuts = CutMoves::default();
        cuts.record(1, 3, Square::A1, [Square::B1, Square::C1].into_iter());
        assert_eq!(cuts.history(1, Square::A1), 9);
        assert_eq!(cuts.history(1, Square::B1), -9);
        assert_eq!(cuts.history(1, Square::C1), -9);
        assert_eq!(cuts.history(1, Square::D1), 0);
        assert_eq!(cuts.history(0, Square::A1), 0);
    }

    #[test]
    fn history_stays_within_its_limit_and_can_change_sign() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut cuts = CutMoves::default();
        for _ in 0..100_000 {
            let depth = random.u32(0..=60);
            cuts.record(0, depth, Square::A1, iter::once(Square::B1));
            assert!(cuts.history(0, Square::A1) <= HISTORY_LIMIT);
            assert!(cuts.history(0, Square::B1) >= -HISTORY_LIMIT);
        }
        for _ in 0..HISTORY_LIMIT {
            cuts.record(0, 2, Square::B1, iter::once(Square::A1));
        }
        assert!(cuts.history(0, Square::B1) > 0);
        assert!(cuts.history(0, Square::A1) < 0);
    }
}
