//! Splits a text into [`tokens`](super::tokens).

use std::ops::Range;

use super::tokens::{Before, Kind, Token};
use super::words;
use emilia_core::board::Square;

/// Returns the tokens of the byte range `part` of `text`. In these tokens, labels are not yet
/// replaced (`labels`) and lines of prose are not yet marked.
pub(super) fn scan(text: &str, part: Range<usize>) -> Vec<Token> {
    let mut scanner = Scanner {
        text: &text[..part.end],
        bytes: &text.as_bytes()[..part.end],
        first: part.start,
        at: part.start,
        before: Before::LINE,
        number: (0, part.start),
        numbers: 0,
        line: 0,
        open: Vec::new(),
        pairs: 0,
        tokens: Vec::new(),
    };
    while let Some(byte) = scanner.byte(0) {
        scanner.step(byte);
    }
    scanner.end_number();
    scanner.tokens
}

struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    first: usize,
    at: usize,
    before: Before,
    /// Last move number whose move is not scanned yet (0 if there is none), and its byte offset.
    number: (u16, usize),
    /// Number of move numbers since the last token.
    numbers: u32,
    line: u32,
    /// Open brackets, each with its closing sign and the indices of the tokens inside it so far. A
    /// bracket that is not closed in its paragraph is ignored.
    open: Vec<(u8, Vec<usize>)>,
    /// Number of closed pairs of brackets so far.
    pairs: u32,
    tokens: Vec<Token>,
}

impl Scanner<'_> {
    fn byte(&self, offset: usize) -> Option<u8> {
        self.bytes.get(self.at + offset).copied()
    }

    fn last_byte(&self) -> Option<u8> {
        (self.at > self.first).then(|| self.bytes[self.at - 1])
    }

    /// Returns the number of consecutive bytes that satisfy `is`, from byte `self.at + start` on.
    fn length(&self, start: usize, is: impl Fn(&u8) -> bool) -> usize {
        let bytes = self.bytes.get(self.at + start..).unwrap_or_default();
        bytes.iter().take_while(|byte| is(byte)).count()
    }

    /// Adds the pending move number as a damaged move, because its move is missing. If no move
    /// precedes it, the number is not a move number, and nothing is added.
    fn end_number(&mut self) {
        let (number, start) = self.number;
        let last = self.tokens.last().filter(|last| last.is_move());
        if number == 0 || last.is_none() {
            return;
        }
        let line = last.map_or(self.line, |last| last.line);
        let digits = self.bytes[start..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit());
        let mut token = Token::item(Kind::Bad, start..start + digits.count());
        token.line = line;
        self.add(token);
        (self.number.0, self.numbers) = (0, 0);
        self.before.remove(Before::ONE | Before::TWO);
    }

    fn add(&mut self, token: Token) {
        if let Some((_, inside)) = self.open.last_mut() {
            inside.push(self.tokens.len());
        }
        self.tokens.push(token);
    }

    /// Adds a token of the next `length` bytes and advances past it.
    fn push(&mut self, kind: Kind, length: usize) {
        let (number, from) = self.number;
        let mut token = Token::item(kind, self.at..self.at + length);
        token.before = self.before;
        token.number = number;
        token.line = self.line;
        if number > 0 {
            token.from = from as u32;
        }
        self.add(token);
        (self.before, self.number.0, self.numbers) = (Before::empty(), 0, 0);
        self.at += length;
    }

    /// Returns whether the last token is a square that ends at the current byte.
    fn is_behind_move(&self) -> bool {
        let last = self.tokens.last();
        last.is_some_and(|last| last.till as usize == self.at && last.square().is_some())
    }

    /// Scans the token that begins with `byte`, or skips text that belongs to no token.
    fn step(&mut self, byte: u8) {
        match byte {
            b'\n' => self.line_break(),
            b':' | b'/' if self.is_behind_move() => self.time(),
            // `P@` precedes a square in PGN of chess programs, which count ranks from the bottom.
            b'P' if self.byte(1) == Some(b'@') => {
                self.at += 2;
                self.before |= Before::DROP;
            }
            b'0'..=b'9' => self.number(),
            _ if byte.is_ascii_alphabetic() => self.word(),
            b'<' => self.html_tag(),
            // An escaped character of a link, such as `%20`.
            b'%' if self.length(1, u8::is_ascii_hexdigit) >= 2 => self.at += 3,
            b'&' => {
                let name = self.length(1, |byte| byte.is_ascii_alphanumeric() || *byte == b'#');
                let is_entity = name <= 8 && self.byte(1 + name) == Some(b';');
                self.at += if is_entity { name + 2 } else { 1 };
            }
            b'*' => self.star(),
            b'-' => match self.length(0, |byte| *byte == b'-') {
                2 => self.push(Kind::Pass, 2),
                hyphens => self.at += hyphens,
            },
            b'(' | b'{' => {
                let close = if byte == b'(' { b')' } else { b'}' };
                self.open.push((close, Vec::new()));
                self.at += 1;
            }
            b')' | b'}' => self.close(byte),
            0x80.. => self.other(),
            _ => self.at += 1,
        }
    }

    /// Advances to the next line. A number at the end of a line is a move number only if a move
    /// precedes it on this line.
    fn line_break(&mut self) {
        (self.at, self.line) = (self.at + 1, self.line + 1);
        let is_in_line = |token: &Token| token.line + 1 == self.line && token.is_move();
        if !self.tokens.last().is_some_and(is_in_line) {
            if self.numbers > 1 {
                // At most one of several numbers that no move follows can number the line. Another
                // of them may be a damaged move.
                self.end_number();
            }
            (self.number.0, self.numbers) = (0, 0);
            self.before.remove(Before::ONE | Before::TWO);
        }
        self.before |= Before::LINE;
        if matches!(self.byte(0), Some(b'\n' | b'\r')) {
            self.open.clear();
        }
    }

    /// Scans the evaluation or time that is written directly after a move, such as `:12s` or
    /// `/1.50/0.23`. Adds no token, but extends `till` of the move's token to the end of this text.
    fn time(&mut self) {
        let length = self.length(1, |byte| byte.is_ascii_digit() || b".:/+-".contains(byte));
        let unit = usize::from(matches!(self.byte(1 + length), Some(b's' | b'm')));
        let next = self.byte(1 + length + unit);
        let is_time = length > 0 && !next.is_some_and(|next| next.is_ascii_alphanumeric());
        self.at += if is_time { 1 + length + unit } else { 1 };
        if is_time && let Some(last) = self.tokens.last_mut() {
            last.till = self.at as u32;
        }
    }

    /// Skips the name of an HTML tag, such as `h1` in `<h1>`. The attributes of the tag are
    /// scanned, because they may hold moves.
    fn html_tag(&mut self) {
        self.at += 1 + usize::from(self.byte(1) == Some(b'/'));
        let length = self.length(0, u8::is_ascii_alphanumeric);
        let is_square = |name: &str| !name.starts_with('h') && square(name.as_bytes()).is_some();
        let is_name = self.byte(0).is_some_and(|byte| byte.is_ascii_alphabetic())
            && !is_square(&self.text[self.at..self.at + length]);
        if is_name && matches!(self.byte(length), Some(b'>' | b'/' | b' ' | b'\n' | b'\t')) {
            // A heading, a table, a division or a paragraph begins a line.
            let name = &self.text[self.at..self.at + length];
            if name.starts_with('h') || matches!(name, "table" | "div" | "p") {
                self.before |= Before::LINE;
            }
            self.at += length;
        }
    }

    /// Scans `*`, the sign of an unknown result, unless it is the bullet of a list item.
    fn star(&mut self) {
        let before = self.last_byte();
        let is_alone = self.length(0, |next| !next.is_ascii_whitespace()) == 1
            && before.is_some_and(|before| before.is_ascii_whitespace());
        let is_item = self.before.contains(Before::LINE) && self.byte(1) == Some(b' ');
        if is_alone && !is_item {
            self.push(Kind::Result(0, 0), 1);
        } else {
            self.at += 1;
        }
    }

    /// Closes the innermost open bracket whose closing sign is `sign`. The tokens inside get the
    /// number of this pair of brackets.
    fn close(&mut self, sign: u8) {
        self.at += 1;
        let near = self.open.len().saturating_sub(MAX_OPEN);
        let open = self.open[near..]
            .iter()
            .rposition(|(close, _)| *close == sign);
        if let Some(open) = open {
            self.pairs += 1;
            for index in self
                .open
                .drain(near + open..)
                .flat_map(|(_, inside)| inside)
            {
                self.tokens[index].bracket = self.pairs;
            }
        }
    }

    /// Scans a character that is not ASCII, and the letters after it.
    fn other(&mut self) {
        let rest = &self.text[self.at..];
        let first = rest.chars().next().unwrap_or_default();
        if first.is_alphabetic() && !is_ideograph(first) {
            return self.word();
        }
        let letters = rest.chars().take_while(|letter| is_ideograph(*letter));
        let word: usize = letters.map(char::len_utf8).sum();
        match word {
            0 => self.at += first.len_utf8(),
            length if words::is_pass(&rest[..length]) => self.push(Kind::Pass, length),
            length => self.push(Kind::Word, length),
        }
    }

    /// Scans text that begins with a digit: a move number, a result such as `40-24`, a word, or
    /// another number (see [`is_quantity`](Self::is_quantity)), which is skipped.
    fn number(&mut self) {
        let digits = self.length(0, u8::is_ascii_digit);
        if let Some((result, length)) = result(&self.bytes[self.at..]) {
            return self.push(result, length);
        }
        let letter = self.text[self.at + digits..].chars().next().unwrap_or(' ');
        if letter.is_alphabetic() && !is_ideograph(letter) {
            return self.word();
        }
        let dots = self.length(digits, |byte| *byte == b'.');
        if self.is_quantity(digits, dots) {
            let is_in = |byte: &u8| byte.is_ascii_digit() || b".-/:".contains(byte);
            self.at += self.length(0, is_in);
            return;
        }
        let text = &self.text[self.at..self.at + digits];
        let last = self.tokens.last();
        let last = last.filter(|last| last.line == self.line).copied();
        let is_label = last.is_some_and(|last| last.kind == Kind::Word) && !self.line_has_move();
        if text != "1" && is_label {
            // The number belongs to a heading, as in `Game 2: f5d6`, and is skipped.
            self.at += digits + dots;
            return;
        }
        self.before
            .set(Before::ONE, text == "1" && self.begins_list(dots));
        // One of two numbers in a row may be a damaged move if a move precedes them, but not if a
        // word does.
        let is_second = self.number.0 > 0 && last.is_some_and(|last| last.is_move());
        self.before.set(Before::TWO, is_second);
        if self.number.0 == 0 {
            self.number.1 = self.at;
        }
        self.number.0 = text.parse().unwrap_or(u16::MAX);
        self.numbers += 1;
        self.at += digits + dots;
    }

    /// Returns whether the number 1 at the current byte begins a list of moves. The number in
    /// `1...` does not, because a move of White follows.
    fn begins_list(&self, dots: usize) -> bool {
        let is_half = dots > 1 || self.text[self.at + 1..].starts_with('\u{2026}');
        let is_marked = dots == 1
            || self.before.contains(Before::LINE)
            || matches!(self.byte(1), Some(b')' | b'|' | b'\t'));
        is_marked && !is_half
    }

    /// Returns whether the number at the current byte is not a move number, but part of a decimal,
    /// a date, a time, an evaluation or a link. The number has `digits` digits, and `dots` dots
    /// follow it.
    fn is_quantity(&self, digits: usize, dots: usize) -> bool {
        let is_digit = |at: usize| self.byte(at).is_some_and(|byte| byte.is_ascii_digit());
        let before = &self.bytes[self.first..self.at];
        let is_signed = match *before {
            [.., before, b'+' | b'-'] => !before.is_ascii_alphanumeric(),
            [b'+' | b'-'] => true,
            _ => false,
        };
        let next = self.byte(digits);
        before.ends_with(b"/")
            || matches!(next, Some(b'#' | b'?' | b'&'))
            || is_signed
            || dots <= 1 && is_digit(digits + dots)
            || matches!(next, Some(b'-' | b'/' | b':')) && is_digit(digits + 1)
    }

    fn line_has_move(&self) -> bool {
        let own = self.tokens.iter().rev();
        let mut own = own.take_while(|token| token.line == self.line).take(16);
        own.any(Token::is_move)
    }

    /// Scans a word of letters and digits: moves, a damaged move, or any other word.
    fn word(&mut self) {
        let length = self.word_length();
        let word = &self.bytes[self.at..self.at + length];
        let has_digit = word.iter().any(u8::is_ascii_digit);
        let squares = word
            .windows(2)
            .filter(|pair| square(pair).is_some())
            .count();
        let read: usize = moves(word).map(|(_, length)| length).sum();
        let is_moves = read > 0 && (read == length || has_digit) || squares > 1;
        if !is_moves || read == 0 && length <= 4 {
            return self.push(self.kind(length, has_digit), length);
        }
        self.push_moves(self.at + read, false);
        let rest = length - read;
        if rest == 0 || self.is_number_of_next(rest) {
            return;
        }
        // Adds the damaged move, then the moves after it. Readers do not play the moves after a
        // damaged move, but count them as unread.
        let end = self.at + rest;
        let rest = &self.bytes[self.at..end];
        let is_end = |from: &usize| {
            moves(&rest[*from..])
                .map(|(_, length)| length)
                .sum::<usize>()
                == rest.len() - from
        };
        let mut ends =
            (1..rest.len().min(MAX_DAMAGE)).filter(|at| self.text.is_char_boundary(self.at + at));
        let damaged = ends.find(is_end).unwrap_or(rest.len());
        self.before.set(Before::MOVE, read > 0);
        self.push(Kind::Bad, damaged);
        self.push_moves(end, true);
    }

    /// Returns the length in bytes of the word at the current byte.
    fn word_length(&self) -> usize {
        let ascii = self.length(0, u8::is_ascii_alphanumeric);
        if self.byte(ascii).is_none_or(|next| next < 0x80) {
            return ascii;
        }
        let is_in = |letter: &char| letter.is_alphanumeric() && !is_ideograph(*letter);
        let letters = self.text[self.at..].chars().take_while(is_in);
        letters.map(char::len_utf8).sum()
    }

    /// Returns the kind of the next `length` bytes, a word that does not begin with a move.
    /// `has_digit`: whether the word has an ASCII digit.
    fn kind(&self, length: usize, has_digit: bool) -> Kind {
        let word = &self.text[self.at..self.at + length];
        match word.as_bytes() {
            [letter] if letter.is_ascii_alphabetic() => {
                let is_file = (b'a'..=b'h').contains(&letter.to_ascii_lowercase());
                if is_file { Kind::Bad } else { Kind::Word }
            }
            _ if words::is_pass(word) => Kind::Pass,
            _ if (has_digit || word.contains(char::is_numeric)) && word.chars().count() <= 4 => {
                Kind::Bad
            }
            _ => Kind::Word,
        }
    }

    /// Returns whether the next `length` bytes are the number of the next move, such as `2` in
    /// `1.f5d62.c3`.
    fn is_number_of_next(&self, length: usize) -> bool {
        let (rest, after) = self.text[self.at..].split_at(length);
        let next = after.trim_start_matches(|c: char| c == '.' || c.is_whitespace());
        let next = &next.as_bytes()[..next.len().min(4)];
        rest.bytes().all(|byte| byte.is_ascii_digit())
            && after.starts_with('.')
            && (next.starts_with(b"--") || moves(next).next().is_some())
    }

    /// Adds the adjacent moves up to byte `end`. `is_later`: a move is directly before the first of
    /// them.
    fn push_moves(&mut self, end: usize, is_later: bool) {
        let word = &self.bytes[self.at..end];
        for (index, (kind, length)) in moves(word).enumerate() {
            self.before.set(Before::MOVE, is_later || index > 0);
            self.push(kind, length);
        }
    }
}

/// Maximum number of open brackets, from the innermost, that a closing bracket is compared with.
const MAX_OPEN: usize = 64;

/// Maximum number of bytes of a word that are searched for the end of a damaged move.
const MAX_DAMAGE: usize = 16;

/// Returns whether a letter belongs to a script without blanks between words, such as Japanese.
fn is_ideograph(letter: char) -> bool {
    letter >= '\u{2e80}' && letter.is_alphabetic()
}

/// Yields the moves and passes at the start of a word, each with its length in bytes.
fn moves(word: &[u8]) -> impl Iterator<Item = (Kind, usize)> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let passes: [&[u8]; 3] = [b"pass", b"pa", b"ps"];
        let is_next = |pass: &&&[u8]| {
            let start = rest.get(..pass.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(pass))
        };
        let next = match rest.get(..2).and_then(square) {
            Some(square) => (Kind::Square(square), 2),
            None => (Kind::Pass, passes.iter().find(is_next)?.len()),
        };
        rest = &rest[next.1..];
        Some(next)
    })
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

/// Parses a result at the start of a text: `37-27`, `1-0`, `0-1` or `1/2-1/2`. Also returns its
/// length in bytes.
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
