//! The text protocols GTP, NBoard and UCI: the engine side, and the client side for matches.
//!
//! A session runs in its own thread, and a second thread reads the input.
//! An input line can therefore end a running search.
//! Sessions read any [`BufRead`](std::io::BufRead) and write any [`Write`](std::io::Write).
//! Every output line is ASCII and flushed at once.
//!
//! Reading order: `detect` selects a protocol, and `reader` reads lines during a search.
//! `gtp`, `nboard` and `uci` are the sessions, and `options` sets engine options in all of them.
//! `client` runs external programs with the client side of the three protocols.

#[cfg(feature = "arena")]
mod client;
mod detect;
mod gtp;
mod nboard;
mod options;
mod reader;
mod uci;

use std::time::Duration;

use crate::player::PlaySettings;
use crate::player::options::MAX_TIME;
use crate::search::{Limits, Settings};

#[cfg(feature = "arena")]
pub use client::Fault;
#[cfg(feature = "arena")]
pub(crate) use client::{
    Client, Guard, MatchPlayer, PlayedMove, PlayerError, ProcessContext, Program,
};
pub use detect::{Protocol, run_detected};
#[cfg(feature = "arena")]
pub(crate) use gtp::client::GtpClient;
#[cfg(feature = "arena")]
pub(crate) use nboard::client::NBoardClient;
#[cfg(feature = "arena")]
pub(crate) use uci::client::UciClient;

/// Initial settings of a session.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Setup {
    /// Engine settings.
    pub settings: Settings,
    /// Limits of each search.
    pub limits: Limits,
    /// Settings of play besides the search, such as the human level.
    pub play_settings: PlaySettings,
    /// Returns whether the client has gone, so that nobody reads the output.
    /// It is polled after the end of the input, and `true` ends the session.
    pub client_has_left: Option<fn() -> bool>,
}

/// Parses a time in seconds, decimals allowed. Negative times become 0.
fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    Duration::try_from_secs_f64(seconds.clamp(0.0, MAX_TIME.as_secs_f64())).ok()
}

/// Returns `text` safe to quote to a client: printable ASCII, at most 200 characters.
fn shown(text: &str) -> String {
    const MAX_LENGTH: usize = 200;
    let printable = text.chars().map(|character| match character {
        ' '..='~' => character,
        _ => '?',
    });
    printable.take(MAX_LENGTH).collect()
}
