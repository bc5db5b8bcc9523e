//! Where records come from.

use super::solved::RootSampling;

/// What the records of a run depend on: with the same origin they come out the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The random seed of the whole run.
    pub seed: u64,
    /// The fingerprint of the engine: its evaluation and the settings that a search depends on.
    pub engine: u64,
    /// Plies of search a move, or of the searches whose leaves are kept; 0 if not limited.
    pub depth: u8,
    /// Games are solved from this many empty squares on; 0 for not at all.
    pub exact: u8,
    /// Nodes a move; 0 if not limited.
    pub nodes: u64,
    /// The fewest and the most random opening plies: their number is uniform in this range.
    pub random_plies: (u8, u8),
    /// The fewest and the most empty squares of solved positions; 0 for games.
    pub empties: (u8, u8),
    /// How solved positions are sampled; `None` for both ways in turn, and for games.
    pub sampling: Option<RootSampling>,
}
