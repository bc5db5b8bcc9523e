//! Time controls of a match, and the remaining time of both sides of a game.
//! The referee measures the time of each move and applies it to [`Clocks`].

use std::time::Duration;

use super::SetupError;
use crate::board::{Color, excerpt};
use crate::player::options::MAX_TIME;
use crate::search::TimeControl;

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
/// If a time is no number of seconds, out of range, or the main time is 0.
pub fn parse_clock(text: &str) -> Result<TimeControl, SetupError> {
    let read = |text: &str| {
        let time = Duration::try_from_secs_f64(text.parse().ok()?).ok()?;
        (time <= MAX_TIME).then_some(time)
    };
    let (main, increment) = text.split_once('+').unwrap_or((text, "0"));
    match (read(main), read(increment)) {
        (Some(left), Some(increment)) if !left.is_zero() => {
            Ok(TimeControl::Clock { left, increment })
        }
        _ => Err(SetupError(format!(
            "'{}' is no clock (expected MAIN or MAIN+INCREMENT in seconds, like 60+0.5, \
             each at most {})",
            excerpt(text),
            MAX_TIME.as_secs()
        ))),
    }
}

/// Remaining times of Black and White in one game. The caller measures elapsed times.
#[derive(Clone, Debug)]
pub(super) struct Clocks([Option<TimeControl>; 2]);

impl Clocks {
    /// Returns the initial times for these time controls of Black and White.
    pub(super) fn new(clocks: [Option<TimeControl>; 2]) -> Clocks {
        Clocks(clocks)
    }

    /// Returns the remaining time of `color`. `None` means unlimited.
    pub(super) fn of(&self, color: Color) -> Option<TimeControl> {
        self.0[color as usize]
    }

    /// Returns the time limit of the next move of `color`, [`MARGIN`] included, if there is one.
    pub(super) fn longest(&self, color: Color) -> Option<Duration> {
        let time = match self.of(color)? {
            TimeControl::PerMove(time) => time,
            TimeControl::Clock { left, .. } => left,
        };
        Some(time + MARGIN)
    }

    /// Subtracts `time`, spent by `color` on a move, and adds the increment.
    /// The caller checks the time limit first.
    pub(super) fn spend(&mut self, color: Color, time: Duration) {
        if let Some(TimeControl::Clock { left, increment }) = &mut self.0[color as usize] {
            *left = left.saturating_sub(time) + *increment;
        }
    }
}
