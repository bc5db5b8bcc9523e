//! The clocks of a match: what each side may take, measured by the one who runs it.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::board::{Color, excerpt};
use crate::options::LONGEST_TIME;
use crate::search::TimeControl;

/// A move may take this much longer than the clock allows: for the way through pipes and the scheduler of the system.
pub const MARGIN: Duration = Duration::from_millis(50);

/// The time that each player has in each game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// No limit.
    #[default]
    Unlimited,
    /// So long for each move; none is carried over.
    PerMove(Duration),
    /// A time for the game, and what each move adds.
    Game {
        /// For all moves together.
        main: Duration,
        /// Added after each move.
        increment: Duration,
    },
}

/// Seconds as short as they can be written.
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

/// The text is no clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAClock(String);

impl fmt::Display for NotAClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "'{}' is no clock (expected MAIN or MAIN+INCREMENT in seconds, like 60+0.5, each at most {})",
            excerpt(&self.0),
            LONGEST_TIME.as_secs()
        )
    }
}

impl std::error::Error for NotAClock {}

impl FromStr for Clock {
    type Err = NotAClock;

    /// `MAIN` or `MAIN+INCREMENT`, in seconds.
    fn from_str(text: &str) -> Result<Clock, NotAClock> {
        let read = |text: &str| {
            let time = Duration::try_from_secs_f64(text.parse().ok()?).ok()?;
            (time <= LONGEST_TIME).then_some(time)
        };
        let (main, increment) = text.split_once('+').unwrap_or((text, "0"));
        match (read(main), read(increment)) {
            (Some(main), Some(increment)) if !main.is_zero() => Ok(Clock::Game { main, increment }),
            _ => Err(NotAClock(text.to_owned())),
        }
    }
}

impl Clock {
    /// What a side begins a game with.
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

/// Both clocks of a game. Pure: they are told how long moves took.
#[derive(Clone, Debug)]
pub(super) struct Clocks([Option<TimeControl>; 2]);

impl Clocks {
    /// The clocks of Black and White at the beginning of a game.
    pub(super) fn new(clocks: [Clock; 2]) -> Clocks {
        Clocks(clocks.map(Clock::initial))
    }

    /// What `color` has for its next move and those after it.
    pub(super) fn of(&self, color: Color) -> Option<TimeControl> {
        self.0[color as usize]
    }

    /// The longest that the next move of `color` may take; none without a clock.
    pub(super) fn longest(&self, color: Color) -> Option<Duration> {
        let time = match self.of(color)? {
            TimeControl::PerMove(time) => time,
            TimeControl::Clock { left, .. } => left,
        };
        Some(time + MARGIN)
    }

    /// `color` took this long for a move that was not too late.
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
    fn clocks_are_read_and_written() {
        let clock = |text: &str| text.parse::<Clock>().map(|clock| clock.to_string());
        assert_eq!(clock("60+0.5").unwrap(), "60 s + 0.5 s");
        assert_eq!(clock("90").unwrap(), "90 s + 0 s");
        for bad in ["", "0", "+1", "60+", "1+2+3", "-1", "inf", "nan", "1e99"] {
            let error = clock(bad).unwrap_err();
            assert!(error.to_string().contains("is no clock"), "{bad}");
        }
    }

    #[test]
    fn a_clock_runs_down_and_each_move_adds() {
        let seconds = Duration::from_secs;
        let clock = |text: &str| text.parse().unwrap();
        let mut clocks = Clocks::new([clock("10+1"), clock("20")]);
        clocks.spend(Color::Black, seconds(4));
        clocks.spend(Color::White, seconds(5));
        assert_eq!(clocks.longest(Color::Black), Some(seconds(7) + MARGIN));
        assert_eq!(clocks.longest(Color::White), Some(seconds(15) + MARGIN));
        // Within the margin: nothing is left but what the move adds.
        clocks.spend(Color::Black, seconds(7) + MARGIN);
        assert_eq!(clocks.longest(Color::Black), Some(seconds(1) + MARGIN));

        let mut clocks = Clocks::new([Clock::PerMove(seconds(2)), Clock::Unlimited]);
        clocks.spend(Color::Black, seconds(1));
        clocks.spend(Color::White, seconds(1));
        assert_eq!(clocks.longest(Color::Black), Some(seconds(2) + MARGIN));
        assert_eq!(clocks.longest(Color::White), None);
    }
}
