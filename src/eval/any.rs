//! `AnyEvaluator` and `AnyWeights`: selection of an evaluation at run time.

use std::io;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use super::weights_file::{self, WeightsError};
use super::{Classic, Evaluator, Net, NetWeights, Pattern, PatternWeights, Simple};

/// An evaluation of this library, or a custom one.
/// The search is compiled once each for `Classic`, `Pattern` and `Net`.
/// `Simple` shares the search of custom evaluations, which is slower.
#[derive(Clone, Debug)]
pub enum AnyEvaluator {
    /// Discs, mobility and corners.
    Simple(Simple),
    /// Hand-picked features with fitted weights.
    Classic(Classic),
    /// Fitted weights of disc configurations.
    Pattern(Pattern),
    /// A trained network on top of patterns.
    Net(Net),
    /// A custom evaluation, which evaluates every position from scratch.
    Custom(Arc<dyn Evaluator>),
}

impl AnyEvaluator {
    /// Wraps an evaluation that is implemented outside this library.
    pub fn custom(evaluator: impl Evaluator + 'static) -> AnyEvaluator {
        AnyEvaluator::Custom(Arc::new(evaluator))
    }
}

/// The network with the embedded weights.
impl Default for AnyEvaluator {
    fn default() -> AnyEvaluator {
        AnyEvaluator::Net(Net::embedded())
    }
}

/// Dereferences to the selected evaluation.
impl Deref for AnyEvaluator {
    type Target = dyn Evaluator;

    fn deref(&self) -> &(dyn Evaluator + 'static) {
        match self {
            AnyEvaluator::Simple(simple) => simple,
            AnyEvaluator::Classic(classic) => classic,
            AnyEvaluator::Pattern(pattern) => pattern,
            AnyEvaluator::Net(net) => net,
            AnyEvaluator::Custom(custom) => custom.as_ref(),
        }
    }
}

impl From<Simple> for AnyEvaluator {
    fn from(simple: Simple) -> AnyEvaluator {
        AnyEvaluator::Simple(simple)
    }
}

impl From<Classic> for AnyEvaluator {
    fn from(classic: Classic) -> AnyEvaluator {
        AnyEvaluator::Classic(classic)
    }
}

impl From<Pattern> for AnyEvaluator {
    fn from(pattern: Pattern) -> AnyEvaluator {
        AnyEvaluator::Pattern(pattern)
    }
}

impl From<Net> for AnyEvaluator {
    fn from(net: Net) -> AnyEvaluator {
        AnyEvaluator::Net(net)
    }
}

/// Weights of the pattern evaluation or of the network. The file states which.
#[derive(Clone, Debug)]
pub enum AnyWeights {
    /// Weights for [`Pattern`].
    Pattern(Arc<PatternWeights>),
    /// Weights for [`Net`].
    Net(Arc<NetWeights>),
}

impl AnyWeights {
    /// Reads the file of weights at `path`.
    ///
    /// # Errors
    /// If the file cannot be read.
    /// If [`from_bytes`](Self::from_bytes) rejects its content, the error kind is `InvalidData`.
    pub fn read(path: impl AsRef<Path>) -> io::Result<AnyWeights> {
        weights_file::read(path.as_ref(), AnyWeights::from_bytes)
    }

    /// The name of the evaluation that uses these weights.
    pub fn name(&self) -> &'static str {
        match self {
            AnyWeights::Pattern(_) => Pattern::NAME,
            AnyWeights::Net(_) => Net::NAME,
        }
    }

    /// Decodes a file of weights.
    ///
    /// # Errors
    /// If the file is damaged, or if its weights do not fit this program.
    pub fn from_bytes(file: &[u8]) -> Result<AnyWeights, WeightsError> {
        match PatternWeights::from_bytes(file) {
            Err(WeightsError::OfNet) => {
                NetWeights::from_bytes(file).map(|weights| AnyWeights::Net(Arc::new(weights)))
            }
            weights => weights.map(|weights| AnyWeights::Pattern(Arc::new(weights))),
        }
    }
}

/// Makes the evaluation that uses these weights.
impl From<AnyWeights> for AnyEvaluator {
    fn from(weights: AnyWeights) -> AnyEvaluator {
        match weights {
            AnyWeights::Pattern(weights) => Pattern::new(weights).into(),
            AnyWeights::Net(weights) => Net::new(weights).into(),
        }
    }
}
