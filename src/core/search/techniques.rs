//! Search techniques that can be switched off one by one, to measure what each saves.

use std::fmt;

use bitflags::bitflags;

bitflags! {
    /// Set of search techniques that are switched on.
    ///
    /// In a full-width search of a given depth they change the cost, but never the value.
    /// Those of [`FORWARD_PRUNING`](Self::FORWARD_PRUNING) act in selective searches only, where
    /// they change values. So do `NULL_WINDOW`, because only null windows are pruned, and the
    /// move order, because late moves are pruned.
    /// `KILLERS` to `STATIC_ORDER` do not apply to searches to the end of the game.
    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Techniques: u16 {
        /// Transposition table: cut-offs, and table moves first.
        const TABLE = 1 << 0;
        /// Null windows for all but the first move (Marsland and Campbell 1982; Reinefeld 1983).
        const NULL_WINDOW = 1 << 1;
        /// Aspiration window around the value of the previous iteration.
        const ASPIRATION = 1 << 2;
        /// Killer moves: moves that caused a cut-off at the same ply (Akl and Newborn 1977).
        const KILLERS = 1 << 3;
        /// History: moves that caused cut-offs anywhere in the tree come first.
        /// Moves searched before the cut-off of another move come last.
        /// Source: Schaeffer 1983.
        const HISTORY = 1 << 4;
        /// Static square weights: corners early, the squares beside them late.
        const STATIC_ORDER = 1 << 5;
        /// Fastest first: moves that leave the opponent few replies come early.
        const FASTEST_FIRST = 1 << 6;
        /// Evaluated order: moves are ordered by the values of their children.
        const EVALUATED_ORDER = 1 << 7;
        /// Enhanced transposition cut-off: a table entry of any child may cut the node.
        /// Source: Plaat et al. 1996.
        const ETC = 1 << 8;
        /// Multi-ProbCut: a shallow search predicts that the value is outside the window.
        /// Source: Buro 1997.
        const PROBCUT = 1 << 9;
        /// Static cut: one and two plies from the leaves the static value predicts it.
        const STATIC_CUT = 1 << 10;
        /// Late-move pruning: near the leaves the last moves of the order are left out.
        const LATE_MOVE_PRUNING = 1 << 11;
        /// Late-move reductions: late moves are searched to less depth first.
        const LATE_MOVE_REDUCTIONS = 1 << 12;
        /// Cut-off by an upper bound of the score: the opponent keeps its stable discs.
        /// It acts with at most 13 empties.
        const STABILITY = 1 << 13;
        /// Cut-off by a lower bound: the side to move keeps its stable discs, before and after
        /// a move. It acts with 6 to 13 empties.
        const OWN_STABILITY = 1 << 14;
    }
}

impl Techniques {
    /// Techniques that may cut a node without proof. They act below 100 % selectivity only.
    pub const FORWARD_PRUNING: Techniques = Techniques::PROBCUT
        .union(Techniques::STATIC_CUT)
        .union(Techniques::LATE_MOVE_PRUNING)
        .union(Techniques::LATE_MOVE_REDUCTIONS);
}

/// Writes the names, or `all`.
impl fmt::Debug for Techniques {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_all() {
            return f.write_str("all");
        }
        bitflags::parser::to_writer(self, f)
    }
}

impl Default for Techniques {
    fn default() -> Techniques {
        Techniques::all()
    }
}
