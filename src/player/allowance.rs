//! Limits of the search for one move, from user limits, level and time control.
//! The search defines [`Limits`] and [`TimeControl`].

use std::time::Duration;

use emilia_core::search::{Limits, TimeControl};

/// Default time per move if there are no limits and no time control.
pub const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Minimum number of moves that the remaining time must allow for a fixed time per move to apply.
const MIN_MOVES_LEFT: u32 = 20;

/// Returns `limits` at their [level](Limits::at_level), with a default time if unbounded.
pub fn limits_with_default_time(limits: &Limits) -> Limits {
    let mut bounded = limits.clone().at_level();
    if !limits.is_bounded() {
        bounded.time = Some(TimeControl::PerMove(DEFAULT_TIME));
    }
    bounded
}

/// Returns `limits` combined with the time control, if there is one.
/// Of two fixed times per move, the smaller applies.
/// A fixed time replaces a clock only if the remaining time allows it for 20 more moves.
/// No limit of the user can therefore make a side lose on time.
pub fn limits_with_clock(clock: Option<TimeControl>, limits: &Limits) -> Limits {
    let Some(clock) = clock else {
        return limits_with_default_time(limits);
    };
    let time = match (limits.time, clock) {
        (Some(TimeControl::PerMove(fixed)), TimeControl::PerMove(share)) => {
            TimeControl::PerMove(fixed.min(share))
        }
        (Some(TimeControl::PerMove(fixed)), TimeControl::Clock { left, .. })
            if fixed <= left / MIN_MOVES_LEFT =>
        {
            TimeControl::PerMove(fixed)
        }
        _ => clock,
    };
    Limits {
        time: Some(time),
        ..limits.clone().at_level()
    }
}
