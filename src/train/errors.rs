//! Kinds of training positions with their weights in the loss, and statistics of errors.

use super::labelled::RootSampling;

/// Kind of record that a sample comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SampleKind {
    /// A position of a self-play game.
    Game,
    /// A leaf of a search of a root.
    Leaf,
    /// A position of a noisy continuation from a root.
    Branch,
}

impl SampleKind {
    /// All kinds of samples.
    pub const ALL: [SampleKind; 3] = [SampleKind::Game, SampleKind::Leaf, SampleKind::Branch];

    /// Returns the plural name in lower case: "games", "leaves" or "branches".
    pub const fn name(self) -> &'static str {
        match self {
            SampleKind::Game => "games",
            SampleKind::Leaf => "leaves",
            SampleKind::Branch => "branches",
        }
    }
}

impl From<RootSampling> for SampleKind {
    fn from(sampling: RootSampling) -> SampleKind {
        match sampling {
            RootSampling::Leaf => SampleKind::Leaf,
            RootSampling::Branch => SampleKind::Branch,
        }
    }
}

/// Maximum weight of a sample of a rare kind.
const MAX_SAMPLE_WEIGHT: f32 = 4.0;

/// Returns the weight of each sample of `kind`, given the number of samples of each kind.
///
/// All kinds get the same total weight, unless the maximum weight of a sample limits it.
pub(super) fn balanced_weight(sizes: [f32; SampleKind::ALL.len()], kind: SampleKind) -> f32 {
    let kinds = sizes.iter().filter(|&&size| size > 0.0).count() as f32;
    let own = sizes[kind as usize];
    (sizes.iter().sum::<f32>() / (kinds * own).max(1.0)).min(MAX_SAMPLE_WEIGHT)
}

/// Statistics of prediction errors (prediction minus label), in discs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ErrorStats {
    /// Number of predictions.
    pub count: f64,
    signed: f64,
    absolute: f64,
    squares: f64,
}

impl ErrorStats {
    /// Adds the error of one prediction, in discs.
    pub fn add(&mut self, error: f64) {
        self.count += 1.0;
        self.signed += error;
        self.absolute += error.abs();
        self.squares += error * error;
    }

    /// Merges the statistics of two sets of predictions.
    #[must_use]
    pub fn and(self, other: ErrorStats) -> ErrorStats {
        ErrorStats {
            count: self.count + other.count,
            signed: self.signed + other.signed,
            absolute: self.absolute + other.absolute,
            squares: self.squares + other.squares,
        }
    }

    /// Returns the mean error in discs. Positive if predictions are too high.
    pub fn mean(&self) -> f64 {
        self.signed / self.count.max(1.0)
    }

    /// Returns the mean absolute error in discs.
    pub fn mae(&self) -> f64 {
        self.absolute / self.count.max(1.0)
    }

    /// Returns the root mean square error in discs.
    pub fn rmse(&self) -> f64 {
        (self.squares / self.count.max(1.0)).sqrt()
    }
}
