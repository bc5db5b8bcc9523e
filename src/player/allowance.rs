//! What a move may cost: the limits that were set, the level, and the clock.

use std::time::Duration;

use crate::search::{Limits, TimeControl};

/// The time for a move when neither a flag nor a clock nor the client bounds the search.
pub const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// A time fixed by a flag is taken instead of the clock's as long as the clock can pay it this many times.
const MOVES_TO_PAY: u32 = 20;

/// `limits` at their [level](Limits::at_level), or the default time as well where nothing would end the search soon.
pub fn bounded(limits: &Limits) -> Limits {
    let mut bounded = limits.clone().at_level();
    if !limits.is_bounded() {
        bounded.time = Some(TimeControl::PerMove(DEFAULT_TIME));
    }
    bounded
}

/// `limits` for a search that a clock bounds too, if there is one. No flag makes a side lose on time.
pub fn within(clock: Option<TimeControl>, limits: &Limits) -> Limits {
    let Some(clock) = clock else {
        return bounded(limits);
    };
    let time = match (limits.time, clock) {
        (Some(TimeControl::PerMove(fixed)), TimeControl::PerMove(share)) => {
            TimeControl::PerMove(fixed.min(share))
        }
        (Some(TimeControl::PerMove(fixed)), TimeControl::Clock { left, .. })
            if fixed <= left / MOVES_TO_PAY =>
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
