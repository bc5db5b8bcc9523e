//! When a search ends. Stands on nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::clock::TimeControl;

/// What bounds a search; whichever comes first ends it. Without any, it searches until the position is solved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// Deepest iteration, in plies; at least 1.
    pub depth: Option<u32>,
    /// Positions visited. The search ends within a few hundred of it, at the same count each time.
    pub nodes: Option<u64>,
    /// Time for this search.
    pub time: Option<TimeControl>,
    /// Solve exactly once this few squares are empty.
    pub exact: Option<u32>,
}

impl Limits {
    /// Iterations up to `depth` plies, nothing else.
    pub fn depth(depth: u32) -> Limits {
        Limits {
            depth: Some(depth),
            ..Limits::default()
        }
    }

    /// At most this many positions.
    pub fn nodes(nodes: u64) -> Limits {
        Limits {
            nodes: Some(nodes),
            ..Limits::default()
        }
    }

    /// A fixed time for the move.
    pub fn time(time: Duration) -> Limits {
        Limits {
            time: Some(TimeControl::PerMove(time)),
            ..Limits::default()
        }
    }
}

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
