//! What a player can do wrong.

use std::fmt;
use std::process::ExitStatus;
use std::time::Duration;

use crate::board::Move;

/// What costs a player the game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// Its output ended.
    Ended {
        /// How the program ended, if it has.
        status: Option<ExitStatus>,
        /// The last line of its stderr.
        told: Option<String>,
    },
    /// It closed its input.
    Deaf,
    /// It said nothing that was an answer for so long; with the last line that was none.
    Silent(Duration, Option<String>),
    /// It moved, but too late.
    Late(Duration),
    /// An answer without sense.
    Garbage(String),
    /// A line without end.
    LongLine,
    /// More lines, or more bytes, than any answer has.
    Endless,
    /// It would not do what it must.
    Refused(String, String),
    /// The move is against the rules.
    Illegal(Move),
    /// It passed though it had a move.
    WrongPass,
    /// It gave the game up.
    Resigned,
}

impl Fault {
    /// Its output ended, and no more is known.
    pub(super) const UNKNOWN_END: Fault = Fault::Ended {
        status: None,
        told: None,
    };
}

/// So much of what a player said is repeated.
const LONGEST_QUOTE: usize = 60;

/// So much of what it said last on its stderr.
const LONGEST_TOLD: usize = 120;

/// How a program ended; the shell has two numbers of its own.
fn status_text(status: ExitStatus) -> String {
    match status.code() {
        Some(code @ 126) => format!("exit status {code}: not executable"),
        Some(code @ 127) => format!("exit status {code}: command not found"),
        Some(code) => format!("exit status {code}"),
        // "signal: 9 (SIGKILL)"
        None => status.to_string(),
    }
}

/// The text on one line of printable ASCII, not too long.
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
            Fault::Ended { status, told } => {
                match status {
                    Some(status) => write!(f, "the program ended ({})", status_text(*status))?,
                    None => f.write_str("closed its output")?,
                }
                told.as_ref()
                    .map_or(Ok(()), |told| write!(f, ": {}", quote(told, LONGEST_TOLD)))
            }
            Fault::Deaf => f.write_str("closed its input"),
            Fault::Silent(time, said) => {
                write!(f, "no answer in {:.2} s", time.as_secs_f64())?;
                said.as_ref().map_or(Ok(()), |said| {
                    write!(f, " (it said '{}')", quote(said, LONGEST_QUOTE))
                })
            }
            Fault::Late(time) => write!(f, "too late: {:.3} s", time.as_secs_f64()),
            Fault::Garbage(said) => write!(f, "answered '{}'", quote(said, LONGEST_QUOTE)),
            Fault::LongLine => f.write_str("sent a line without end"),
            Fault::Endless => f.write_str("sent an answer without end"),
            Fault::Refused(command, answer) => {
                write!(
                    f,
                    "refused '{}': {}",
                    quote(command, LONGEST_QUOTE),
                    quote(answer, LONGEST_QUOTE)
                )
            }
            Fault::Illegal(mv) => write!(f, "illegal move {mv}"),
            Fault::WrongPass => f.write_str("passed with a legal move"),
            Fault::Resigned => f.write_str("resigned"),
        }
    }
}

impl std::error::Error for Fault {}
