//! Search techniques that can be switched off one by one, to measure what each saves.

use bitflags::bitflags;

bitflags! {
    /// Set of search techniques that are switched on.
    ///
    /// In a full-width search of a given depth they change the cost, but never the value.
    /// Forward pruning needs null windows, so `NULL_WINDOW` changes values of a selective search.
    /// So does the move order at 73 %, where the last moves may be left out.
    /// `KILLERS` to `EVALUATED_ORDER` apply to midgame move ordering only, not to the endgame.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
        /// Evaluated order: moves are ordered by the static values of their children.
        const EVALUATED_ORDER = 1 << 7;
        /// Enhanced transposition cut-off: a table entry of any child may cut the node.
        /// Source: Plaat et al. 1996.
        const ETC = 1 << 8;
    }
}

impl Default for Techniques {
    fn default() -> Techniques {
        Techniques::all()
    }
}
