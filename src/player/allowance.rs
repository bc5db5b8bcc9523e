//! Limits of the search for one move: level and default time.

use std::time::Duration;

use emilia_core::search::{Limits, TimeControl};

/// Default time per move if depth, nodes and time are unlimited.
pub const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Returns `limits` at their [level](Limits::at_level), with a default time if unbounded.
pub fn limits_with_default_time(limits: &Limits) -> Limits {
    let mut bounded = limits.clone().at_level();
    if !limits.is_bounded() {
        bounded.time = Some(TimeControl::PerMove(DEFAULT_TIME));
    }
    bounded
}
