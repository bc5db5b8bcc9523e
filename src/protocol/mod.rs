//! The engine's side of the text protocols: GTP, NBoard, UCI, and the detector that picks one from the first line.
//!
//! A session runs the engine in its own thread; a second thread reads the input, so that a line can end a search while
//! it runs. Sessions read any [`BufRead`](std::io::BufRead) and write any [`Write`](std::io::Write); every line is
//! flushed at once and is ASCII.

mod detect;
mod gtp;
mod nboard;
mod options;
mod reader;
mod uci;

use std::time::Duration;

use crate::options::LONGEST_TIME;
use crate::player::Style;
use crate::search::{Limits, Settings};

pub use detect::{Protocol, run_detected};

/// With what a session begins.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Setup {
    /// The engine's settings.
    pub settings: Settings,
    /// What bounds each search.
    pub limits: Limits,
    /// What the player does besides searching.
    pub style: Style,
    /// Whether nobody hears the answers any more. It is asked after the end of the input, now and then, and ends the
    /// session when it is so.
    pub is_client_gone: Option<fn() -> bool>,
}

/// A time in seconds, decimals allowed; below zero it has run out.
fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    Duration::try_from_secs_f64(seconds.clamp(0.0, LONGEST_TIME.as_secs_f64())).ok()
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
