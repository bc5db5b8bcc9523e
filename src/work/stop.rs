//! How a search is told to end, from any thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A handle that tells a running search to end, from any thread.
///
/// It stays set until it is cleared, so a stop that comes just before the search begins is not lost.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends the search within milliseconds.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Makes the next search possible.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether the search has been told to end.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
