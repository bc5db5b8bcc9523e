//! Origin of training records: all settings that determine them.

use fastrand::Rng;

use super::labelled::RootSampling;
use super::random::split_mix64;

/// Settings that determine the records of a run. Equal origins give equal records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Random seed of the run.
    pub seed: u64,
    /// Fingerprint of the evaluation and the search settings.
    pub engine: u64,
    /// Search depth in plies: of each move, or of the searches whose leaves are kept. 0: unlimited.
    pub depth: u8,
    /// Number of empties from which games and positions are solved exactly. 0 if never.
    pub exact: u8,
    /// Node limit of each move. 0 if unlimited.
    pub nodes: u64,
    /// Minimum and maximum number of random opening plies. The number is uniform in this range.
    pub random_plies: (u8, u8),
    /// Minimum and maximum number of empties of labelled positions. Zeros for games.
    pub empties: (u8, u8),
    /// Sampling of labelled positions. `None` if both alternate, and for games.
    pub sampling: Option<RootSampling>,
    /// Depth in plies of the searches that label unsolved positions, or one less. 0 for games.
    pub label_depth: u8,
}

impl Origin {
    /// Creates the random number generator of game or root `number`.
    pub(super) fn random(&self, number: u64) -> Rng {
        Rng::with_seed(split_mix64(self.seed, number))
    }
}
