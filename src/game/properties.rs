//! The common ground of SGF and GGF: trees of nodes of properties, `(;NAME[value][value]…;…)`.

use super::error::Place;
use super::{RecordError, RecordProblem};

/// The pieces of a record in the order of the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// `(`
    Open,
    /// `)`
    Close,
    /// `;`
    Node,
    /// `NAME[value]…`
    Property(Property),
}

/// A property with its values, at least one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Property {
    /// The name in capitals; small letters, which old files have, are left out.
    pub(super) name: String,
    /// The values, escapes resolved.
    pub(super) values: Vec<String>,
    /// Where it begins, in characters from the start of the text.
    pub(super) offset: usize,
}

impl Property {
    /// The first value.
    pub(super) fn value(&self) -> &str {
        self.values.first().map_or("", String::as_str)
    }

    /// That this value is not what it should be.
    pub(super) fn bad(&self, expected: &'static str) -> RecordProblem {
        RecordProblem::Value {
            property: self.name.clone(),
            found: self.value().to_owned(),
            expected,
        }
    }
}

/// The tokens of the first game of `text`, from its `(` to the `)` that closes the main line, which is the first branch
/// wherever there are several; and how many characters of the text end there.
///
/// # Errors
/// If brackets are missing or a character belongs to nothing.
pub(super) fn main_line(text: &str) -> Result<(Vec<Token>, usize), RecordError> {
    let mut scanner = Scanner {
        text,
        characters: text.chars().collect(),
        at: 0,
    };
    scanner.skip_white_space();
    if scanner.peek() != Some('(') {
        return Err(scanner.syntax("'('"));
    }
    let mut tokens = Vec::new();
    while tokens.last() != Some(&Token::Close) {
        tokens.push(scanner.token()?);
    }
    Ok((tokens, scanner.at))
}

struct Scanner<'a> {
    text: &'a str,
    characters: Vec<char>,
    at: usize,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn skip_white_space(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    fn syntax(&self, expected: &'static str) -> RecordError {
        let found = self.peek();
        RecordError::at(
            self.text,
            self.at,
            RecordProblem::Syntax { found, expected },
        )
    }

    fn token(&mut self) -> Result<Token, RecordError> {
        self.skip_white_space();
        let token = match self.peek() {
            Some('(') => Token::Open,
            Some(')') => Token::Close,
            Some(';') => Token::Node,
            Some(letter) if letter.is_ascii_alphabetic() => {
                return self.property().map(Token::Property);
            }
            _ => return Err(self.syntax("a property, ';' or ')'")),
        };
        self.at += 1;
        Ok(token)
    }

    fn property(&mut self) -> Result<Property, RecordError> {
        let offset = self.at;
        let mut name = String::new();
        while let Some(letter) = self.peek().filter(char::is_ascii_alphabetic) {
            if letter.is_ascii_uppercase() {
                name.push(letter);
            }
            self.at += 1;
        }
        let mut values = Vec::new();
        self.skip_white_space();
        while self.peek() == Some('[') {
            self.at += 1;
            values.push(self.value()?);
            self.skip_white_space();
        }
        if values.is_empty() {
            return Err(self.syntax("'['"));
        }
        Ok(Property {
            name,
            values,
            offset,
        })
    }

    /// The value up to its `]`; a backslash takes the next character as it is.
    fn value(&mut self) -> Result<String, RecordError> {
        let mut value = String::new();
        loop {
            match self.peek() {
                Some(']') => {
                    self.at += 1;
                    return Ok(value);
                }
                Some('\\') => {
                    self.at += 1;
                    value.extend(self.peek());
                }
                Some(character) => value.push(character),
                None => return Err(self.syntax("']'")),
            }
            self.at += 1;
        }
    }
}

/// `text` as the value of a property: closing brackets and backslashes escaped.
pub(super) fn escaped(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, ']' | '\\') {
            value.push('\\');
        }
        value.push(character);
    }
    value
}

/// What the first record of a text says of the game (`GM`); `None` if the text does not begin with a record, empty if it does
/// not say.
pub(super) fn first_name(text: &str) -> Option<String> {
    let start = text.trim_start_matches(|c: char| c.is_ascii_digit() || c.is_whitespace());
    if !start.starts_with('(') {
        return None;
    }
    let property = |name: &str| {
        let (_, rest) = start.split_once(name)?;
        let (value, _) = rest.split_once(']')?;
        Some(value.trim().to_owned())
    };
    Some(property("GM[").unwrap_or_default())
}

/// The records of a text that may hold several, each with its place. What stands between them belongs to the one before, but
/// for white space and digits: collections of GGF begin with the number of their games.
pub(super) fn records(text: &str) -> Vec<(Place, &str)> {
    let mut records = Vec::new();
    let (mut start, mut depth, mut in_value, mut escaped) = (None, 0_u32, false, false);
    let mut place = Place { line: 1, column: 1 };
    for (at, character) in text.char_indices() {
        let rest = &text[at..];
        // Such a beginning is that of the next record even where a bracket is missing in the one before.
        let begins = character == '(' && (depth == 0 && !in_value || is_certain_start(rest));
        if begins {
            if let Some((place, from)) = start.replace((place, at)) {
                push_record(&mut records, place, &text[from..at]);
            }
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
        place = match character {
            '\n' => Place {
                line: place.line + 1,
                column: 1,
            },
            _ => Place {
                column: place.column + 1,
                ..place
            },
        };
    }
    if let Some((place, from)) = start {
        push_record(&mut records, place, &text[from..]);
    }
    records
}

/// Whether a record begins here for certain: no variation says which game it is of.
fn is_certain_start(text: &str) -> bool {
    ["(;GM[", "(;FF["]
        .iter()
        .any(|start| text.starts_with(start))
}

fn push_record<'a>(records: &mut Vec<(Place, &'a str)>, place: Place, text: &'a str) {
    let end = text.trim_end_matches(|c: char| c.is_ascii_digit() || c.is_whitespace());
    records.push((place, end));
}
