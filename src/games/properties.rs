//! The syntax shared by SGF and GGF: trees of nodes with properties, `(;NAME[value]…;…)`.
//!
//! [`main_line`] parses the properties of one game; [`records`] splits a file into its games.

use std::borrow::Cow;

use super::Game;
use emilia_core::board::excerpt;

/// An error in a record in GGF or SGF.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {}, column {}: {problem}", place.0, place.1)]
pub struct RecordError {
    /// Line and column, in characters, both from 1.
    pub place: (usize, usize),
    /// What is wrong at that place, and what was expected, as one sentence without a full stop.
    pub problem: String,
}

impl RecordError {
    /// Creates an error at byte `offset` of `text`, which must be a character boundary.
    pub(super) fn at(text: &str, offset: usize, problem: String) -> RecordError {
        let place = text[..offset].chars().fold((1, 1), after);
        RecordError { place, problem }
    }

    /// Converts a location in a record to one in the file where the record begins at `start`.
    pub(super) fn moved_to(self, start: (usize, usize)) -> RecordError {
        let place = match self.place {
            (1, column) => (start.0, column + start.1 - 1),
            (line, column) => (line + start.0 - 1, column),
        };
        RecordError { place, ..self }
    }
}

/// Returns the line and column after a character at `place`.
fn after((line, column): (usize, usize), character: char) -> (usize, usize) {
    match character {
        '\n' => (line + 1, 1),
        _ => (line, column + 1),
    }
}

/// A property of a node: `NAME[value]…`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Property<'a> {
    /// The name in capitals. Lower-case letters, which old files contain, are dropped.
    pub(super) name: String,
    /// The values, with escapes resolved. There is at least one.
    pub(super) values: Vec<Cow<'a, str>>,
    /// Byte offset of the property in the text.
    pub(super) offset: usize,
    /// Identifies the property's node. Increases from node to node.
    pub(super) node: usize,
}

impl Property<'_> {
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

    /// Returns the error that the value of this property is invalid.
    pub(super) fn bad(&self, expected: &str) -> String {
        let found = excerpt(self.value());
        format!("{}[{found}]: expected {expected}", self.name)
    }
}

/// The main line of a game: the first branch at every variation.
#[derive(Debug)]
pub(super) struct MainLine<'a> {
    pub(super) properties: Vec<Property<'a>>,
    /// Byte offset after the `)` that ends the main line.
    pub(super) end: usize,
    /// The node before each bracket that is open before `end`, the outermost first.
    pub(super) branches: Vec<usize>,
    /// Missing bracket, or character that is not part of any property. The rest is not read.
    pub(super) fault: Option<RecordError>,
}

/// Parses the main line of the first game of `text`.
pub(super) fn main_line(text: &str) -> MainLine<'_> {
    let mut scanner = Scanner::at(text, 0);
    scanner.skip_white_space();
    let mut line = MainLine {
        properties: Vec::new(),
        end: 0,
        branches: Vec::new(),
        fault: None,
    };
    if scanner.peek() != Some('(') {
        line.fault = Some(scanner.syntax("'('"));
        return line;
    }
    loop {
        match scanner.next() {
            Ok(Part::Property(property)) => line.properties.push(property),
            Ok(Part::Open) => line.branches.push(scanner.node - 1),
            Ok(Part::Node) => {}
            Ok(Part::Close) => break,
            Err(error) => {
                line.fault = Some(error);
                break;
            }
        }
    }
    line.end = scanner.at;
    line
}

/// A record, read up to its first fault.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) game: Game,
    /// Number of moves in the main line, with those after the fault.
    pub(super) moves: usize,
    /// Byte offset after the record.
    pub(super) end: usize,
    pub(super) fault: Option<RecordError>,
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
    text: &'a str,
    pub(super) at: usize,
    /// Identifies the current node. Increases at each `(` and `;`.
    node: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn at(text: &'a str, at: usize) -> Scanner<'a> {
        Scanner { text, at, node: 0 }
    }

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
        self.node += usize::from(!matches!(part, Part::Close));
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
        Ok(Property {
            name: name.replace(|letter: char| letter.is_ascii_lowercase(), ""),
            values,
            offset,
            node: self.node,
        })
    }

    /// Parses the next `[value]` of a property. Returns `None` if there is no further value.
    fn next_value(&mut self) -> Result<Option<Cow<'a, str>>, RecordError> {
        self.skip_white_space();
        if self.peek() != Some('[') {
            return Ok(None);
        }
        self.at += 1;
        self.value().map(Some)
    }

    /// Parses a value up to its closing `]`. A backslash escapes the next character.
    fn value(&mut self) -> Result<Cow<'a, str>, RecordError> {
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
                return Ok(value);
            }
            if let Some(character) = self.peek() {
                value.to_mut().push(character);
                self.at += character.len_utf8();
            }
        }
    }
}

/// Returns the error that `expected` is missing at byte `offset` of `text`.
pub(super) fn unexpected(text: &str, offset: usize, expected: &str) -> RecordError {
    let found = text[offset..].chars().next();
    let found = found.map(|found| format!("found '{}'", found.escape_default()));
    let found = found.unwrap_or("the text ends".to_owned());
    RecordError::at(text, offset, format!("{found}, expected {expected}"))
}

/// Escapes `text` as a property value: `]`, backslashes, and `(;`, which looks like a record start.
pub(super) fn escaped(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    for character in text.chars() {
        let starts_record = character == ';' && value.ends_with('(');
        if starts_record || matches!(character, ']' | '\\') {
            value.push('\\');
        }
        value.push(character);
    }
    value
}

/// Returns the game name (`GM`) of the first record of `text`, or "" if it has none.
///
/// Returns `None` if `text` has no record. Before the first one may be other text.
pub(super) fn first_name(text: &str) -> Option<String> {
    let begin = text.trim_start_matches(|c: char| c.is_ascii_digit() || c.is_whitespace());
    let start = if is_start(begin) {
        begin
    } else {
        &text[first_certain(text)?..]
    };
    let (_, rest) = start.split_once("GM[").unwrap_or_default();
    let name = rest.split_once(']').map(|(name, _)| name.trim());
    Some(name.unwrap_or_default().to_owned())
}

/// Reads the games of a text with `read`.
pub(super) fn games(text: &str, read: fn(&str) -> Record) -> Vec<Result<Game, String>> {
    // Brackets outside the records belong to damaged ones.
    let is_damaged = |text: &str| text.contains(['[', ']', ';']);
    let records = records(text);
    let before = records.first().map_or(text, |(_, record)| {
        &text[..record.as_ptr().addr() - text.as_ptr().addr()]
    });
    let mut games = Vec::new();
    if is_damaged(before) {
        let found = excerpt(before.trim());
        games.push(Err(format!(
            "line 1: '{found}' is not part of a game (expected '(;')"
        )));
    }
    for (place, text) in records {
        let mut record = read(text);
        let rest = text[record.end..].trim_start();
        if record.fault.is_none() && is_damaged(rest) {
            let at = text.len() - rest.len();
            record.fault = Some(unexpected(text, at, "the end or another game"));
        }
        let (mut game, moves) = (record.game, record.moves);
        let fault = record.fault.map(|fault| fault.moved_to(place).to_string());
        games.push(match fault {
            Some(fault) if game.placed() == 0 => Err(fault),
            Some(fault) => {
                game.cut(format!("{fault}; {} of {moves} moves read", game.placed()));
                Ok(game)
            }
            None => Ok(game),
        });
    }
    games
}

/// Splits a text into its records, each with its line and column, from 1.
///
/// Text between two records belongs to the first one, except white space and digits.
/// The digits are the game count that precedes a GGF collection.
fn records(text: &str) -> Vec<((usize, usize), &str)> {
    let between = |c: char| c.is_ascii_digit() || c.is_whitespace();
    let mut records = Vec::new();
    let mut end = |start: Option<(_, usize)>, end| {
        let record = start.map(|(place, from)| (place, text[from..end].trim_end_matches(between)));
        records.extend(record);
    };
    let (mut start, mut depth, mut in_value, mut escaped) = (None, 0_u32, false, false);
    let mut place = (1, 1);
    let is_first = is_start(text.trim_start_matches(between));
    let first = if is_first {
        0
    } else {
        first_certain(text).unwrap_or(0)
    };
    for (at, character) in text.char_indices() {
        if at < first {
            place = after(place, character);
            continue;
        }
        let rest = &text[at..];
        // A certain start begins the next record even if the previous one lacks a bracket.
        let begins = character == '('
            && (depth == 0 && !in_value && is_start(rest) || is_certain_start(rest));
        if begins {
            end(start.replace((place, at)), at);
            (depth, in_value, escaped) = (0, false, false);
        }
        match character {
            _ if escaped => escaped = false,
            '\\' if in_value => escaped = true,
            ']' => in_value = false,
            _ if in_value => {}
            '[' => in_value = true,
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        place = after(place, character);
    }
    end(start, text.len());
    records
}

/// Returns whether `text` begins like a record or a variation, perhaps without the first `;`.
fn is_start(text: &str) -> bool {
    let Some(node) = text.strip_prefix('(').map(str::trim_start) else {
        return false;
    };
    let name = node
        .find(|c: char| !c.is_ascii_uppercase())
        .unwrap_or(node.len());
    node.starts_with(';') || name > 0 && node[name..].starts_with('[')
}

/// Returns whether `text` certainly begins a record: a variation never has `GM` or `FF`.
fn is_certain_start(text: &str) -> bool {
    CERTAIN.iter().any(|start| text.starts_with(start))
}

/// Returns the byte offset of the first record that is certain, and not in a header line.
fn first_certain(text: &str) -> Option<usize> {
    // A search for one character is much faster, and most large texts have none.
    text.find('(')?;
    let is_free = |at: &usize| {
        let line = text[..*at].rfind('\n').map_or(0, |end| end + 1);
        !text[line..].starts_with(['%', '#'])
    };
    let starts = CERTAIN.iter().filter_map(|start| {
        let mut places = text.match_indices(start).map(|(at, _)| at);
        places.find(is_free)
    });
    starts.min()
}

const CERTAIN: [&str; 4] = ["(;GM[", "(;FF[", "(GM[", "(FF["];
