//! Time controls of a match, and the remaining time of both sides of a game.
//! The referee measures the time of each move and applies it to [`Clocks`].

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::board::{Color, excerpt};
use crate::player::options::MAX_TIME;
use crate::search::TimeControl;

/// Tolerance above the time limit of a move, for transit through pipes and for system scheduling.
pub const MARGIN: Duration = Duration::from_millis(50);

/// Time control of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// No limit.
    #[default]
    Unlimited,
    /// Fixed time for each move. Unused time is not carried over.
    PerMove(Duration),
    /// Time for a whole game plus an increment.
    Game {
        /// Initial time for all moves of the player.
        main: Duration,
        /// Time added after each move.
        increment: Duration,
    },
}

/// Returns a time in seconds, as a number that prints in its shortest form.
fn seconds(time: Duration) -> f64 {
    time.as_secs_f64()
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Clock::Unlimited => f.write_str("no clock"),
            Clock::PerMove(time) => write!(f, "{} s a move", seconds(*time)),
            Clock::Game { main, increment } => {
                write!(f, "{} s + {} s", seconds(*main), seconds(*increment))
            }
        }
    }
}

/// Error of parsing a [`Clock`], with the rejected text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAClock(String);

impl fmt::Display for NotAClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "'{}' is no clock (expected MAIN or MAIN+INCREMENT in seconds, like 60+0.5, \
             each at most {})",
            excerpt(&self.0),
            MAX_TIME.as_secs()
        )
    }
}

impl std::error::Error for NotAClock {}

impl FromStr for Clock {
    type Err = NotAClock;

    /// Parses `MAIN` or `MAIN+INCREMENT`, in seconds.
    fn from_str(text: &str) -> Result<Clock, NotAClock> {
        let read = |text: &str| {
            let time = Duration::try_from_secs_f64(text.parse().ok()?).ok()?;
            (time <= MAX_TIME).then_some(time)
        };
        let (main, increment) = text.split_once('+').unwrap_or((text, "0"));
        match (read(main), read(increment)) {
            (Some(main), Some(increment)) if !main.is_zero() => Ok(Clock::Game { main, increment }),
            _ => Err(NotAClock(text.to_owned())),
        }
    }
}

impl Clock {
    /// Returns the time of a player at the start of a game. `None` means unlimited.
    fn initial(self) -> Option<TimeControl> {
        match self {
            Clock::Unlimited => None,
            Clock::PerMove(time) => Some(TimeControl::PerMove(time)),
            Clock::Game { main, increment } => Some(TimeControl::Clock {
                left: main,
                increment,
            }),
        }
    }
}

/// Remaining times of Black and White in one game. The caller measures elapsed times.
#[derive(Clone, Debug)]
pub(super) struct Clocks([Option<TimeControl>; 2]);

impl Clocks {
    /// Returns the initial times for these time controls of Black and White.
    pub(super) fn new(clocks: [Clock; 2]) -> Clocks {
        Clocks(clocks.map(Clock::initial))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_parse_and_display() {
        let clock = |text: &str| text.parse::<Clock>().map(|clock| clock.to_string());
        assert_eq!(clock("60+0.5").unwrap(), "60 s + 0.5 s");
        assert_eq!(clock("90").unwrap(), "90 s + 0 s");
        for bad in ["", "0", "+1", "60+", "1+2+3", "-1", "inf", "nan", "1e99"] {
            let error = clock(bad).unwrap_err();
            assert!(error.to_string().contains("is no clock"), "{bad}");
        }
    }

    #[test]
    fn spending_subtracts_time_and_adds_the_increment() {
        let seconds = Duration::from_secs;
        let clock = |text: &str| text.parse().unwrap();
        let mut clocks = Clocks::new([clock("10+1"), clock("20")]);
        clocks.spend(Color::Black, seconds(4));
        clocks.spend(Color::White, seconds(5));
        assert_eq!(clocks.longest(Color::Black), Some(seconds(7) + MARGIN));
        assert_eq!(clocks.longest(Color::White), Some(seconds(15) + MARGIN));
        // An overrun within the margin leaves the increment only.
        clocks.spend(Color::Black, seconds(7) + MARGIN);
        assert_eq!(clocks.longest(Color::Black), Some(seconds(1) + MARGIN));

        let mut clocks = Clocks::new([Clock::PerMove(seconds(2)), Clock::Unlimited]);
        clocks.spend(Color::Black, seconds(1));
        clocks.spend(Color::White, seconds(1));
        assert_eq!(clocks.longest(Color::Black), Some(seconds(2) + MARGIN));
        assert_eq!(clocks.longest(Color::White), None);
    }
}
