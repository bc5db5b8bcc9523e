//! A line of GTP taken apart: id, command, arguments.

use crate::board::Color;
use crate::protocol::reader::{Kind, Line};

/// A command with its arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Request<'a> {
    /// The digits before the command, repeated in the answer; may be empty.
    pub(super) id: &'a str,
    /// The command; empty when there is an id and nothing more.
    pub(super) command: &'a str,
    /// What follows it.
    pub(super) arguments: Vec<&'a str>,
}

/// A line as the standard wants it read: control characters gone, tabs as spaces, comment cut off.
pub(super) fn cleaned(line: &str) -> String {
    let line = line.split('#').next().unwrap_or_default();
    line.chars()
        .map(|character| if character == '\t' { ' ' } else { character })
        .filter(|character| !character.is_control())
        .collect()
}

impl<'a> Request<'a> {
    /// Takes a cleaned line apart; `None` if nothing is on it.
    pub(super) fn parse(line: &'a str) -> Option<Request<'a>> {
        let mut words = line.split_whitespace().peekable();
        let is_id = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
        words.peek()?;
        Some(Request {
            id: words.next_if(is_id).unwrap_or_default(),
            command: words.next().unwrap_or_default(),
            arguments: words.collect(),
        })
    }
}

/// What a line does before its turn comes: GoGui interrupts a search by a comment.
pub(super) fn kind(line: &Line) -> Kind {
    if line.text.starts_with("# interrupt") {
        Kind::Urgent
    } else {
        Kind::Plain
    }
}

/// `b`, `black`, `w` or `white` in any case.
pub(super) fn color(word: &str) -> Option<Color> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Color::Black),
        "w" | "white" => Some(Color::White),
        _ => None,
    }
}
