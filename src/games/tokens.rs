//! Tokens of a text that may hold games: squares, passes, results, labels, and all other words.
//!
//! The text between the tokens is ignored: commas, dots, quotation marks, names of HTML tags,
//! borders of table columns, dates, evaluations such as `+08`. Every other word is a token, so that
//! no reader overlooks a damaged move. A move number is stored in the token after it. An evaluation
//! or time that is written directly after a move only extends the bytes `from..till` of the move's
//! token. A label is the text before a move on its line, such as `Black` in `Black f5`.

use std::ops::Range;

use bitflags::bitflags;
use emilia_core::board::{Color, Square};

use super::{labels, scanner, words};

/// Kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Square(Square),
    Pass,
    /// Result of a game: the discs of Black and White, or 1-0 or 0-1 if only the winner is given.
    /// `Result(0, 0)` is the sign `*`, an unknown result.
    Result(u8, u8),
    /// Letters and digits that may be a damaged square: `i3`, `5f`, `gc3`, `d`.
    Bad,
    /// Any other word.
    Word,
    /// Label that names a side: `Black` in `Black f5`.
    Label(Color),
}

bitflags! {
    /// Flags of a token: what is directly before it, and whether its line is prose.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) struct Before: u8 {
        /// The start of a line.
        const LINE = 1;
        /// Another move, adjacent to this token.
        const MOVE = 1 << 1;
        /// The number 1, which begins a list of moves.
        const ONE = 1 << 2;
        /// The line of the token is prose that mentions at most two moves. This flag is about the
        /// line, not about the text before the token.
        const PROSE = 1 << 4;
        /// Two numbers in a row. One of them may be a damaged square.
        const TWO = 1 << 5;
        /// `P@`, which programs for chess variants write before the square of a disc. These
        /// programs count ranks from the bottom.
        const DROP = 1 << 3;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: Kind,
    pub before: Before,
    /// Move number directly before the token, 0 if there is none.
    pub number: u16,
    /// Index of the token's line, counted from 0 at the start of the scanned text.
    pub line: u32,
    /// `start` and `length` give the bytes of the token itself. `from..till` are its bytes together
    /// with the move number before it and the evaluation or time after it.
    start: u32,
    length: u16,
    pub from: u32,
    pub till: u32,
    /// Number of the innermost pair of round or curly brackets around the token, or 0 outside
    /// brackets.
    pub bracket: u32,
}

impl Token {
    /// Creates a token of the bytes `range`, without a move number, on line 0.
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

    pub(super) fn square(&self) -> Option<Square> {
        match self.kind {
            Kind::Square(square) => Some(square),
            _ => None,
        }
    }

    /// Returns whether the token is a square, a pass or a damaged move, and its line is not prose.
    pub(super) fn is_move(&self) -> bool {
        matches!(self.kind, Kind::Square(_) | Kind::Pass | Kind::Bad)
            && !self.before.contains(Before::PROSE)
    }

    /// Returns whether the token is a word. On a line of prose, every token except a result counts
    /// as a word.
    pub(super) fn is_word(&self) -> bool {
        self.kind == Kind::Word
            || self.before.contains(Before::PROSE) && !matches!(self.kind, Kind::Result(..))
    }

    /// Returns whether the token is a square, a pass or a damaged move, even on a line of prose.
    pub(super) fn is_listed(&self) -> bool {
        !matches!(self.kind, Kind::Word | Kind::Result(..) | Kind::Label(_))
    }

    /// Returns the token with the kind [`Kind::Bad`], a damaged move.
    pub(super) fn as_bad(self) -> Token {
        let kind = Kind::Bad;
        Token { kind, ..self }
    }

    /// Returns a label that names `side`, in place of this token and without its move number.
    pub(super) fn as_label(self, side: Color) -> Token {
        Token {
            kind: Kind::Label(side),
            number: 0,
            ..self
        }
    }

    /// Returns the token of this move, extended to the left by `label`, the first token of the
    /// label before it. The new token has the flags of both tokens and the larger move number, and
    /// its bytes `from..till` begin at `label`. A word becomes a damaged move.
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

    /// Returns the byte range of the token with the move number before it and the evaluation or
    /// time after it.
    pub(super) fn span(&self) -> Range<usize> {
        self.from as usize..self.till as usize
    }

    pub(super) fn text<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.range()).unwrap_or_default()
    }
}

/// Returns the tokens of the byte range `part` of `text`. In lists of labelled moves, each label
/// that names a side is one token [`Kind::Label`] (see `labels`), and tokens on lines of prose have
/// the flag [`Before::PROSE`].
pub(super) fn tokens(text: &str, part: Range<usize>) -> Vec<Token> {
    let mut tokens = labels::replace(text, &scanner::scan(text, part));
    mark_prose(text, &mut tokens);
    tokens
}

/// Sets [`Before::PROSE`] on lines of prose: lines with a long word or several words, and at most
/// two moves. A line is not prose if one of its moves has a number, or one of its words names a
/// side.
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
