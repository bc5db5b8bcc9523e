//! The engine side of the text protocols GTP, NBoard, UCI and Cassio's.
//!
//! A second thread reads the input, so that an input line can end a running search.
//! Sessions read any [`BufRead`](std::io::BufRead) and write any [`Write`].
//! Every output line is ASCII and flushed at once.
//!
//! Reading order:
//! - `detect`: the protocols, and which one a first line selects.
//! - `reader`: input lines during a search.
//! - `gtp`, `nboard`, `uci`, `cassio`: the sessions, each a table of commands.
//! - `ggs`: a client that plays on the Generic Game Server.

mod cassio;
mod detect;
pub mod ggs;
mod gtp;
mod nboard;
mod reader;
mod uci;

use std::io::{self, Write};
use std::time::Duration;

pub use detect::{Protocol, serve};
use emilia_player::options::MAX_TIME;
pub use uci::flipello;

/// Why a command was not executed.
enum Refusal {
    /// One sentence for the client.
    Sentence(String),
    /// The output failed, or the system refused a thread. The session ends.
    Io(io::Error),
}

/// Result of a command of a session that writes its answers itself.
type Done = Result<(), Refusal>;

impl From<String> for Refusal {
    fn from(sentence: String) -> Refusal {
        Refusal::Sentence(sentence)
    }
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Refusal {
        Refusal::Io(error)
    }
}

/// Writes the sentence of a refusal after `prefix`, such as `status`.
fn report(done: Done, prefix: &str, out: &mut dyn Write) -> io::Result<()> {
    match done {
        Ok(()) => Ok(()),
        Err(Refusal::Sentence(sentence)) => say(out, &format!("{prefix} {}", shown(&sentence))),
        Err(Refusal::Io(error)) => Err(error),
    }
}

/// Writes one line to the client.
fn say(out: &mut dyn Write, line: &str) -> io::Result<()> {
    writeln!(out, "{line}")?;
    out.flush()
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
