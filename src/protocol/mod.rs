//! The engine's side of the text protocols: GTP, NBoard, and the detector that picks one from the first line.
//! Stands on `game` and `search`.
//!
//! A session runs the engine in its own thread; a second thread reads the input, so that a line can end a search while
//! it runs. Sessions read any [`BufRead`](std::io::BufRead) and write any [`Write`](std::io::Write); every line is
//! flushed at once and is ASCII.

mod detect;
mod gtp;
mod nboard;
mod options;
mod ponder;
mod reader;

use std::time::Duration;

use crate::options::LONGEST_TIME;
use crate::search::{Limits, Settings, TimeControl};

pub use detect::{Protocol, run_detected};

/// The time for a move when neither a flag nor a clock nor the client bounds the search.
pub const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// With what a session begins.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// The engine's settings.
    pub settings: Settings,
    /// What bounds each search.
    pub limits: Limits,
    /// Whether to think while the opponent does.
    pub ponder: bool,
    /// Whether nobody hears the answers any more. It is asked after the end of the input, now and then, and ends the
    /// session when it is so.
    pub is_client_gone: Option<fn() -> bool>,
}

/// A time in seconds, decimals allowed; below zero it has run out.
fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    Duration::try_from_secs_f64(seconds.clamp(0.0, LONGEST_TIME.as_secs_f64())).ok()
}

/// `limits` at their [level](Limits::at_level), or the default time as well where nothing would end the search soon.
pub fn bounded(limits: &Limits) -> Limits {
    let mut bounded = limits.clone().at_level();
    if !limits.is_bounded() {
        bounded.time = Some(TimeControl::PerMove(DEFAULT_TIME));
    }
    bounded
}

/// A time fixed by a flag is taken instead of the clock's as long as the clock can pay it this many times.
const MOVES_TO_PAY: u32 = 20;

/// `limits` for a search that a clock bounds too, if there is one. No flag makes a side lose on time.
fn within(clock: Option<TimeControl>, limits: &Limits) -> Limits {
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

/// `text` with everything that is not printable ASCII replaced, and cut where it is very long: what a client may be
/// shown of its own words.
fn shown(text: &str) -> String {
    const LONGEST: usize = 200;
    let printable = text.chars().map(|character| match character {
        ' '..='~' => character,
        _ => '?',
    });
    printable.take(LONGEST).collect()
}
