//! What the search learns about moves while it runs: killers per ply and history per square.

use crate::board::Square;

/// More plies than any line has: 60 moves and the passes between them.
pub(super) const MAX_PLY: usize = 128;

/// History counters are halved when one gets here.
const HISTORY_CEILING: u32 = 1 << 20;

/// The moves that caused cut-offs.
#[derive(Debug)]
pub(super) struct CutMoves {
    /// The last two moves that cut at each ply, the later one first (Akl and Newborn 1977).
    killers: [[Option<Square>; 2]; MAX_PLY],
    /// How much each square has cut for the side that moves at even and at odd plies, weighted by the size of the
    /// subtree it saved (Schaeffer 1983).
    history: [[u32; Square::COUNT]; 2],
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
    /// `square` cut `depth` plies above the leaves, at `ply` below the root.
    pub(super) fn record(&mut self, ply: usize, depth: u32, square: Square) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(square) {
            *killers = [Some(square), killers[0]];
        }
        let history = &mut self.history[ply % 2];
        history[square.index()] += depth * depth;
        if history[square.index()] >= HISTORY_CEILING {
            for count in history {
                *count /= 2;
            }
        }
    }

    /// The killers of a ply, the last one first.
    #[inline]
    pub(super) fn killers(&self, ply: usize) -> [Option<Square>; 2] {
        self.killers[ply]
    }

    /// The history counter of a square, 0..2²⁰.
    #[inline]
    pub(super) fn history(&self, ply: usize, square: Square) -> u32 {
        self.history[ply % 2][square.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_killers_the_last_first_none_twice() {
        let mut cuts = CutMoves::default();
        for square in [Square::A1, Square::B1, Square::B1, Square::C1] {
            cuts.record(3, 1, square);
        }
        assert_eq!(cuts.killers(3), [Some(Square::C1), Some(Square::B1)]);
        assert_eq!(cuts.killers(4), [None, None]);
    }

    #[test]
    fn history_never_overflows_and_keeps_the_order() {
        let mut cuts = CutMoves::default();
        for _ in 0..100_000 {
            cuts.record(1, 60, Square::A1);
            cuts.record(1, 30, Square::B1);
        }
        assert!(cuts.history(1, Square::A1) > cuts.history(1, Square::B1));
        assert!(cuts.history(1, Square::A1) <= HISTORY_CEILING);
        assert_eq!(cuts.history(0, Square::A1), 0);
    }
}
