//! What stays the same from search to search.

use std::num::NonZero;

use super::clock::{Clock, system_clock};
use super::{Selectivity, Techniques};
use crate::eval::AnyEvaluator;

/// The settings of an engine. The default is what it plays with.
///
/// ```
/// use emilia::eval::Classic;
/// use emilia::search::Settings;
/// let settings = Settings::default().with_hash_mib(16).with_evaluator(Classic);
/// assert_eq!(settings.evaluator.name(), "classic");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// Size of the transposition table in MiB.
    pub hash_mib: usize,
    /// The static evaluation.
    pub evaluator: AnyEvaluator,
    /// The techniques that are on.
    pub techniques: Techniques,
    /// The confidence of forward pruning in searches that do not reach the end of the game. A game is solved in ever more
    /// confident searches, the last of which is of full width.
    pub selectivity: Selectivity,
    /// Threads of a search. With one, the same search visits the same nodes and finds the same move every time.
    pub threads: NonZero<usize>,
    /// What tells the time.
    pub clock: Clock,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            hash_mib: 64,
            evaluator: AnyEvaluator::default(),
            techniques: Techniques::default(),
            selectivity: Selectivity::default(),
            threads: NonZero::<usize>::MIN,
            clock: system_clock,
        }
    }
}

impl Settings {
    /// With a transposition table of this size in MiB.
    #[must_use]
    pub fn with_hash_mib(self, hash_mib: usize) -> Settings {
        Settings { hash_mib, ..self }
    }

    /// With this static evaluation.
    #[must_use]
    pub fn with_evaluator(self, evaluator: impl Into<AnyEvaluator>) -> Settings {
        Settings {
            evaluator: evaluator.into(),
            ..self
        }
    }

    /// With these techniques alone.
    #[must_use]
    pub fn with_techniques(self, techniques: Techniques) -> Settings {
        Settings { techniques, ..self }
    }

    /// With this confidence of forward pruning.
    #[must_use]
    pub fn with_selectivity(self, selectivity: Selectivity) -> Settings {
        Settings {
            selectivity,
            ..self
        }
    }

    /// With so many threads.
    #[must_use]
    pub fn with_threads(self, threads: NonZero<usize>) -> Settings {
        Settings { threads, ..self }
    }

    /// With this clock.
    #[must_use]
    pub fn with_clock(self, clock: Clock) -> Settings {
        Settings { clock, ..self }
    }
}
