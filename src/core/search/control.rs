//! Control of a running search from other threads: stop flags and replacement limits.
//! The engine creates a [`Control`] for each search, and the searcher polls it.

use std::sync::Arc;

use parking_lot::Mutex;

use super::limits::Limits;
use crate::work::StopFlag;

/// Stop flags and replacement limits of a running search. Clones share them.
#[derive(Clone, Debug, Default)]
pub(super) struct Control {
    /// Stops this search only.
    pub(super) stop: StopFlag,
    /// Stops every search of the engine.
    pub interrupt: StopFlag,
    /// New limits, which replace the limits of the search.
    limits: Arc<Mutex<Option<Limits>>>,
}

impl Control {
    /// Creates the control of one search of an engine whose stop flag is `interrupt`.
    pub(super) fn new(interrupt: StopFlag) -> Control {
        Control {
            interrupt,
            ..Control::default()
        }
    }

    /// Returns whether this search or all searches of the engine were stopped.
    #[inline]
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.is_set() || self.interrupt.is_set()
    }

    /// Replaces the limits of the search. They apply from the next poll on, and the search then
    /// counts time and nodes from zero.
    pub(super) fn set_limits(&self, limits: Limits) {
        *self.limits.lock() = Some(limits);
    }

    /// Takes the replacement limits. Returns `None` unless [`set_limits`](Self::set_limits) was
    /// called since the last call.
    #[inline]
    pub(super) fn take_limits(&self) -> Option<Limits> {
        self.limits.lock().take()
    }
}
