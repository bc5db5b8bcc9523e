//! The faults that a position read from text can have.

use std::fmt;

use bitflags::bitflags;

use crate::board::{Bitboard, Board, Square};

bitflags! {
    /// The faults of a position, as a set, so that callers can accept some of them.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct Faults: u8 {
        /// A square holds both a black and a white disc.
        const OVERLAP = 1 << 0;
        /// The board has no disc.
        const EMPTY_BOARD = 1 << 1;
        /// At least one of the four centre squares is empty, which occurs in puzzles but never in
        /// games.
        const CENTRE_EMPTY = 1 << 2;
    }
}

impl Faults {
    /// Faults that readers accept, because a board with them can be searched.
    pub const HARMLESS: Faults = Faults::CENTRE_EMPTY;
}

/// Writes the names of the faults, such as `overlap, centre empty`.
impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self
            .iter_names()
            .map(|(name, _)| name.to_ascii_lowercase().replace('_', " "))
            .collect();
        f.write_str(&names.join(", "))
    }
}

impl Board {
    /// Returns the faults of these discs.
    pub fn faults(&self) -> Faults {
        let centre: Bitboard = [Square::D4, Square::E4, Square::D5, Square::E5]
            .into_iter()
            .collect();
        let mut faults = Faults::empty();
        faults.set(Faults::OVERLAP, !(self.player & self.opponent).is_empty());
        faults.set(
            Faults::EMPTY_BOARD,
            (self.player | self.opponent).is_empty(),
        );
        faults.set(Faults::CENTRE_EMPTY, !(self.empties() & centre).is_empty());
        faults
    }
}
