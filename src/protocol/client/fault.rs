//! Errors of a player that cost it the game, and their messages.

use std::fmt;
use std::process::ExitStatus;
use std::time::Duration;

use crate::board::Move;

/// Error of a player that costs it the game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The program's output ended.
    Ended {
        /// Exit status, if the program has exited.
        status: Option<ExitStatus>,
        /// Last line of its stderr.
        last_stderr_line: Option<String>,
    },
    /// The program closed its input.
    InputClosed,
    /// No answer within this time. The text is the last line received instead.
    NoAnswer(Duration, Option<String>),
    /// The move came after this time, which exceeds the limit.
    Late(Duration),
    /// The answer, quoted here, is not a move or response.
    Garbage(String),
    /// A line exceeds the maximum length.
    LongLine,
    /// An answer exceeds the maximum number of lines or bytes.
    ResponseTooLong,
    /// The program refused a necessary command: the command and the refusal.
    Refused(String, String),
    /// The move is illegal.
    Illegal(Move),
    /// The player passed although it had a legal move.
    WrongPass,
    /// The player resigned.
    Resigned,
}

/// Maximum length of a quoted answer, in characters.
const MAX_QUOTE: usize = 60;

/// Maximum length of a quoted stderr line, in characters.
const MAX_STDERR_QUOTE: usize = 120;

/// Describes an exit status, including the two codes with which a shell reports a failed start.
fn status_text(status: ExitStatus) -> String {
    match status.code() {
        Some(code @ 126) => format!("exit status {code}: not executable"),
        Some(code @ 127) => format!("exit status {code}: command not found"),
        Some(code) => format!("exit status {code}"),
        // Killed by a signal: "signal: 9 (SIGKILL)".
        None => status.to_string(),
    }
}

/// Returns the first `longest` characters, with `?` for all but printable ASCII.
fn quote(text: &str, longest: usize) -> String {
    let mut shown: String = text
        .chars()
        .take(longest)
        .map(|letter| {
            if matches!(letter, ' '..='~') {
                letter
            } else {
                '?'
            }
        })
        .collect();
    if text.chars().nth(longest).is_some() {
        shown.push_str("...");
    }
    shown
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Ended {
                status,
                last_stderr_line,
            } => {
                match status {
                    Some(status) => write!(f, "the program ended ({})", status_text(*status))?,
                    None => f.write_str("closed its output")?,
                }
                last_stderr_line.as_ref().map_or(Ok(()), |line| {
                    write!(f, ": {}", quote(line, MAX_STDERR_QUOTE))
                })
            }
            Fault::InputClosed => f.write_str("closed its input"),
            Fault::NoAnswer(time, said) => {
                write!(f, "no answer in {:.2} s", time.as_secs_f64())?;
                said.as_ref().map_or(Ok(()), |said| {
                    write!(f, " (it said '{}')", quote(said, MAX_QUOTE))
                })
            }
            Fault::Late(time) => write!(f, "too late: {:.3} s", time.as_secs_f64()),
            Fault::Garbage(said) => write!(f, "answered '{}'", quote(said, MAX_QUOTE)),
            Fault::LongLine => f.write_str("sent a line without end"),
            Fault::ResponseTooLong => f.write_str("sent an answer without end"),
            Fault::Refused(command, answer) => {
                write!(
                    f,
                    "refused '{}': {}",
                    quote(command, MAX_QUOTE),
                    quote(answer, MAX_QUOTE)
                )
            }
            Fault::Illegal(mv) => write!(f, "illegal move {mv}"),
            Fault::WrongPass => f.write_str("passed with a legal move"),
            Fault::Resigned => f.write_str("resigned"),
        }
    }
}

impl std::error::Error for Fault {}
