//! [`Origin`]: the settings that determine training records.

use fastrand::Rng;

use super::labelled::RootSampling;
use emilia_core::search::Limits;

/// Settings of a self-play run. Runs with equal settings make equal records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Random seed of the run.
    pub seed: u64,
    /// Checksum of the evaluation and the search settings.
    pub engine: u64,
    /// Search depth in plies: of the search for each move of a game, or of the search of a root
    /// whose leaves are sampled. 0: unlimited.
    pub depth: u8,
    /// Positions with at most this number of empties are solved exactly. 0: none.
    pub exact: u8,
    /// Node limit of the search for each move. 0: unlimited.
    pub nodes: u64,
    /// Minimum and maximum number of random opening plies. Each game draws its number uniformly
    /// from this range.
    pub random_plies: (u8, u8),
    /// Minimum and maximum number of empties in labelled positions. (0, 0) for games.
    pub empties: (u8, u8),
    /// Way to sample labelled positions below a root. `None` if both ways alternate, and for games.
    pub sampling: Option<RootSampling>,
    /// Minimum depth in plies of the searches that label unsolved positions. A search is one ply
    /// deeper if its leaves would otherwise have an odd number of empties. 0 for games.
    pub label_depth: u8,
}

impl Origin {
    /// Returns whether the run makes labelled positions instead of games.
    pub fn is_positions(&self) -> bool {
        self.empties.1 > 0
    }

    /// Returns the limits of the search for a move in a game.
    pub(super) fn limits(&self) -> Limits {
        Limits {
            depth: (self.depth > 0).then_some(self.depth.into()),
            nodes: (self.nodes > 0).then_some(self.nodes),
            solve_from_empties: Some(self.exact.into()),
            ..Limits::default()
        }
    }

    /// Creates the random number generator for the game with this number, or for the root with this
    /// number.
    pub(super) fn random(&self, number: u64) -> Rng {
        Rng::with_seed(split_mix64(self.seed, number))
    }
}

/// Derives a seed from `seed` and `number` by `SplitMix64` (Steele et al. 2014). The seeds of
/// different numbers are independent.
pub(super) fn split_mix64(seed: u64, number: u64) -> u64 {
    let mut mixed = seed.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}
