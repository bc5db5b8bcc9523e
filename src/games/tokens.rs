//! Tokens of a text that may belong to a game: squares and results, with move numbers.
//!
//! The marks between them are ignored: commas, dashes, dots, quotation marks of a mail, tags of
//! HTML, columns of a table. So are passes, which the rules imply. Words are ignored, but noted.

use bitflags::bitflags;
use emilia_core::board::Square;

/// Fewest squares in one word, such as `xf5d6c3d3`, that count as moves.
const FEWEST_IN_WORD: usize = 4;

/// Largest move number. Greater numbers mean something else.
const MAX_NUMBER: u16 = 120;

/// Before a square in PGN of chess programs, whose first rank is the lowest.
const DROP: &[u8] = b"P@";

const ELLIPSIS: &[u8] = "\u{2026}".as_bytes();

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Square(Square),
    /// Result of a game: the discs of both sides, or 1-0, 0-1. 0-0 is the sign `*`.
    Result(u8, u8),
    /// Letters that look like a square but are none, such as `i9`.
    Bad([u8; 2]),
}

bitflags! {
    /// What is before a token.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) struct Before: u8 {
        /// A word that is no move. At the start of a line, it may be after the token.
        const WORD = 1;
        /// The start of a line.
        const LINE = 1 << 1;
        /// Another move, without any character between.
        const MOVE = 1 << 2;
        /// An open bracket, as around a comment.
        const BRACKET = 1 << 3;
        /// The move number 1, where a game begins.
        const ONE = 1 << 4;
    }
}

/// A square or result in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: Kind,
    pub before: Before,
    /// Last move number before the token, 0 if there is none.
    pub number: u16,
    /// Line of the token, from 0.
    pub line: u32,
}

impl Token {
    /// Returns the square of the token.
    pub(super) fn square(&self) -> Option<Square> {
        match self.kind {
            Kind::Square(square) => Some(square),
            _ => None,
        }
    }

    /// Returns whether the token is a square, or one misspelt.
    pub(super) fn is_move(&self) -> bool {
        !matches!(self.kind, Kind::Result(..))
    }
}

/// Returns the tokens of a text. Lines that begin with `%` or `#` are comments.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    Scanner::scan(text).tokens
}

/// Returns whether a text has squares, and else only passes, numbers and marks. Squares may be
/// misspelt.
pub(super) fn is_moves(text: &str) -> bool {
    let scanner = Scanner::scan(text);
    let is_move = |token: &Token| token.is_move() && !token.before.contains(Before::WORD);
    let has_square = scanner.tokens.iter().any(|token| token.square().is_some());
    has_square && scanner.tokens.iter().all(is_move) && !scanner.before.contains(Before::WORD)
}

/// Scanner state.
struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    before: Before,
    number: u16,
    /// Number of open brackets.
    brackets: u32,
    line: u32,
    tokens: Vec<Token>,
}

impl<'a> Scanner<'a> {
    /// Scans a text to its end.
    fn scan(text: &'a str) -> Scanner<'a> {
        let mut scanner = Scanner {
            bytes: text.as_bytes(),
            at: 0,
            before: Before::LINE,
            number: 0,
            brackets: 0,
            line: 0,
            tokens: Vec::new(),
        };
        scanner.skip_comment();
        while let Some(byte) = scanner.byte(0) {
            scanner.step(byte);
        }
        scanner
    }

    fn byte(&self, offset: usize) -> Option<u8> {
        self.bytes.get(self.at + offset).copied()
    }

    /// Returns the length of the bytes from `start` on, relative to here, for which `is` holds.
    fn length(&self, start: usize, is: impl Fn(&u8) -> bool) -> usize {
        let bytes = self.bytes.get(self.at + start..).unwrap_or_default();
        bytes.iter().take_while(|byte| is(byte)).count()
    }

    fn push(&mut self, kind: Kind) {
        self.before.set(Before::BRACKET, self.brackets > 0);
        self.tokens.push(Token {
            kind,
            before: self.before,
            number: self.number,
            line: self.line,
        });
        self.before = Before::empty();
    }

    /// Scans what begins at this byte.
    fn step(&mut self, byte: u8) {
        match byte {
            b'\n' => {
                (self.at, self.line) = (self.at + 1, self.line + 1);
                self.before |= Before::LINE;
                self.skip_comment();
            }
            b'0'..=b'9' => self.number(),
            _ if byte.is_ascii_alphabetic() => self.word(),
            b'<' => {
                // The name of a tag, as in `<h1>`. Its attributes may hold moves.
                let slash = usize::from(self.byte(1) == Some(b'/'));
                self.at += 1 + slash + self.length(1 + slash, u8::is_ascii_alphanumeric);
            }
            // An escape of a link, as `%20`.
            b'%' if self.length(1, u8::is_ascii_hexdigit) >= 2 => self.at += 3,
            b'&' => {
                let name = self.length(1, |byte| byte.is_ascii_alphanumeric() || *byte == b'#');
                let is_entity = name <= 8 && self.byte(1 + name) == Some(b';');
                self.at += if is_entity { name + 2 } else { 1 };
            }
            // Not the sign before an item of a list.
            b'*' => {
                let is_alone = self.length(0, |next| !next.is_ascii_whitespace()) == 1
                    && self.bytes[..self.at]
                        .last()
                        .is_some_and(u8::is_ascii_whitespace);
                if is_alone && !self.before.contains(Before::LINE) {
                    self.push(Kind::Result(0, 0));
                }
                self.at += 1;
            }
            b'(' | b'{' => (self.at, self.brackets) = (self.at + 1, self.brackets + 1),
            b')' | b'}' => {
                (self.at, self.brackets) = (self.at + 1, self.brackets.saturating_sub(1));
            }
            0x80.. => self.other_letter(),
            _ => self.at += 1,
        }
    }

    /// Skips a line that is a comment.
    fn skip_comment(&mut self) {
        if matches!(self.byte(0), Some(b'%' | b'#')) {
            self.at += self.length(0, |byte| *byte != b'\n');
        }
    }

    /// Skips a character beyond ASCII.
    fn other_letter(&mut self) {
        let length = 1 + self.length(1, |byte| byte & 0xC0 == 0x80);
        let bytes = &self.bytes[self.at..self.at + length];
        let letter = str::from_utf8(bytes)
            .ok()
            .and_then(|text| text.chars().next());
        if letter.is_some_and(char::is_alphabetic) {
            self.note_word(true);
        }
        self.at += length;
    }

    /// Scans a number: of a move, or the first part of a result.
    fn number(&mut self) {
        let digits = self.length(0, u8::is_ascii_digit);
        if let Some((result, length)) = result(&self.bytes[self.at..]) {
            self.push(result);
            self.at += length;
            return;
        }
        let dots = self.length(digits, |byte| *byte == b'.');
        let next = self.byte(digits + dots);
        let is_digit = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_digit());
        let has_sign = matches!(next, Some(b'-' | b'/' | b':'));
        if dots <= 1 && is_digit(next) || dots == 0 && has_sign && is_digit(self.byte(digits + 1)) {
            // A decimal, a date or a time.
            let is_in = |byte: &u8| byte.is_ascii_digit() || b".-/:".contains(byte);
            self.at += self.length(0, is_in);
            return;
        }
        let text = str::from_utf8(&self.bytes[self.at..self.at + digits]);
        let number = text.ok().and_then(|text| text.parse().ok());
        if let Some(number @ 1..=MAX_NUMBER) = number {
            let is_marked = dots == 1
                || self.before.contains(Before::LINE)
                || matches!(next, Some(b')' | b'|' | b'\t'));
            // `1...` precedes White's half.
            let is_half = dots > 1 || self.bytes[self.at + digits..].starts_with(ELLIPSIS);
            self.before
                .set(Before::ONE, number == 1 && is_marked && !is_half);
            self.number = number;
        }
        self.at += digits + dots;
    }

    /// Scans letters and digits: moves, or a word in which there may be moves.
    fn word(&mut self) {
        let length = self.length(0, u8::is_ascii_alphanumeric);
        let (before, word) = self.bytes[..self.at + length].split_at(self.at);
        self.at += length;
        if before.ends_with(DROP)
            && let Some(square) = square(word)
        {
            self.push(Kind::Square(Square::at(square.file(), 7 - square.rank())));
            return;
        }
        if self.moves(word) {
            return;
        }
        if let [first, second @ b'0'..=b'9'] = *word {
            self.push(Kind::Bad([first, second]));
            return;
        }
        let mut rest = word;
        let mut is_word = length > 1;
        while rest.len() > 1 {
            let squares = rest.chunks_exact(2).map_while(square).count();
            if squares < FEWEST_IN_WORD {
                rest = &rest[1..];
                is_word = true;
                continue;
            }
            self.note_word(is_word && rest.len() < length);
            self.moves(&rest[..2 * squares]);
            rest = &rest[2 * squares..];
            if rest.iter().any(u8::is_ascii_digit) {
                rest = self.broken(rest);
            }
            is_word = !rest.is_empty();
        }
        self.note_word(is_word);
    }

    /// Adds the pairs of letters up to the end of a word in which something is no square.
    fn broken<'w>(&mut self, word: &'w [u8]) -> &'w [u8] {
        for pair in word.chunks_exact(2) {
            self.push(square(pair).map_or(Kind::Bad([pair[0], pair[1]]), Kind::Square));
        }
        &[]
    }

    /// Notes a word: before the next token, and after the last one if that begins the line.
    fn note_word(&mut self, is_word: bool) {
        if !is_word {
            return;
        }
        self.before |= Before::WORD;
        if let Some(last) = self.tokens.last_mut()
            && last.line == self.line
            && last.before.contains(Before::LINE)
        {
            last.before |= Before::WORD;
        }
    }

    /// Adds the moves of a word. Returns `false` if the word has anything else.
    fn moves(&mut self, word: &[u8]) -> bool {
        let count = self.tokens.len();
        let (first, mut rest) = (self.before, word);
        while !rest.is_empty() {
            let passes: [&[u8]; 3] = [b"pass", b"pa", b"ps"];
            let is_next = |pass: &&&[u8]| {
                let start = rest.get(..pass.len());
                start.is_some_and(|start| start.eq_ignore_ascii_case(pass))
            };
            if let Some(square) = rest.get(..2).and_then(square) {
                self.before.set(Before::MOVE, self.tokens.len() > count);
                self.push(Kind::Square(square));
                rest = &rest[2..];
            } else if let Some(pass) = passes.iter().find(is_next) {
                rest = &rest[pass.len()..];
            } else {
                self.tokens.truncate(count);
                self.before = first;
                return false;
            }
        }
        true
    }
}

/// Parses two bytes as a square.
fn square(bytes: &[u8]) -> Option<Square> {
    match *bytes {
        [file, rank @ b'1'..=b'8'] => {
            let file = file.to_ascii_lowercase();
            (b'a'..=b'h')
                .contains(&file)
                .then(|| Square::at(file - b'a', rank - b'1'))
        }
        _ => None,
    }
}

/// Parses a result at the start of a text: `37-27`, `1-0`, `0-1` or `1/2-1/2`, and its length.
fn result(text: &[u8]) -> Option<(Kind, usize)> {
    const DRAW: &[u8] = b"1/2-1/2";
    if text.starts_with(DRAW) {
        return Some((Kind::Result(32, 32), DRAW.len()));
    }
    let number = |text: &[u8]| {
        let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let digits = str::from_utf8(&text[..length]).ok()?;
        Some((digits.parse::<u8>().ok()?, length))
    };
    let (black, first) = number(text)?;
    let rest = &text[first..];
    let signs: [&[u8]; 4] = [b"-", b" - ", "\u{2013}".as_bytes(), "\u{2212}".as_bytes()];
    let sign = signs.iter().find(|sign| rest.starts_with(sign))?;
    let (white, second) = number(&rest[sign.len()..])?;
    let length = first + sign.len() + second;
    let rest = text.get(length..).unwrap_or_default();
    let is_end = !matches!(
        rest,
        [b'-' | b'/' | b'a'..=b'z' | b'A'..=b'Z', ..] | [b':', b'0'..=b'9', ..]
    );
    let is_result =
        u16::from(black) + u16::from(white) == 64 || matches!((black, white), (1, 0) | (0, 1));
    (is_end && is_result).then_some((Kind::Result(black, white), length))
}
