//! The evaluation that an engine is given: the one place that knows which there are.

use std::ops::Deref;
use std::sync::Arc;

use super::{Classic, Evaluator, Pattern};

/// One of the evaluations of this library, which the search knows by their types, or any other.
#[derive(Clone, Debug)]
pub enum AnyEvaluator {
    /// Hand-picked features.
    Classic(Classic),
    /// Trained patterns.
    Pattern(Pattern),
    /// Any other: evaluated from scratch at every position.
    Custom(Arc<dyn Evaluator>),
}

impl AnyEvaluator {
    /// An evaluation from outside this library.
    pub fn custom(evaluator: impl Evaluator + 'static) -> AnyEvaluator {
        AnyEvaluator::Custom(Arc::new(evaluator))
    }
}

/// The pattern evaluation with the embedded weights.
impl Default for AnyEvaluator {
    fn default() -> AnyEvaluator {
        AnyEvaluator::Pattern(Pattern::embedded())
    }
}

/// Name, value and the rest, whichever it is.
impl Deref for AnyEvaluator {
    type Target = dyn Evaluator;

    fn deref(&self) -> &(dyn Evaluator + 'static) {
        match self {
            AnyEvaluator::Classic(classic) => classic,
            AnyEvaluator::Pattern(pattern) => pattern,
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
