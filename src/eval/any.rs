//! The evaluation that an engine is given: the one place that knows which there are.

use std::io;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use super::weights_file::{self, BadWeights};
use super::{Classic, Evaluator, Net, NetWeights, Pattern, PatternWeights};

/// One of the evaluations of this library, which the search knows by their types, or any other.
#[derive(Clone, Debug)]
pub enum AnyEvaluator {
    /// Hand-picked features.
    Classic(Classic),
    /// Trained patterns.
    Pattern(Pattern),
    /// A trained network over patterns.
    Net(Net),
    /// Any other: evaluated from scratch at every position.
    Custom(Arc<dyn Evaluator>),
}

impl AnyEvaluator {
    /// An evaluation from outside this library.
    pub fn custom(evaluator: impl Evaluator + 'static) -> AnyEvaluator {
        AnyEvaluator::Custom(Arc::new(evaluator))
    }
}

/// The net with the embedded weights.
impl Default for AnyEvaluator {
    fn default() -> AnyEvaluator {
        AnyEvaluator::Net(Net::embedded())
    }
}

/// Name, value and the rest, whichever it is.
impl Deref for AnyEvaluator {
    type Target = dyn Evaluator;

    fn deref(&self) -> &(dyn Evaluator + 'static) {
        match self {
            AnyEvaluator::Classic(classic) => classic,
            AnyEvaluator::Pattern(pattern) => pattern,
            AnyEvaluator::Net(net) => net,
            AnyEvaluator::Custom(custom) => custom.as_ref(),
        }
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

/// Weights from a file, which tells for which evaluation they are.
#[derive(Clone, Debug)]
pub enum AnyWeights {
    /// For [`Pattern`].
    Pattern(Arc<PatternWeights>),
    /// For [`Net`].
    Net(Arc<NetWeights>),
}

impl AnyWeights {
    /// The weights in the file at `path`.
    ///
    /// # Errors
    /// If it cannot be read; one that [`from_bytes`](Self::from_bytes) refuses is `InvalidData`.
    pub fn read(path: impl AsRef<Path>) -> io::Result<AnyWeights> {
        weights_file::read(path.as_ref(), AnyWeights::from_bytes)
    }

    /// The name of the evaluation that they are for.
    pub fn name(&self) -> &'static str {
        match self {
            AnyWeights::Pattern(_) => Pattern::NAME,
            AnyWeights::Net(_) => Net::NAME,
        }
    }

    /// The weights of a file.
    ///
    /// # Errors
    /// If the file is not whole, or for another program.
    pub fn from_bytes(file: &[u8]) -> Result<AnyWeights, BadWeights> {
        match PatternWeights::from_bytes(file) {
            Err(BadWeights::OfNet) => {
                NetWeights::from_bytes(file).map(|weights| AnyWeights::Net(Arc::new(weights)))
            }
            weights => weights.map(|weights| AnyWeights::Pattern(Arc::new(weights))),
        }
    }
}

/// The evaluation with these weights.
impl From<AnyWeights> for AnyEvaluator {
    fn from(weights: AnyWeights) -> AnyEvaluator {
        match weights {
            AnyWeights::Pattern(weights) => Pattern::new(weights).into(),
            AnyWeights::Net(weights) => Net::new(weights).into(),
        }
    }
}
