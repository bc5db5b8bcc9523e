//! What others tell a search while it runs: to end, or that it goes by other limits from now on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::Limits;
use crate::work::Stop;

/// What is told to one search.
#[derive(Clone, Debug, Default)]
pub(super) struct Control {
    /// Ends this search.
    pub(super) stop: Stop,
    /// Ends every search of the engine.
    pub(super) interrupt: Stop,
    limits: Arc<NewLimits>,
}

/// Limits that take the place of those that the search began with.
#[derive(Debug, Default)]
struct NewLimits {
    /// Whether there are any: cheaper to ask than the mutex.
    waiting: AtomicBool,
    limits: Mutex<Option<Limits>>,
}

impl Control {
    /// For a search of an engine whose searches end by `interrupt`.
    pub(super) fn new(interrupt: Stop) -> Control {
        Control {
            interrupt,
            ..Control::default()
        }
    }

    /// Whether the search has been told to end.
    #[inline]
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.is_set() || self.interrupt.is_set()
    }

    /// The search goes by these limits as soon as it looks; time and nodes are counted from then on.
    pub(super) fn set_limits(&self, limits: Limits) {
        *self
            .limits
            .limits
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(limits);
        self.limits.waiting.store(true, Ordering::Release);
    }

    /// The new limits, once.
    #[inline]
    pub(super) fn take_limits(&self) -> Option<Limits> {
        if !self.limits.waiting.load(Ordering::Acquire) {
            return None;
        }
        self.limits.waiting.store(false, Ordering::Relaxed);
        (self.limits.limits.lock())
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }
}
