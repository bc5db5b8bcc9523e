//! What a player can do wrong. Stands on `board`.

use std::fmt;
use std::time::Duration;

use crate::board::Move;

/// What costs a player the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The program cannot be started.
    CannotStart(String),
    /// Its output ended.
    Ended,
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
    /// It would not do what it must.
    Refused(String, String),
    /// The move is against the rules.
    Illegal(Move),
    /// It passed though it had a move.
    WrongPass,
    /// It gave the game up.
    Resigned,
}

/// So much of what a player said is repeated.
const LONGEST_QUOTE: usize = 60;

/// The text on one line of printable ASCII, not too long.
fn quote(text: &str) -> String {
    let mut shown: String = text
        .chars()
        .take(LONGEST_QUOTE)
        .map(|letter| {
            if matches!(letter, ' '..='~') {
                letter
            } else {
                '?'
            }
        })
        .collect();
    if text.chars().nth(LONGEST_QUOTE).is_some() {
        shown.push_str("...");
    }
    shown
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::CannotStart(error) => write!(f, "cannot start: {error}"),
            Fault::Ended => f.write_str("the program ended"),
            Fault::Deaf => f.write_str("closed its input"),
            Fault::Silent(time, said) => {
                write!(f, "no answer in {:.2} s", time.as_secs_f64())?;
                said.as_ref()
                    .map_or(Ok(()), |said| write!(f, " (it said '{}')", quote(said)))
            }
            Fault::Late(time) => write!(f, "too late: {:.3} s", time.as_secs_f64()),
            Fault::Garbage(said) => write!(f, "answered '{}'", quote(said)),
            Fault::LongLine => f.write_str("sent a line without end"),
            Fault::Refused(command, answer) => {
                write!(f, "refused '{}': {}", quote(command), quote(answer))
            }
            Fault::Illegal(mv) => write!(f, "illegal move {mv}"),
            Fault::WrongPass => f.write_str("passed with a legal move"),
            Fault::Resigned => f.write_str("resigned"),
        }
    }
}
