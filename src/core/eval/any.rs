//! `AnyEvaluator`: selection of an evaluation at run time.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use super::{Evaluator, Net};

/// An evaluation that is selected at run time. The search is compiled once for each variant.
///
/// Every [`Evaluator`] converts into an `AnyEvaluator`.
#[derive(Clone)]
pub enum AnyEvaluator {
    /// An evaluation that computes every value from scratch, such as
    /// [`Classic`](super::Classic) or a user-defined evaluation.
    Stateless(Arc<dyn Evaluator>),
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
            AnyEvaluator::Net(net) => net,
        }
    }
}

impl<E: Evaluator + 'static> From<E> for AnyEvaluator {
    fn from(evaluator: E) -> AnyEvaluator {
        evaluator.into_any()
    }
}
