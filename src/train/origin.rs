//! Where records come from.

use fastrand::Rng;

use super::labelled::RootSampling;
use super::random::split_mix64;

/// What the records of a run depend on: with the same origin they come out the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The random seed of the whole run.
    pub seed: u64,
    /// The fingerprint of the engine: its evaluation and the settings that a search depends on.
    pub engine: u64,
    /// Plies of search a move, or of the searches whose leaves are kept; 0 if not limited.
    pub depth: u8,
    /// Games are solved from this many empty squares on, and positions with at most so many; 0 for none.
    pub exact: u8,
    /// Nodes a move; 0 if not limited.
    pub nodes: u64,
    /// The fewest and the most random opening plies: their number is uniform in this range.
    pub random_plies: (u8, u8),
    /// The fewest and the most empty squares of labelled positions; 0 for games.
    pub empties: (u8, u8),
    /// How labelled positions are sampled; `None` for both ways in turn, and for games.
    pub sampling: Option<RootSampling>,
    /// Plies, or one less, of the searches that label what is not solved; 0 for games.
    pub label_depth: u8,
}

impl Origin {
    /// The random number generator of the game or root with this number.
    pub(super) fn random(&self, number: u64) -> Rng {
        Rng::with_seed(split_mix64(self.seed, number))
    }
}
