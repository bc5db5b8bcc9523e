//! Errors of a player that cost it the game, and their messages.

use std::process::ExitStatus;
use std::time::Duration;

use emilia_core::board::{Move, excerpt_within};

/// Error of a player that costs it the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The program's output ended.
    #[error("{}{}", end(*status), last_stderr_line.as_deref().map_or(String::new(), |line| {
        format!(": {}", excerpt_within(line, MAX_STDERR_QUOTE))
    }))]
    Ended {
        /// Exit status, if the program has exited.
        status: Option<ExitStatus>,
        /// Last line of its stderr.
        last_stderr_line: Option<String>,
    },
    /// The program closed its input.
    #[error("closed its input")]
    InputClosed,
    /// No answer within this time. The text is the last line received instead.
    #[error("no answer in {:.2} s{}", .0.as_secs_f64(), .1.as_deref().map_or(String::new(), |said| {
        format!(" (it said '{}')", quote(said))
    }))]
    NoAnswer(Duration, Option<String>),
    /// The move came after this time, which exceeds the limit.
    #[error("too late: {:.3} s", .0.as_secs_f64())]
    Late(Duration),
    /// The answer, quoted here, is not a move or response.
    #[error("answered '{}'", quote(.0))]
    Garbage(String),
    /// A line exceeds the maximum length.
    #[error("sent a line without end")]
    LongLine,
    /// An answer exceeds the maximum number of lines or bytes.
    #[error("sent an answer without end")]
    ResponseTooLong,
    /// The program refused a necessary command: the command and the refusal.
    #[error("refused '{}': {}", quote(.0), quote(.1))]
    Refused(String, String),
    /// The move is illegal.
    #[error("illegal move {0}")]
    Illegal(Move),
    /// The player passed although it had a legal move.
    #[error("passed with a legal move")]
    WrongPass,
    /// The player resigned.
    #[error("resigned")]
    Resigned,
}

/// Maximum length of a quoted stderr line, in characters.
const MAX_STDERR_QUOTE: usize = 120;

/// Quotes an answer.
fn quote(text: &str) -> String {
    excerpt_within(text, 60)
}

/// Describes how the output ended, including the two codes with which a shell reports a failed
/// start.
fn end(status: Option<ExitStatus>) -> String {
    let Some(status) = status else {
        return "closed its output".to_owned();
    };
    let status = match status.code() {
        Some(code @ 126) => format!("exit status {code}: not executable"),
        Some(code @ 127) => format!("exit status {code}: command not found"),
        Some(code) => format!("exit status {code}"),
        // Killed by a signal: "signal: 9 (SIGKILL)".
        None => status.to_string(),
    };
    format!("the program ended ({status})")
}
