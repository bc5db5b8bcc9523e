//! Tokens of a text that may hold games: squares, passes, results, labels, and all other words.
//!
//! Marks between the tokens are decoration: commas, dots, quotation marks, tags of HTML, columns of
//! a table, dates, evaluations such as `+08`. Everything with a letter is a token, so that no
//! reader skips a damaged move unseen. A number belongs to the token after it, a time to the token
//! before it.

use std::ops::Range;

use bitflags::bitflags;
use emilia_core::board::{Color, Square};

use super::{labels, scanner, words};

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
    /// The label of a side before its move.
    Label(Color),
}

bitflags! {
    /// What is before a token.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) struct Before: u8 {
        /// The start of a line.
        const LINE = 1;
        /// Another move, without any character between.
        const MOVE = 1 << 1;
        /// The number 1, which begins a list of moves.
        const ONE = 1 << 2;
        /// A mark of the line, not of what is before the token: the line is prose with at most two
        /// moves.
        const PROSE = 1 << 4;
        /// Two numbers, one of which may be a damaged square.
        const TWO = 1 << 5;
        /// `P@`, the mark of a drop in chess programs, which count ranks from the bottom.
        const DROP = 1 << 3;
    }
}

/// A token of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: Kind,
    pub before: Before,
    /// Move number directly before the token, 0 if there is none.
    pub number: u16,
    /// Line of the token, from 0 at the start of the text read.
    pub line: u32,
    /// Byte offset and length of the token. `from` and `till` also span its number and its time.
    start: u32,
    length: u16,
    pub from: u32,
    pub till: u32,
    /// Identifies the innermost pair of round or curly brackets around the token, 0 without any.
    pub bracket: u32,
}

impl Token {
    /// Creates a token from an item of a list, as in JSON.
    pub(super) fn item(kind: Kind, range: Range<usize>) -> Token {
        Token {
            kind,
            before: Before::empty(),
            number: 0,
            line: 0,
            start: range.start as u32,
            length: range.len().min(usize::from(u16::MAX)) as u16,
            from: range.start as u32,
            till: range.end as u32,
            bracket: 0,
        }
    }

    /// Returns the square of the token.
    pub(super) fn square(&self) -> Option<Square> {
        match self.kind {
            Kind::Square(square) => Some(square),
            _ => None,
        }
    }

    /// Returns whether the token is a move or a pass, or may be a damaged move.
    pub(super) fn is_move(&self) -> bool {
        matches!(self.kind, Kind::Square(_) | Kind::Pass | Kind::Bad)
            && !self.before.contains(Before::PROSE)
    }

    /// Returns whether the token is a word, or a square within prose.
    pub(super) fn is_word(&self) -> bool {
        self.kind == Kind::Word
            || self.before.contains(Before::PROSE) && !matches!(self.kind, Kind::Result(..))
    }

    /// Returns whether the token is part of a list of moves.
    pub(super) fn is_listed(&self) -> bool {
        !matches!(self.kind, Kind::Word | Kind::Result(..) | Kind::Label(_))
    }

    /// Returns the token as a damaged move.
    pub(super) fn as_bad(self) -> Token {
        let kind = Kind::Bad;
        Token { kind, ..self }
    }

    /// Returns the label of a side in place of this token.
    pub(super) fn as_label(self, side: Color) -> Token {
        Token {
            kind: Kind::Label(side),
            number: 0,
            ..self
        }
    }

    /// Returns the move with the number and the place of its label. A word becomes a damaged move.
    pub(super) fn behind(self, label: &Token) -> Token {
        let kind = match self.kind {
            Kind::Word => Kind::Bad,
            kind => kind,
        };
        Token {
            kind,
            before: self.before | label.before,
            number: self.number.max(label.number),
            from: label.from,
            ..self
        }
    }

    /// Returns the byte range of the token.
    pub(super) fn range(&self) -> Range<usize> {
        self.start as usize..self.start as usize + usize::from(self.length)
    }

    /// Returns the byte range of the token with its number and its time.
    pub(super) fn span(&self) -> Range<usize> {
        self.from as usize..self.till as usize
    }

    /// Returns the text of the token.
    pub(super) fn text<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.range()).unwrap_or_default()
    }
}

/// Returns the tokens of a part of a text.
pub(super) fn tokens(text: &str, part: Range<usize>) -> Vec<Token> {
    let mut tokens = labels::replace(text, &scanner::scan(text, part));
    mark_prose(text, &mut tokens);
    tokens
}

/// Marks the tokens of prose: lines with words and at most two moves, unless a move has a number or
/// a word names a side.
fn mark_prose(text: &str, tokens: &mut [Token]) {
    for line in tokens.chunk_by_mut(|left, right| left.line == right.line) {
        let words = line.iter().filter(|token| token.kind == Kind::Word);
        let is_long = |word: &Token| word.length > 3;
        let is_prose = words.clone().count() > 1 || words.clone().any(is_long);
        let is_side = |word: &Token| words::side(word.text(text)).is_some();
        let moves = line.iter().filter(|token| token.is_move()).count();
        let has_number = line.iter().any(|token| token.is_move() && token.number > 0);
        if is_prose && moves <= 2 && !has_number && !words.clone().any(is_side) {
            for token in line.iter_mut() {
                token.before |= Before::PROSE;
            }
        }
    }
}

/// Mirrors a square of a record that counts rows from the bottom.
pub(super) fn mirrored(square: Square) -> Square {
    Square::at(square.file(), 7 - square.rank())
}
