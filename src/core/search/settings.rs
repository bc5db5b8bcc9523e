//! Settings of an engine, which stay the same from one search to the next.

use std::num::NonZero;

use super::selectivity::Selectivity;
use super::time::{Clock, system_clock};
use crate::eval::AnyEvaluator;

/// Settings of an engine. The default is for play, with one thread.
///
/// ```
/// use emilia_core::eval::Classic;
/// use emilia_core::search::Settings;
/// let settings = Settings::default().with_hash_mib(16).with_threads(2).with_evaluator(Classic);
/// assert_eq!(settings.evaluator.name(), "classic");
/// assert_eq!(settings.threads.get(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Settings {
    /// Size of the transposition table in MiB.
    pub hash_mib: usize,
    /// Static evaluation.
    pub evaluator: AnyEvaluator,
    /// Least confidence of ProbCut in searches that do not reach the end of the game.
    ///
    /// The selectivity of an iteration rises with its depth: see `LEAST_SELECTIVITY` in
    /// `parameters.rs`. At 100 % nothing is pruned. A solve ignores this setting: it consists of
    /// one or more searches to the end of the game, with selectivities that rise to 100 %.
    pub selectivity: Selectivity,
    /// Maximum number of search threads.
    /// Threads beyond the cores that the process may use are not started.
    ///
    /// With one thread, the search is deterministic: same nodes, same move.
    pub threads: NonZero<usize>,
    /// Source of the current time. On WebAssembly the default clock does not run, and a time limit
    /// panics.
    pub clock: Clock,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::of(AnyEvaluator::default())
    }
}

impl Settings {
    /// The default settings with this evaluation. `of` does not decode the weights of the default
    /// evaluation, unlike [`with_evaluator`](Self::with_evaluator) after
    /// [`default`](Self::default). Decoding takes 50 ms.
    pub fn of(evaluator: impl Into<AnyEvaluator>) -> Settings {
        Settings {
            hash_mib: 64,
            evaluator: evaluator.into(),
            selectivity: Selectivity::default(),
            threads: NonZero::<usize>::MIN,
            clock: system_clock,
        }
    }

    /// Sets the size of the transposition table in MiB.
    #[must_use]
    pub fn with_hash_mib(self, hash_mib: usize) -> Settings {
        Settings { hash_mib, ..self }
    }

    /// Sets the static evaluation.
    #[must_use]
    pub fn with_evaluator(mut self, evaluator: impl Into<AnyEvaluator>) -> Settings {
        self.evaluator = evaluator.into();
        self
    }

    /// Sets the confidence of ProbCut.
    #[must_use]
    pub fn with_selectivity(mut self, selectivity: Selectivity) -> Settings {
        self.selectivity = selectivity;
        self
    }

    /// Sets the maximum number of search threads. 0 means one.
    #[must_use]
    pub fn with_threads(self, threads: impl TryInto<NonZero<usize>>) -> Settings {
        let threads = threads.try_into().unwrap_or(NonZero::<usize>::MIN);
        Settings { threads, ..self }
    }
}
