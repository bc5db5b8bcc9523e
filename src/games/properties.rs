//! The syntax shared by SGF and GGF: trees of nodes with properties, `(;NAME[value]…;…)`.
//!
//! [`read`] reads the main line of one game; [`read_tree`] reads a record of a text.

use std::borrow::Cow;

use super::reading::{Reading, Span, Stop, Why};
use super::{Game, segments};
use emilia_core::board::{Sentence, excerpt};

/// An error in a record in GGF or SGF.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {}, column {}: {problem}", place.0, place.1)]
pub struct RecordError {
    /// Line and column, in characters, both from 1.
    pub place: (usize, usize),
    /// What is wrong at that place, and what was expected, as one sentence without a full stop.
    pub problem: Sentence,
}

impl RecordError {
    /// Creates an error at byte `offset` of `text`, which must be a character boundary.
    pub(super) fn at(text: &str, offset: usize, problem: Sentence) -> RecordError {
        let before = &text[..offset];
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        let place = (
            before.matches('\n').count() + 1,
            before[line..].chars().count() + 1,
        );
        RecordError { place, problem }
    }
}

impl From<RecordError> for Sentence {
    fn from(error: RecordError) -> Sentence {
        let (line, column) = error.place;
        let sentence = error.problem.or_code("unreadable-at");
        let sentence = sentence.with("line", line).with("column", column);
        sentence.within(format_args!("line {line}, column {column}: "))
    }
}

/// A property of a node: `NAME[value]…`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Property<'a> {
    /// The name in capitals. Lower-case letters, which old files contain, are dropped.
    pub(super) name: String,
    /// The values, with escapes resolved. There is at least one.
    pub(super) values: Vec<Cow<'a, str>>,
    /// Whether a value holds the name and bracket of another property, which are not escaped.
    is_unclosed: bool,
    /// Byte offset of the property in the text.
    pub(super) offset: usize,
}

impl Property<'_> {
    /// Returns whether the property is a move or a pass of either side.
    fn is_move(&self) -> bool {
        matches!(self.name.as_str(), "B" | "W")
    }

    /// Returns the first value.
    pub(super) fn value(&self) -> &str {
        &self.values[0]
    }

    /// Checks that a move or evaluation has one value: another one may be a later move, after a
    /// stray bracket.
    pub(super) fn check_single(&self) -> Result<(), String> {
        let second = self.values.get(1).map(|value| excerpt(value));
        second.map_or(Ok(()), |second| {
            let (name, first) = (&self.name, excerpt(self.value()));
            Err(format!("{name}[{first}][{second}]: expected one value"))
        })
    }

    /// Checks the value of a tag, which has the value `known` or none so far: two values are one too
    /// many, and the name of another property in it follows a value that is not closed.
    pub(super) fn check_tag(&self, known: &str) -> Result<(), String> {
        if !known.is_empty() && known != self.value() {
            return Err(self.bad("one value"));
        }
        match self.is_unclosed.then_some(()) {
            Some(()) => Err(self.bad("']' before the next property")),
            None => Ok(()),
        }
    }

    /// Returns the error that the value of this property is invalid.
    pub(super) fn bad(&self, expected: &str) -> String {
        let found = excerpt(self.value());
        format!("{}[{found}]: expected {expected}", self.name)
    }
}

/// A record, read up to its first fault.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) game: Game,
    /// Number of moves in the main line, with those after the fault.
    pub(super) moves: usize,
    /// Byte offset after the `)` that ends the main line, or after the record.
    pub(super) end: usize,
    /// Number of discs placed before each bracket that is open before `end`, the outermost first.
    pub(super) branches: Vec<usize>,
    pub(super) fault: Option<RecordError>,
}

/// Reads the main line of the record at byte `at` of `text`: the first branch at every variation.
/// `apply` applies a property to the game.
pub(super) fn read(
    text: &str,
    at: usize,
    mut apply: impl FnMut(&mut Game, &Property) -> Result<(), Sentence>,
) -> Record {
    let mut scanner = Scanner { text, at };
    let mut record = Record {
        game: Game::default(),
        moves: 0,
        end: at,
        branches: Vec::new(),
        fault: None,
    };
    scanner.skip_white_space();
    if scanner.peek() != Some('(') {
        record.fault = Some(scanner.syntax("'('"));
        return record;
    }
    let mut node: Vec<Property> = Vec::new();
    loop {
        let part = scanner.next();
        if let Ok(Part::Property(property)) = part {
            node.push(property);
            continue;
        }
        // The properties of a node are unordered, so `V` and `C` may precede their move.
        let has_move = node.iter().any(Property::is_move);
        record.moves += node.iter().filter(|property| property.is_move()).count();
        node.retain(|property| has_move || property.name != "V");
        node.sort_by_key(|property| matches!(&*property.name, "V" | "C"));
        for property in node.drain(..) {
            if record.fault.is_none()
                && let Err(problem) = apply(&mut record.game, &property)
            {
                record.fault = Some(RecordError::at(text, property.offset, problem));
            }
        }
        match part {
            Ok(Part::Open) => record.branches.push(record.game.placed()),
            Ok(Part::Node | Part::Property(_)) => {}
            Ok(Part::Close) => break,
            Err(error) => {
                record.fault = record.fault.or(Some(error));
                break;
            }
        }
    }
    record.end = scanner.at;
    record
}

/// Token of an SGF game tree: a property, or a bracket or semicolon of its structure.
#[derive(Debug)]
pub(super) enum Part<'a> {
    Property(Property<'a>),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `;`
    Node,
}

/// Parser state: reads `text` from byte offset `at`, which is a character boundary.
#[derive(Debug)]
pub(super) struct Scanner<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl<'a> Scanner<'a> {
    /// Parses the next part.
    pub(super) fn next(&mut self) -> Result<Part<'a>, RecordError> {
        self.skip_white_space();
        let part = match self.peek() {
            Some('(') => Part::Open,
            Some(';') => Part::Node,
            Some(')') => Part::Close,
            Some(letter) if letter.is_ascii_alphabetic() => {
                return self.property().map(Part::Property);
            }
            _ => return Err(self.syntax("a property, ';' or ')'")),
        };
        self.at += 1;
        Ok(part)
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip_white_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn syntax(&self, expected: &str) -> RecordError {
        unexpected(self.text, self.at, expected)
    }

    fn property(&mut self) -> Result<Property<'a>, RecordError> {
        let offset = self.at;
        let rest = self.rest();
        let is_other = |character: char| !character.is_ascii_alphabetic();
        let name = &rest[..rest.find(is_other).unwrap_or(rest.len())];
        self.at += name.len();
        let mut values = vec![self.next_value()?.ok_or_else(|| self.syntax("'['"))?];
        while let Some(value) = self.next_value()? {
            values.push(value);
        }
        let is_unclosed = holds_name(&self.text[offset + name.len()..self.at]);
        Ok(Property {
            name: capitals(name),
            values,
            is_unclosed,
            offset,
        })
    }

    /// Parses the next `[value]` of a property, in which a backslash escapes the next character.
    /// Returns `None` if there is no further value.
    fn next_value(&mut self) -> Result<Option<Cow<'a, str>>, RecordError> {
        self.skip_white_space();
        if self.peek() != Some('[') {
            return Ok(None);
        }
        self.at += 1;
        let mut value = Cow::default();
        loop {
            let rest = self.rest();
            let Some(end) = rest.find([']', '\\']) else {
                self.at = self.text.len();
                return Err(self.syntax("']'"));
            };
            value += &rest[..end];
            self.at += end + 1;
            if rest[end..].starts_with(']') {
                return Ok(Some(value));
            }
            if let Some(character) = self.peek() {
                value.to_mut().push(character);
                self.at += character.len_utf8();
            }
        }
    }
}

/// Returns the capitals of a name, or a name without capitals in capitals.
fn capitals(name: &str) -> String {
    let capitals = name.replace(|letter: char| letter.is_ascii_lowercase(), "");
    if capitals.is_empty() {
        name.to_ascii_uppercase()
    } else {
        capitals
    }
}

/// Returns the error that `expected` is missing at byte `offset` of `text`.
pub(super) fn unexpected(text: &str, offset: usize, expected: &str) -> RecordError {
    let found = text[offset..].chars().next();
    let found = found.map(|found| format!("found '{}'", found.escape_default()));
    let found = found.unwrap_or("the text ends".to_owned());
    RecordError::at(text, offset, format!("{found}, expected {expected}").into())
}

/// Returns whether two capitals and a bracket stand within the values of a property, as if a value
/// were not closed.
fn holds_name(values: &str) -> bool {
    let bytes = values.as_bytes();
    let capitals = |at: usize| bytes[at - 2..at].iter().all(u8::is_ascii_uppercase);
    let mut brackets = values.match_indices('[').map(|(at, _)| at);
    brackets.any(|at| at > 2 && capitals(at))
}

/// Escapes `text` as a property value: brackets, backslashes, and `(;`, which looks like a record
/// start.
pub(super) fn escaped(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    for character in text.chars() {
        let starts_record = character == ';' && value.ends_with('(');
        if starts_record || matches!(character, '[' | ']' | '\\') {
            value.push('\\');
        }
        value.push(character);
    }
    value
}

/// Reads the GGF or SGF record that begins at byte `at`, perhaps after a count of games. Returns
/// where it ended.
pub(super) fn read_tree(out: &mut Reading, at: usize) -> usize {
    let text = out.text;
    let start = at + (text[at..].len() - text[at..].trim_start_matches(is_between).len());
    // A certain start begins the next record even if this one lacks a bracket.
    let mut next = text[start + 1..]
        .match_indices("(;")
        .map(|(next, _)| start + 1 + next);
    let next = next.find(|&next| is_certain(&text[next..]));
    let line = text[..start].rfind('\n').map_or(0, |end| end + 1);
    let part = &text[line..next.unwrap_or(text.len())];
    let name = part[start - line..].split_once("GM[").map(|(_, rest)| rest);
    let name = name
        .and_then(|rest| rest.split_once(']'))
        .map(|(name, _)| name.trim());
    let read = match name {
        Some(name) if name.eq_ignore_ascii_case("othello") => Game::read_ggf_record,
        _ => Game::read_sgf_record,
    };
    let record = read(part, start - line);
    let end = line + record.end;
    let mut game = record.game;
    game.settle();
    let Some(mut fault) = record.fault else {
        out.add(at..end, Span::Record, game, None);
        return end;
    };
    fault.place.0 += out.line(line) - 1;
    // What is wrong with a record that is whole concerns its rest only.
    let is_whole = part[..record.end].ends_with(')');
    let why = Why::Record(fault, record.moves);
    let stop = Some(Stop { at: end, why });
    out.add(at..end, Span::Record, game, stop);
    match next {
        _ if is_whole => end,
        Some(next) => next.min(segments::resume(text, end)),
        None => segments::resume(text, end),
    }
}

/// Returns whether a character may be between records: white space, or a digit of the game count
/// that precedes a GGF collection.
fn is_between(c: char) -> bool {
    c.is_ascii_digit() || c.is_whitespace()
}

/// Returns whether `text` begins like a record or a variation, perhaps without the first `;`.
pub(super) fn is_start(text: &str) -> bool {
    let node = text.strip_prefix('(').map(str::trim_start);
    node.is_some_and(|node| {
        let values = node.trim_start_matches(|c: char| c.is_ascii_uppercase());
        node.starts_with(';') || values.len() < node.len() && values.starts_with('[')
    })
}

/// Returns whether `text` certainly begins a record: a variation never has `GM` or `FF`.
pub(super) fn is_certain(text: &str) -> bool {
    let node = text.strip_prefix("(;").or(text.strip_prefix('('));
    node.is_some_and(|node| node.starts_with("GM[") || node.starts_with("FF["))
}
