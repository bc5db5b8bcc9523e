//! Time controls of a match: text form, time limit of a move, and remaining time.

use std::time::Duration;

use emilia_core::board::excerpt;
use emilia_core::search::TimeControl;
use emilia_player::options::MAX_TIME;

/// Tolerance above the time limit of a move, for transit through pipes and for system scheduling.
pub const MARGIN: Duration = Duration::from_millis(50);

/// Formats a time control as the heading and the log of a match write it.
pub fn clock_text(clock: Option<TimeControl>) -> String {
    match clock {
        None => "no clock".to_owned(),
        Some(TimeControl::PerMove(time)) => format!("{} s a move", time.as_secs_f64()),
        Some(TimeControl::Clock { left, increment }) => {
            let [left, increment] = [left, increment].map(|time| time.as_secs_f64());
            format!("{left} s + {increment} s")
        }
    }
}

/// Parses a time control `MAIN` or `MAIN+INCREMENT`, in seconds.
///
/// # Errors
/// If a time is not a number of seconds or out of range, or the main time is 0.
pub fn parse_clock(text: &str) -> Result<TimeControl, String> {
    let read = |text: &str| {
        let time = Duration::try_from_secs_f64(text.parse().ok()?).ok()?;
        (time <= MAX_TIME).then_some(time)
    };
    let (main, increment) = text.split_once('+').unwrap_or((text, "0"));
    match (read(main), read(increment)) {
        (Some(left), Some(increment)) if !left.is_zero() => {
            Ok(TimeControl::Clock { left, increment })
        }
        _ => Err(format!(
            "'{}' is not a clock (expected MAIN or MAIN+INCREMENT in seconds, like 60+0.5, \
             each at most {})",
            excerpt(text),
            MAX_TIME.as_secs()
        )),
    }
}

/// Returns the time limit of the next move, [`MARGIN`] included. `None` means unlimited.
pub(super) fn longest_move(clock: Option<TimeControl>) -> Option<Duration> {
    let time = match clock? {
        TimeControl::PerMove(time) => time,
        TimeControl::Clock { left, .. } => left,
    };
    Some(time + MARGIN)
}

/// Subtracts `time`, spent on a move within its limit, and adds the increment.
pub(super) fn spend(clock: &mut Option<TimeControl>, time: Duration) {
    if let Some(TimeControl::Clock { left, increment }) = clock {
        *left = left.saturating_sub(time) + *increment;
    }
}
