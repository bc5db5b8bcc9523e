//! Parser of GTP input lines: id, command, arguments.

use crate::reader::{InputLine, LineKind};
use emilia_core::board::Color;

/// Preprocesses a line as the standard requires: removes control characters and the comment, and
/// replaces tabs by spaces.
pub(super) fn cleaned(line: &str) -> String {
    let line = line.split('#').next().unwrap_or_default();
    line.chars()
        .map(|character| if character == '\t' { ' ' } else { character })
        .filter(|character| !character.is_control())
        .collect()
}

/// Parses a preprocessed line into an id (digits, may be empty), a command and its arguments.
/// Returns `None` if the line is blank.
pub(super) fn parse(line: &str) -> Option<(&str, &str, Vec<&str>)> {
    let mut words = line.split_whitespace().peekable();
    let is_id = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    words.peek()?;
    let id = words.next_if(is_id).unwrap_or_default();
    let command = words.next().unwrap_or_default();
    Some((id, command, words.collect()))
}

/// Returns the kind of a line for the reader. GoGui interrupts a search by a comment.
pub(super) fn kind(line: &InputLine) -> LineKind {
    if line.text.starts_with("# interrupt") {
        return LineKind::Stops;
    }
    match parse(&cleaned(&line.text)) {
        Some((_, "quit", _)) => LineKind::Quit,
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
