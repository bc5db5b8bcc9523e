//! Parser of GTP input lines: id, command, arguments.

use crate::reader::{InputLine, LineKind};
use emilia_core::board::Color;

/// Command with its arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Request<'a> {
    /// Digits before the command, repeated in the response. May be empty.
    pub(super) id: &'a str,
    /// Command name. Empty if the line has only an id.
    pub(super) command: &'a str,
    /// Words after the command.
    pub(super) arguments: Vec<&'a str>,
}

/// Preprocesses a line as the standard requires: removes control characters and the comment, and
/// replaces tabs by spaces.
pub(super) fn cleaned(line: &str) -> String {
    let line = line.split('#').next().unwrap_or_default();
    line.chars()
        .map(|character| if character == '\t' { ' ' } else { character })
        .filter(|character| !character.is_control())
        .collect()
}

impl<'a> Request<'a> {
    /// Parses a preprocessed line. Returns `None` if it is blank.
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

/// Returns the kind of a line for the reader. GoGui interrupts a search by a comment.
pub(super) fn kind(line: &InputLine) -> LineKind {
    if line.text.starts_with("# interrupt") {
        return LineKind::Stops;
    }
    match Request::parse(&cleaned(&line.text)) {
        Some(request) if request.command == "quit" => LineKind::Quit,
        _ => LineKind::Waits,
    }
}

/// Parses `b`, `black`, `w` or `white` in any case.
pub(super) fn color(word: &str) -> Option<Color> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Color::Black),
        "w" | "white" => Some(Color::White),
        _ => None,
    }
}
