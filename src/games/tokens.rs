//! Tokens of a text that may hold games: squares, passes, results, and whatever else stands there.
//!
//! Marks between the tokens are decoration: commas, dots, quotation marks of a mail, tags of HTML,
//! columns of a table, times, dates, evaluations such as `+08`. Everything with a letter is a
//! token, so that no reader skips a damaged move unseen. A number belongs to the token after it.

use bitflags::bitflags;
use emilia_core::board::{Position, Square};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Square(Square),
    Pass,
    /// Result of a game: the discs of both sides, or 1-0, 0-1. 0-0 is the sign `*`.
    Result(u8, u8),
    /// Letters and digits that may be a damaged square: `i3`, `5f`, `gc3`, `d`.
    Bad,
    /// A word.
    Word,
    /// The end of the text.
    End,
}

bitflags! {
    /// What is before a token.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) struct Before: u8 {
        /// The start of a line.
        const LINE = 1;
        /// Another move, without any character between.
        const MOVE = 1 << 1;
        /// The move number 1, where a game begins.
        const ONE = 1 << 2;
        /// A mark within a link or before a value: `=`, `/`, `#`, `?`, `&`, `:` or a backquote.
        const MARK = 1 << 3;
        /// Not before it: the token is a square within prose.
        const PROSE = 1 << 4;
        /// Two numbers, of which one may be a damaged square.
        const TWO = 1 << 5;
        /// Not before it: the token is a word of letters beyond ASCII, never a damaged square.
        const FOREIGN = 1 << 6;
    }
}

/// A token of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: Kind,
    pub before: Before,
    /// Move number directly before the token, 0 if there is none.
    pub number: u16,
    /// Line of the token, from 0.
    pub line: u32,
    /// Byte offset and length.
    pub start: u32,
    pub length: u16,
    /// Identifies the innermost pair of round or curly brackets around the token, 0 without any.
    pub bracket: u32,
}

impl Token {
    /// Returns the square of the token.
    pub(super) fn square(&self) -> Option<Square> {
        match self.kind {
            Kind::Square(square) => Some(square),
            _ => None,
        }
    }

    /// Returns whether the token is a move or a pass, or may be a damaged one.
    pub(super) fn is_move(&self) -> bool {
        matches!(self.kind, Kind::Square(_) | Kind::Pass | Kind::Bad)
            && !self.before.contains(Before::PROSE)
    }

    /// Returns whether the token is a word, or a square within prose.
    pub(super) fn is_word(&self) -> bool {
        self.kind == Kind::Word || self.before.contains(Before::PROSE)
    }

    /// Returns whether the token is a word too short to be told from a damaged square.
    pub(super) fn is_short_word(&self) -> bool {
        let is_word = self.kind == Kind::Word && !self.before.contains(Before::FOREIGN);
        is_word && self.length <= 3
    }

    /// Returns whether the token is a short word that no language has: it is without a vowel.
    pub(super) fn is_no_word(&self, text: &str) -> bool {
        let is_vowel = |letter: char| "aeiouy".contains(letter.to_ascii_lowercase());
        self.is_short_word() && !self.text(text).contains(is_vowel)
    }

    /// Returns the text of the token.
    pub(super) fn text<'t>(&self, text: &'t str) -> &'t str {
        let start = self.start as usize;
        text.get(start..start + usize::from(self.length))
            .unwrap_or_default()
    }
}

/// Returns the tokens of a text, without lines that begin with `%` or `#`. The last one is
/// [`Kind::End`].
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut scanner = Scanner {
        text,
        bytes: text.as_bytes(),
        at: 0,
        before: Before::LINE,
        number: 0,
        line: 0,
        open: Vec::new(),
        brackets: 0,
        tokens: Vec::new(),
    };
    scanner.skip_comment();
    while let Some(byte) = scanner.byte(0) {
        scanner.step(byte);
    }
    scanner.push(Kind::End, 0);
    mark_prose(&mut scanner.tokens);
    scanner.tokens
}

/// Marks the squares of lines with words and no more than two moves, unless these have numbers. A
/// single short word may be a damaged square, and makes no prose.
fn mark_prose(tokens: &mut [Token]) {
    for line in tokens.chunk_by_mut(|left, right| left.line == right.line) {
        let words = line.iter().filter(|token| token.kind == Kind::Word);
        let is_prose = words.clone().count() > 1 || words.clone().any(|word| !word.is_short_word());
        let moves = line.iter().filter(|token| token.is_move()).count();
        let has_number = line.iter().any(|token| token.is_move() && token.number > 0);
        if is_prose && moves <= 2 && !has_number {
            for token in line.iter_mut().filter(|token| token.is_move()) {
                token.before |= Before::PROSE;
            }
        }
    }
}

/// Scanner state.
struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    before: Before,
    number: u16,
    line: u32,
    /// Open brackets: the closing sign, and the number of tokens before.
    open: Vec<(u8, usize)>,
    /// Number of pairs of brackets.
    brackets: u32,
    tokens: Vec<Token>,
}

impl Scanner<'_> {
    fn byte(&self, offset: usize) -> Option<u8> {
        self.bytes.get(self.at + offset).copied()
    }

    /// Returns the length of the bytes from `start` on, relative to here, for which `is` holds.
    fn length(&self, start: usize, is: impl Fn(&u8) -> bool) -> usize {
        let bytes = self.bytes.get(self.at + start..).unwrap_or_default();
        bytes.iter().take_while(|byte| is(byte)).count()
    }

    /// Adds the token of `length` bytes at this place, and goes on behind it.
    fn push(&mut self, kind: Kind, length: usize) {
        if self.at > 0 && b"=/#?&:`".contains(&self.bytes[self.at - 1]) {
            self.before |= Before::MARK;
        }
        self.tokens.push(Token {
            kind,
            before: self.before,
            number: self.number,
            line: self.line,
            start: self.at as u32,
            length: length.min(usize::from(u16::MAX)) as u16,
            bracket: 0,
        });
        (self.before, self.number) = (Before::empty(), 0);
        self.at += length;
    }

    /// Scans what begins at this byte.
    fn step(&mut self, byte: u8) {
        match byte {
            b'\n' => {
                (self.at, self.line) = (self.at + 1, self.line + 1);
                self.before |= Before::LINE;
                if matches!(self.byte(0), Some(b'\n' | b'\r')) {
                    // Brackets end with their paragraph.
                    self.open.clear();
                }
                self.skip_comment();
            }
            // Before a square in PGN of chess programs, whose first rank is the lowest.
            b'P' if self.byte(1) == Some(b'@') => self.drop(),
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
                let before = self.bytes[..self.at].last();
                let is_alone = self.length(0, |next| !next.is_ascii_whitespace()) == 1
                    && before.is_some_and(u8::is_ascii_whitespace);
                let is_item = self.before.contains(Before::LINE) && self.byte(1) == Some(b' ');
                if is_alone && !is_item {
                    self.push(Kind::Result(0, 0), 1);
                } else {
                    self.at += 1;
                }
            }
            b'-' => match self.length(0, |byte| *byte == b'-') {
                2 => self.push(Kind::Pass, 2),
                hyphens => self.at += hyphens,
            },
            b'(' | b'{' => {
                let close = if byte == b'(' { b')' } else { b'}' };
                self.open.push((close, self.tokens.len()));
                self.at += 1;
            }
            b')' | b'}' => self.close(byte),
            0x80.. => self.other_letters(),
            _ => self.at += 1,
        }
    }

    /// Skips a line that is a comment.
    fn skip_comment(&mut self) {
        if matches!(self.byte(0), Some(b'%' | b'#')) {
            self.at += self.length(0, |byte| *byte != b'\n');
        }
    }

    /// Notes the pair of brackets that ends here. A bracket without another one is decoration.
    fn close(&mut self, sign: u8) {
        self.at += 1;
        let Some(open) = self.open.iter().rposition(|(close, _)| *close == sign) else {
            return;
        };
        let first = self.open[open].1;
        self.open.truncate(open);
        self.brackets += 1;
        let inside = self.tokens[first..].iter_mut();
        for token in inside.filter(|token| token.bracket == 0) {
            token.bracket = self.brackets;
        }
    }

    /// Scans letters beyond ASCII.
    fn other_letters(&mut self) {
        let is_other = |letter: &char| !letter.is_ascii() && letter.is_alphabetic();
        let rest = &self.text[self.at..];
        let word: usize = rest.chars().take_while(is_other).map(char::len_utf8).sum();
        match word {
            0 => self.at += rest.chars().next().map_or(1, char::len_utf8),
            length => {
                self.before |= Before::FOREIGN;
                self.push(Kind::Word, length);
            }
        }
    }

    /// Scans a number: of a move, or the first part of a result.
    fn number(&mut self) {
        let digits = self.length(0, u8::is_ascii_digit);
        if let Some((result, length)) = result(&self.bytes[self.at..]) {
            self.push(result, length);
            return;
        }
        let next = self.byte(digits);
        if next.is_some_and(|next| next.is_ascii_alphabetic()) {
            return self.word();
        }
        let dots = self.length(digits, |byte| *byte == b'.');
        let next = self.byte(digits + dots);
        let is_digit = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_digit());
        let has_sign = matches!(next, Some(b'-' | b'/' | b':'));
        let before = &self.bytes[..self.at];
        let is_signed = matches!(*before, [.., before, b'+' | b'-'] if !before.is_ascii_alphanumeric())
            || matches!(*before, [b'+' | b'-']);
        if is_signed
            || dots <= 1 && is_digit(next)
            || dots == 0 && has_sign && is_digit(self.byte(digits + 1))
        {
            // A decimal, a date, a time or an evaluation.
            let is_in = |byte: &u8| byte.is_ascii_digit() || b".-/:".contains(byte);
            self.at += self.length(0, is_in);
            return;
        }
        let number = self.text[self.at..self.at + digits].parse();
        let number = number.unwrap_or(u16::MAX);
        let is_marked = dots == 1
            || self.before.contains(Before::LINE)
            || matches!(next, Some(b')' | b'|' | b'\t'));
        // `1...` precedes White's half.
        let is_half = dots > 1 || self.bytes[self.at + digits..].starts_with("\u{2026}".as_bytes());
        self.before
            .set(Before::ONE, number == 1 && is_marked && !is_half);
        // A number after a word is no damaged move.
        let is_after_move = self.tokens.last().is_some_and(Token::is_move);
        self.before
            .set(Before::TWO, self.number > 0 && is_after_move);
        self.number = number;
        self.at += digits + dots;
    }

    fn drop(&mut self) {
        let length = self.length(2, u8::is_ascii_alphanumeric);
        let word = &self.bytes[self.at + 2..self.at + 2 + length];
        match square(word) {
            Some(square) => self.push(Kind::Square(mirrored(square)), 2 + length),
            None => self.push(Kind::Bad, 2 + length),
        }
    }

    /// Scans letters and digits: moves, a damaged move, or a word.
    fn word(&mut self) {
        let length = self.length(0, u8::is_ascii_alphanumeric);
        let word = &self.bytes[self.at..self.at + length];
        let has_digit = word.iter().any(u8::is_ascii_digit);
        let pairs = word.windows(2);
        let squares = pairs.filter(|pair| square(pair).is_some()).count();
        let (moves, read) = moves(word);
        let is_moves = read > 0 && (read == length || has_digit) || squares > 1;
        if !is_moves || read == 0 && length <= 4 {
            let is_bad = match word {
                [letter] => matches!(letter, b'a'..=b'h' | b'A'..=b'H'),
                _ => has_digit && length <= 4,
            };
            self.push(if is_bad { Kind::Bad } else { Kind::Word }, length);
            return;
        }
        self.push_moves(&moves, false);
        let rest = &word[read..];
        // A number may follow without a blank: `1.f5d62.c3`. It is one only before a move.
        let after = &self.text[self.at + rest.len()..];
        let next = after.trim_start_matches(|c: char| c == '.' || c.is_whitespace());
        let next = &next.as_bytes()[..next.len().min(4)];
        let is_number = rest.iter().all(u8::is_ascii_digit)
            && after.starts_with('.')
            && (next.starts_with(b"--") || self::moves(next).1 > 0);
        if rest.is_empty() || is_number {
            return;
        }
        // What is damaged, and the moves after it, which only count.
        let is_end = |from: &usize| self::moves(&rest[*from..]).1 == rest.len() - from;
        let damaged = (1..rest.len()).find(is_end).unwrap_or(rest.len());
        self.before.set(Before::MOVE, read > 0);
        self.push(Kind::Bad, damaged);
        self.push_moves(&self::moves(&rest[damaged..]).0, true);
    }

    /// Adds moves without anything between.
    fn push_moves(&mut self, moves: &[(Kind, usize)], is_later: bool) {
        for (index, (kind, length)) in moves.iter().enumerate() {
            self.before.set(Before::MOVE, is_later || index > 0);
            self.push(*kind, *length);
        }
    }
}

/// Returns the moves and passes that a word begins with, each with its length, and their length.
fn moves(word: &[u8]) -> (Vec<(Kind, usize)>, usize) {
    let mut moves = Vec::new();
    let mut rest = word;
    while !rest.is_empty() {
        let passes: [&[u8]; 3] = [b"pass", b"pa", b"ps"];
        let is_next = |pass: &&&[u8]| {
            let start = rest.get(..pass.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(pass))
        };
        let next = match rest.get(..2).and_then(square) {
            Some(square) => (Kind::Square(square), 2),
            None => match passes.iter().find(is_next) {
                Some(pass) => (Kind::Pass, pass.len()),
                None => break,
            },
        };
        moves.push(next);
        rest = &rest[next.1..];
    }
    (moves, word.len() - rest.len())
}

/// Parses two bytes as a square.
fn square(bytes: &[u8]) -> Option<Square> {
    match *bytes {
        [file, rank @ b'1'..=b'8'] => {
            let file = file.to_ascii_lowercase();
            let is_file = (b'a'..=b'h').contains(&file);
            is_file.then(|| Square::at(file - b'a', rank - b'1'))
        }
        _ => None,
    }
}

/// Returns the square in records that count rows from the bottom.
pub(super) fn mirrored(square: Square) -> Square {
    Square::at(square.file(), 7 - square.rank())
}

/// Returns whether the first square of a game is legal only in a record that counts rows from the
/// bottom. The legal squares of the usual start and their mirror images have none in common.
pub(super) fn is_mirrored(start: &Position, first: Square) -> bool {
    let legal = start.board.legal_moves();
    !legal.contains(first) && legal.contains(mirrored(first))
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
