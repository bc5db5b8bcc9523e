//! Origin of training records: all settings that determine the records.

use fastrand::Rng;

use super::labelled::RootSampling;
use emilia_core::search::Limits;

/// Settings that determine the records of a run. Equal origins give equal records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Random seed of the run.
    pub seed: u64,
    /// Fingerprint of the evaluation and the search settings.
    pub engine: u64,
    /// Search depth in plies: of each move of a game, or of the search whose leaves are sampled.
    /// 0: unlimited.
    pub depth: u8,
    /// Number of empties from which games and positions are solved exactly. 0 if never.
    pub exact: u8,
    /// Node limit of each move. 0 if unlimited.
    pub nodes: u64,
    /// Minimum and maximum number of random opening plies. The number is drawn uniformly from this
    /// range.
    pub random_plies: (u8, u8),
    /// Minimum and maximum number of empties of labelled positions. Zeros for games.
    pub empties: (u8, u8),
    /// Sampling of labelled positions. `None` if both samplings alternate, and for games.
    pub sampling: Option<RootSampling>,
    /// Least depth in plies of the searches that label unsolved positions. Some of these searches
    /// are one ply deeper. 0 for games.
    pub label_depth: u8,
}

impl Origin {
    /// Returns whether the run makes labelled positions. Otherwise it makes games.
    pub fn is_positions(&self) -> bool {
        self.empties.1 > 0
    }

    /// Limits of the search for a move of a game.
    pub(super) fn limits(&self) -> Limits {
        Limits {
            depth: (self.depth > 0).then_some(self.depth.into()),
            nodes: (self.nodes > 0).then_some(self.nodes),
            solve_from_empties: Some(self.exact.into()),
            ..Limits::default()
        }
    }

    /// Creates the random number generator of game or root `number`.
    pub(super) fn random(&self, number: u64) -> Rng {
        Rng::with_seed(split_mix64(self.seed, number))
    }
}

/// Derives an independent seed from `seed` and `number` by `SplitMix64` (Steele et al. 2014).
pub(super) fn split_mix64(seed: u64, number: u64) -> u64 {
    let mut mixed = seed.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}
