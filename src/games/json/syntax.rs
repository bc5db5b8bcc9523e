//! Parser of JSON values with their byte ranges. A text is a JSON string, and a member is a key of
//! an object with its value. The parser also accepts other quotation marks, comments, trailing
//! commas and the words of Python, because people paste such texts.

use std::borrow::Cow;
use std::ops::Range;

use crate::words;

/// Maximum depth of nested lists and objects.
const MAX_DEPTH: usize = 32;

/// A value and its range of bytes.
#[derive(Debug)]
pub(super) struct Node<'t> {
    pub value: Value<'t>,
    pub range: Range<usize>,
    /// Byte range of a text without its quotation marks. Empty for other values.
    pub inside: Range<usize>,
}

#[derive(Debug)]
pub(super) enum Value<'t> {
    Text(Cow<'t, str>),
    /// A number, or a word such as `null` or `None`.
    Other(&'t str),
    List(Vec<Node<'t>>),
    Object(Vec<Member<'t>>),
}

#[derive(Debug)]
pub(super) struct Member<'t> {
    pub key: String,
    pub node: Node<'t>,
    /// Byte offset of the key.
    pub at: usize,
}

impl<'t> Node<'t> {
    /// Returns the members of an object, none for other values.
    pub(super) fn members(&self) -> &[Member<'t>] {
        match &self.value {
            Value::Object(members) => members,
            _ => &[],
        }
    }

    /// Returns a text or a number as a text, and an empty text for any other value.
    pub(super) fn word(&self) -> &str {
        match &self.value {
            Value::Text(text) => text,
            Value::Other(word) if !matches!(*word, "null" | "None" | "true" | "false") => word,
            _ => "",
        }
    }
}

/// Byte offset of a syntax error, and what was expected there.
pub(super) type Fault = (usize, &'static str);

/// Parses the value at byte `at`, up to its first syntax error. Returns `None` if no part of the
/// value is valid.
pub(super) fn parse(text: &str, at: usize) -> Option<(Node<'_>, Option<Fault>)> {
    let fault = None;
    let mut parser = Parser { text, at, fault };
    let node = parser.value(MAX_DEPTH)?;
    Some((node, parser.fault))
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    fault: Option<Fault>,
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn fail<T>(&mut self, expected: &'static str) -> Option<T> {
        self.fault.get_or_insert((self.at, expected));
        None
    }

    /// Skips white space and comments.
    fn skip(&mut self) {
        loop {
            let rest = self.rest().trim_start();
            self.at = self.text.len() - rest.len();
            if !rest.starts_with("//") {
                break;
            }
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
    }

    /// Consumes `sign` if it is next, and returns whether it is.
    fn take(&mut self, sign: char) -> bool {
        self.skip();
        let is_next = self.rest().starts_with(sign);
        self.at += if is_next { sign.len_utf8() } else { 0 };
        is_next
    }

    /// Consumes and returns the next characters that satisfy `is_in`.
    fn take_while(&mut self, is_in: impl Fn(char) -> bool) -> &'t str {
        let start = self.at;
        self.at = self.text.len() - self.rest().trim_start_matches(is_in).len();
        &self.text[start..self.at]
    }

    /// Parses a value. If a list or an object has a syntax error, it is returned with the items or
    /// members before the error.
    fn value(&mut self, depth: usize) -> Option<Node<'t>> {
        self.skip();
        let start = self.at;
        if depth == 0 {
            return self.fail("fewer levels");
        }
        let mut inside = start..start;
        let value = if self.take('[') {
            Value::List(self.items(']', "',' or ']'", |parser| parser.value(depth - 1)))
        } else if self.take('{') {
            Value::Object(self.items('}', "',' or '}'", |parser| parser.member(depth - 1)))
        } else if let Some(range) = self.string() {
            inside = range?;
            Value::Text(unescaped(&self.text[inside.clone()]))
        } else {
            let is_in = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
            let word = self.take_while(is_in);
            if word.is_empty() {
                return self.fail("a value");
            }
            Value::Other(word)
        };
        let range = start..self.at;
        Some(Node {
            value,
            range,
            inside,
        })
    }

    /// Parses items with commas between them, up to `close`.
    fn items<T>(
        &mut self,
        close: char,
        expected: &'static str,
        mut item: impl FnMut(&mut Self) -> Option<T>,
    ) -> Vec<T> {
        let mut items = Vec::new();
        while !self.take(close) {
            items.extend(item(self));
            if self.fault.is_some() {
                break;
            }
            if !self.take(',') && !self.rest().starts_with(close) {
                let _: Option<()> = self.fail(expected);
                break;
            }
        }
        items
    }

    fn member(&mut self, depth: usize) -> Option<Member<'t>> {
        self.skip();
        let at = self.at;
        let key = match self.string() {
            Some(range) => unescaped(&self.text[range?]).into_owned(),
            None => self
                .take_while(|c| c.is_alphanumeric() || c == '_')
                .to_owned(),
        };
        if key.is_empty() {
            return self.fail("a key");
        }
        if !self.take(':') {
            return self.fail("':'");
        }
        let node = self.value(depth)?;
        Some(Member { key, node, at })
    }

    /// Reads a text in quotation marks and returns its range without the marks. Returns `None` if
    /// no quotation mark is next, and `Some(None)` if the text does not end on its line.
    #[expect(
        clippy::option_option,
        reason = "a value of another kind is no fault, a text without an end is one"
    )]
    fn string(&mut self) -> Option<Option<Range<usize>>> {
        let (open, close) = words::quote(self.rest())?;
        self.at += open.len();
        let start = self.at;
        let (mut is_escaped, mut length) = (false, None);
        for (at, letter) in self.rest().char_indices() {
            if !is_escaped && self.rest()[at..].starts_with(close) {
                length = Some(at);
                break;
            }
            if letter == '\n' {
                break;
            }
            is_escaped = letter == '\\' && !is_escaped;
        }
        let Some(length) = length else {
            return Some(self.fail("the end of this text"));
        };
        self.at += length + close.len();
        Some(Some(start..start + length))
    }
}

/// Resolves the escapes of a text.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let plain = text
        .replace("\\'", "'")
        .replace("\\\"", "\"")
        .replace('"', "\\\"");
    let read = serde_json::from_str::<String>(&format!("\"{plain}\""));
    // Control characters become spaces: text files contain none of them except white space.
    let is_control = |c: char| c.is_control() && !c.is_whitespace();
    read.map_or(Cow::Borrowed(text), |read| {
        Cow::Owned(read.replace(is_control, " "))
    })
}
