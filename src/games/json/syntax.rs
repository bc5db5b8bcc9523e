//! Values of JSON with the bytes that they have. Other quotation marks, comments, commas at the end
//! and the words of Python are accepted, because people paste them.

use std::borrow::Cow;
use std::ops::Range;

/// Number of lists and objects within each other.
const MAX_DEPTH: usize = 32;

/// A value and its range of bytes.
#[derive(Debug)]
pub(super) struct Node<'t> {
    pub value: Value<'t>,
    pub range: Range<usize>,
    /// Length of a quotation mark of a text.
    quote: usize,
}

#[derive(Debug)]
pub(super) enum Value<'t> {
    Text(Cow<'t, str>),
    /// A number or a word.
    Other(&'t str),
    List(Vec<Node<'t>>),
    Object(Vec<(String, Node<'t>)>),
}

impl Node<'_> {
    /// Returns the range of a text without its quotation marks.
    pub(super) fn inside(&self) -> Range<usize> {
        self.range.start + self.quote..self.range.end - self.quote
    }

    /// Returns the members of an object.
    pub(super) fn members(&self) -> &[(String, Node<'_>)] {
        match &self.value {
            Value::Object(members) => members,
            _ => &[],
        }
    }

    /// Returns a text, a number, or nothing.
    pub(super) fn word(&self) -> String {
        match &self.value {
            Value::Text(text) => text.to_string(),
            Value::Other(word) if !matches!(*word, "null" | "None" | "true" | "false") => {
                (*word).to_owned()
            }
            _ => String::new(),
        }
    }
}

/// Byte offset of a fault, and what was expected there.
pub(super) type Fault = (usize, &'static str);

/// Parses the value at byte `at`, up to its first fault. Returns `None` if nothing of it is read.
pub(super) fn parse(text: &str, at: usize) -> Option<(Node<'_>, Option<Fault>)> {
    let mut parser = Parser {
        text,
        at,
        fault: None,
    };
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

    /// Takes a sign if it is next.
    fn take(&mut self, sign: char) -> bool {
        self.skip();
        let is_next = self.rest().starts_with(sign);
        self.at += if is_next { sign.len_utf8() } else { 0 };
        is_next
    }

    /// Parses a value. Of a list or an object with a fault, the part before it is returned.
    fn value(&mut self, depth: usize) -> Option<Node<'t>> {
        self.skip();
        let start = self.at;
        if depth == 0 {
            return self.fail("fewer levels");
        }
        let mut quote = 0;
        let value = if self.take('[') {
            Value::List(self.items(']', |parser| parser.value(depth - 1)))
        } else if self.take('{') {
            Value::Object(self.items('}', |parser| parser.member(depth - 1)))
        } else if let Some((open, close)) = self.quote() {
            quote = open;
            Value::Text(self.string(open, close)?)
        } else {
            let is_in = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
            let word = self.rest().trim_start_matches(is_in);
            let word = &self.rest()[..self.rest().len() - word.len()];
            if word.is_empty() {
                return self.fail("a value");
            }
            self.at += word.len();
            Value::Other(word)
        };
        let range = start..self.at;
        Some(Node {
            value,
            range,
            quote,
        })
    }

    /// Parses items with commas between them, up to `close`.
    fn items<T>(&mut self, close: char, mut item: impl FnMut(&mut Self) -> Option<T>) -> Vec<T> {
        let mut items = Vec::new();
        while !self.take(close) {
            match item(self) {
                Some(item) => items.push(item),
                None => break,
            }
            if self.fault.is_some() {
                break;
            }
            let is_end = !self.take(',');
            if is_end && !self.rest().starts_with(close) {
                let expected = if close == ']' {
                    "',' or ']'"
                } else {
                    "',' or '}'"
                };
                let _: Option<()> = self.fail(expected);
                break;
            }
        }
        items
    }

    fn member(&mut self, depth: usize) -> Option<(String, Node<'t>)> {
        self.skip();
        let key = if let Some((open, close)) = self.quote() {
            self.string(open, close)?.into_owned()
        } else {
            let is_in = |c: char| c.is_alphanumeric() || c == '_';
            let length = self.rest().len() - self.rest().trim_start_matches(is_in).len();
            let key = self.rest()[..length].to_owned();
            self.at += length;
            key
        };
        if key.is_empty() {
            return self.fail("a key");
        }
        if !self.take(':') {
            return self.fail("':'");
        }
        Some((key, self.value(depth)?))
    }

    /// Returns the length of the quotation mark that is next, and the mark that closes the text.
    fn quote(&self) -> Option<(usize, &'static str)> {
        const QUOTES: [(&str, &str); 5] = [
            ("\"", "\""),
            ("'", "'"),
            ("\u{201c}", "\u{201d}"),
            ("\u{201d}", "\u{201d}"),
            ("&quot;", "&quot;"),
        ];
        let quote = QUOTES
            .iter()
            .find(|(open, _)| self.rest().starts_with(open));
        quote.map(|(open, close)| (open.len(), *close))
    }

    /// Parses a text behind its quotation mark of `open` bytes.
    fn string(&mut self, open: usize, close: &str) -> Option<Cow<'t, str>> {
        self.at += open;
        let start = self.at;
        let mut text = Cow::default();
        let first = close.chars().next().unwrap_or('"');
        loop {
            let rest = self.rest();
            let end = rest.find([first, '\\', '\n']).unwrap_or(rest.len());
            text += &rest[..end];
            self.at += end;
            if rest[end..].starts_with(close) {
                self.at += close.len();
                return Some(text);
            } else if rest[end..].starts_with('\\') {
                self.at += 1;
                text.to_mut().extend(self.escape());
            } else if rest[end..].starts_with(first) {
                text.to_mut().push(first);
                self.at += first.len_utf8();
            } else {
                self.at = start;
                return self.fail("the end of this text");
            }
        }
    }

    /// Returns the letter of an escape.
    fn escape(&mut self) -> Option<char> {
        let letter = self.rest().chars().next()?;
        self.at += letter.len_utf8();
        if letter != 'u' {
            return Some(match letter {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'b' | 'f' => ' ',
                other => other,
            });
        }
        let high = self.unit()?;
        if !(0xd800..0xdc00).contains(&high) || !self.rest().starts_with("\\u") {
            return Some(char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        self.at += 2;
        let low = self.unit()?.wrapping_sub(0xdc00);
        let both = 0x1_0000 + ((high - 0xd800) << 10) + (low & 0x3ff);
        Some(char::from_u32(both).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    /// Parses four hexadecimal digits.
    fn unit(&mut self) -> Option<u32> {
        let unit = self
            .rest()
            .get(..4)
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())?;
        self.at += 4;
        Some(unit)
    }
}
