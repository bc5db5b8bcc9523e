//! Time controls of a match: text form, time limit of a move, and remaining time.

use std::fmt;
use std::time::Duration;

use emilia_core::board::excerpt;
use emilia_core::search::TimeControl;
use emilia_player::options::MAX_TIME;

/// Tolerance above the time limit of a move, for transit through pipes and for system scheduling.
pub const MARGIN: Duration = Duration::from_millis(50);

/// Clock of a player: its time control, with the times left for the next move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// Time of the next move, or time left for the game or the period with its increment.
    pub control: TimeControl,
    /// Moves that share the main time. `None`: all moves of the game.
    pub(crate) period: Option<Period>,
}

/// Number of moves with a main time of their own. Time that they leave is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Period {
    /// Number of moves, and how many of them are left.
    pub(crate) moves: u32,
    pub(crate) left: u32,
    /// Time added at the end of each period.
    pub(crate) time: Duration,
}

impl From<TimeControl> for Clock {
    fn from(control: TimeControl) -> Clock {
        Clock {
            control,
            period: None,
        }
    }
}

impl Clock {
    /// Returns the time control of a search with this number of empties. The moves of a period that
    /// ends before the game share its time equally.
    pub(crate) fn of_search(self, empties: u32) -> TimeControl {
        match (self.control, self.period) {
            (TimeControl::Clock { left, increment }, Some(period)) if 2 * period.left < empties => {
                TimeControl::PerMove(left / period.left + increment)
            }
            (control, _) => control,
        }
    }

    /// Returns the time limit of the next move, [`MARGIN`] included.
    pub(crate) fn longest_move(self) -> Duration {
        let (TimeControl::PerMove(time) | TimeControl::Clock { left: time, .. }) = self.control;
        time + MARGIN
    }

    /// Subtracts `time`, spent on a move within its limit. Adds the increment, and at the end of a
    /// period its time.
    pub(crate) fn spend(&mut self, time: Duration) {
        let TimeControl::Clock { left, increment } = &mut self.control else {
            return;
        };
        *left = left.saturating_sub(time) + *increment;
        if let Some(period) = &mut self.period {
            period.left -= 1;
            if period.left == 0 {
                period.left = period.moves;
                *left += period.time;
            }
        }
    }
}

/// Formats as the key `time` or `clock` of a player: `time=0.5`, `clock=60+0.5`, `clock=40/60+0`.
impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.control {
            TimeControl::PerMove(time) => write!(f, "time={}", time.as_secs_f64()),
            TimeControl::Clock { left, increment } => {
                let [left, increment] = [left, increment].map(|time| time.as_secs_f64());
                f.write_str("clock=")?;
                if let Some(period) = self.period {
                    write!(f, "{}/", period.moves)?;
                }
                write!(f, "{left}+{increment}")
            }
        }
    }
}

/// Formats a clock as the heading and the log of a match write it.
pub fn clock_text(clock: Option<Clock>) -> String {
    let Some(Clock { control, period }) = clock else {
        return "no clock".to_owned();
    };
    let moves = period.map_or(String::new(), |period| {
        format!("{} moves in ", period.moves)
    });
    match control {
        TimeControl::PerMove(time) => format!("{} s a move", time.as_secs_f64()),
        TimeControl::Clock { left, increment } => {
            let [left, increment] = [left, increment].map(|time| time.as_secs_f64());
            format!("{moves}{left} s + {increment} s")
        }
    }
}

/// Parses a clock: `MAIN`, `MAIN+INCREMENT` or `MOVES/MAIN+INCREMENT`. Times are in seconds, or
/// `M:SS`, or `H:MM:SS`.
///
/// # Errors
/// If a time is not a time or out of range, the main time is 0, or the number of moves is 0.
pub fn parse_clock(text: &str) -> Result<Clock, String> {
    let read = |text: &str| {
        let mut seconds = 0.0;
        for (index, part) in text.split(':').enumerate() {
            let most = if index == 0 { f64::MAX } else { 59.999 };
            let is_part = |part: &f64| (0.0..=most).contains(part);
            seconds = 60.0 * seconds + part.parse().ok().filter(is_part)?;
        }
        let time = Duration::try_from_secs_f64(seconds).ok()?;
        (time <= MAX_TIME).then_some(time)
    };
    let (moves, times) = match text.split_once('/') {
        Some((moves, times)) => (moves.parse().ok(), times),
        None => (Some(u32::MAX), text),
    };
    let (main, increment) = times.split_once('+').unwrap_or((times, "0"));
    match (moves, read(main), read(increment)) {
        (Some(moves @ 1..), Some(left), Some(increment)) if !left.is_zero() => Ok(Clock {
            control: TimeControl::Clock { left, increment },
            period: (moves < u32::MAX).then_some(Period {
                moves,
                left: moves,
                time: left,
            }),
        }),
        _ => Err(format!(
            "'{}' is not a clock (expected MAIN, MAIN+INCREMENT or MOVES/MAIN in seconds or M:SS, \
             like 60+0.5, 40/60 or 1:00, each at most {} s)",
            excerpt(text),
            MAX_TIME.as_secs()
        )),
    }
}
