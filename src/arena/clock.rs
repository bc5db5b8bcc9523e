//! Time controls of a match: text form, time limit of a move, and remaining time.

use std::fmt;
use std::time::Duration;

use emilia_core::board::excerpt;
use emilia_core::search::TimeControl;
use emilia_player::options::MAX_TIME;

/// Tolerance above the time limit of a move, for transit through pipes and for system scheduling.
pub const MARGIN: Duration = Duration::from_millis(50);

/// Clock of one player during a game: the time control, updated after every move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// Time control with the time that is left now. `PerMove` holds the time of every move. `Clock`
    /// holds the main time left for the game or the current period, and the increment of every
    /// move.
    pub control: TimeControl,
    /// Period of a clock such as `40/60`, 40 moves in 60 s. `None`: the main time is for the whole
    /// game.
    pub(crate) period: Option<Period>,
}

/// Period of a clock such as `40/60`: 40 moves share a main time of 60 s. Time left at the end of a
/// period carries over to the next period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Period {
    /// Number of moves of a period.
    pub(crate) moves: u32,
    /// Number of moves left in the current period.
    pub(crate) left: u32,
    /// Main time added at the end of each period.
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
    /// Returns the time control for a search at a position with `empties` empties.
    ///
    /// If the current period ends before the game, the search gets a fixed time: an equal share of
    /// the time left for each move left in the period, plus the increment. The sides alternate, so
    /// `left` moves of this player fill at most `2 * left` empties.
    pub(crate) fn of_search(self, empties: u32) -> TimeControl {
        match (self.control, self.period) {
            (TimeControl::Clock { left, increment }, Some(period)) if 2 * period.left < empties => {
                TimeControl::PerMove(left / period.left + increment)
            }
            (control, _) => control,
        }
    }

    /// Returns the time limit of the next move, [`MARGIN`] included. With a clock, one move may use
    /// all the time left.
    pub(crate) fn longest_move(self) -> Duration {
        let (TimeControl::PerMove(time) | TimeControl::Clock { left: time, .. }) = self.control;
        time + MARGIN
    }

    /// Subtracts the time spent on a move and adds the increment. After the last move of a period,
    /// also adds the main time of the next period.
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

/// Formats as the key `time` or `clock` of a player specification: `time=0.5`, `clock=60+0.5`,
/// `clock=40/60+0`.
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

/// Formats a clock for the heading and the log of a match, such as `60 s + 0.5 s`.
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

/// Parses a clock: `[MOVES/]MAIN[+INCREMENT]`. The main time is for the whole game, or with `MOVES`
/// for each period of that number of moves. Times are in seconds, or `M:SS`, or `H:MM:SS`.
///
/// # Errors
/// If a time cannot be parsed or is above [`MAX_TIME`], the main time is 0, or the number of moves
/// is 0.
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
