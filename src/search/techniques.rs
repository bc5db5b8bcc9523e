//! The techniques of the search, each of which can be switched off to see what it saves.

use bitflags::bitflags;

bitflags! {
    /// Which techniques are on. None of them changes the value of a full-width search of a given depth, only its cost; a selective
    /// search cuts in null windows alone. The five from `KILLERS` to `EVALUATED_ORDER` are about the order of moves in the
    /// midgame: the endgame has its own.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct Techniques: u16 {
        /// Transposition table: cut-offs, and its moves first.
        const TABLE = 1 << 0;
        /// Null windows around all but the first move (Marsland and Campbell 1982; Reinefeld 1983).
        const NULL_WINDOW = 1 << 1;
        /// A narrow first window around the last iteration's value.
        const ASPIRATION = 1 << 2;
        /// Moves that cut at the same ply are tried early (Akl and Newborn 1977).
        const KILLERS = 1 << 3;
        /// Moves that cut anywhere are tried early, moves tried in vain late (Schaeffer 1983).
        const HISTORY = 1 << 4;
        /// Corners early, the squares beside them late.
        const STATIC_ORDER = 1 << 5;
        /// Moves that leave the opponent few replies are tried early.
        const FASTEST_FIRST = 1 << 6;
        /// Moves are tried in the order of their static values.
        const EVALUATED_ORDER = 1 << 7;
        /// A reply that the table knows to be bad enough cuts before any move is tried (Plaat et al. 1996).
        const ETC = 1 << 8;
    }
}

impl Default for Techniques {
    fn default() -> Techniques {
        Techniques::all()
    }
}
