//! How a match, or any job of many searches, is told to end, from any thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::Stop;

/// Ends a job: what runs is given up, what is finished stays.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    set: AtomicBool,
    /// The searches that wait for nobody else.
    searches: Mutex<Vec<Stop>>,
}

impl Interrupt {
    /// Ends the job within moments.
    pub fn set(&self) {
        // Under the lock, so that a search that is watched just now is stopped here or there.
        let searches = self.searches();
        self.0.set.store(true, Ordering::Relaxed);
        searches.iter().for_each(Stop::set);
    }

    /// Whether the job is to end.
    pub fn is_set(&self) -> bool {
        self.0.set.load(Ordering::Relaxed)
    }

    /// Ends this search too when the time comes.
    pub fn watch(&self, search: Stop) {
        let mut searches = self.searches();
        if self.is_set() {
            search.set();
        }
        searches.push(search);
    }

    fn searches(&self) -> std::sync::MutexGuard<'_, Vec<Stop>> {
        // A list is whole or not at all, so a poisoned lock is as good as any.
        self.0
            .searches
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
