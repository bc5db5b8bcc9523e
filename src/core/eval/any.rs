//! `AnyEvaluator` and `AnyWeights`: selection of an evaluation at run time.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use super::weights_file::WeightsError;
use super::{Evaluator, Net, NetWeights, Pattern, PatternWeights};

/// An evaluation. The search is compiled for each variant.
///
/// Every [`Evaluator`] converts into it.
#[derive(Clone)]
pub enum AnyEvaluator {
    /// An evaluation that computes every value from scratch, such as
    /// [`Classic`](super::Classic) or one of your own.
    Stateless(Arc<dyn Evaluator>),
    /// Fitted weights of disc configurations.
    Pattern(Pattern),
    /// A trained network on top of patterns.
    Net(Net),
}

/// Writes the name and the fingerprint.
impl fmt::Debug for AnyEvaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({:016x})", self.name(), self.fingerprint())
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
            AnyEvaluator::Stateless(evaluator) => &**evaluator,
            AnyEvaluator::Pattern(pattern) => pattern,
            AnyEvaluator::Net(net) => net,
        }
    }
}

impl<E: Evaluator + 'static> From<E> for AnyEvaluator {
    fn from(evaluator: E) -> AnyEvaluator {
        evaluator.into_any()
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
    /// The name of the evaluation that uses these weights.
    pub fn name(&self) -> &'static str {
        match self {
            AnyWeights::Pattern(_) => Pattern::NAME,
            AnyWeights::Net(_) => Net::NAME,
        }
    }

    /// Decodes a file of weights that fits this program.
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
