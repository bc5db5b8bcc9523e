//! [`Reading`]: the games of a text, and the spans of the text that readers have consumed. A span
//! is a byte range and the kind of its text ([`Span`]). Suspicious text outside the spans is
//! reported.
//!
//! The law: *no character is passed over in silence*. It lies in a span, or `account` inspects it.
//! The readers of the formats only mark spans and store the byte offset at which the reading of a
//! game stopped ([`Stop`]). [`Reading::account`] alone inspects the unread text, and reports what
//! may be a move, a board, a tag or the head of a format: the text that its records begin with, such
//! as `(;` of SGF or `[Name "` of PGN.

use std::cell::OnceCell;
use std::mem;
use std::ops::Range;

use super::tokens::{Kind, Token, tokens};
use super::{Game, PackedGame, boards, header};
use emilia_core::board::{Sentence, excerpt};

/// Kind of text that a reader consumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Span {
    /// A list of moves, with its numbers, labels, passes, times and remarks in brackets.
    Moves,
    Tags,
    Result,
    Board,
    /// A record of a structured format.
    Record,
}

/// Byte offset at which reading stopped before the end of a game, and the reason.
#[derive(Clone, Debug)]
pub(super) struct Stop {
    pub at: usize,
    pub why: Why,
}

/// Why the reading of a game stopped.
#[derive(Clone, Debug)]
pub(super) enum Why {
    /// What is wrong with the token at the stop, such as [`NOT_LEGAL`].
    Token(&'static str),
    /// A sentence for the user. `is_game`: whether a part of the game was read.
    Said { sentence: Sentence, is_game: bool },
}

pub(super) const NO_SQUARE: &str = "is not a square";

pub(super) const NOT_LEGAL: &str = "is not legal";

/// A game of a text, with the byte offsets at which reading it stopped.
#[derive(Debug)]
pub(super) struct Entry {
    /// Byte offset at which the game begins.
    at: usize,
    pub game: PackedGame,
    pub stops: Vec<Stop>,
}

impl Entry {
    /// Applies `edit` to the unpacked game, and packs the result.
    pub(super) fn edit(&mut self, edit: impl FnOnce(&mut Game)) {
        let mut game = self.game.game();
        edit(&mut game);
        self.game = game.into();
    }
}

/// The games and consumed spans of a text so far.
#[derive(Debug)]
pub(super) struct Reading<'t> {
    pub text: &'t str,
    pub entries: Vec<Entry>,
    spans: Vec<(Range<u32>, Span)>,
    /// Byte offset of the start of each line except the first, computed when first needed.
    lines: OnceCell<Vec<u32>>,
}

/// A gap: a byte range of the text that no span covers, and the kind of the span before it.
type Gap = (Range<usize>, Option<Span>);

/// Result of [`Reading::account`]: the games. A warning about unread text belongs to the game
/// before this text.
pub(super) type Account = Vec<Result<PackedGame, Sentence>>;

impl<'t> Reading<'t> {
    pub(super) fn new(text: &'t str) -> Reading<'t> {
        Reading {
            text,
            entries: Vec::new(),
            spans: Vec::new(),
            lines: OnceCell::new(),
        }
    }

    /// Marks the bytes `range` as consumed.
    pub(super) fn mark(&mut self, range: Range<usize>, span: Span) {
        if range.is_empty() {
            return;
        }
        let range = range.start as u32..range.end as u32;
        match self.spans.last_mut() {
            Some((last, kind)) if *kind == span && last.end == range.start => last.end = range.end,
            _ => self.spans.push((range, span)),
        }
    }

    /// Marks `range` as consumed, except for the byte ranges `parts` in it, which must be in
    /// ascending order.
    pub(super) fn mark_except(
        &mut self,
        range: Range<usize>,
        span: Span,
        parts: Vec<Range<usize>>,
    ) {
        let mut from = range.start;
        for part in parts {
            self.mark(from..part.start, span);
            from = from.max(part.end);
        }
        self.mark(from..range.end, span);
    }

    /// Adds a game that begins at byte `range.start`, and marks `range` as consumed. `range` is
    /// empty if other calls mark the text of the game.
    pub(super) fn add(
        &mut self,
        range: Range<usize>,
        span: Span,
        game: impl Into<PackedGame>,
        stop: Option<Stop>,
    ) {
        self.mark(range.clone(), span);
        self.entries.push(Entry {
            at: range.start,
            game: game.into(),
            stops: stop.into_iter().collect(),
        });
    }

    /// Adds an invalid game, with the reason `why`.
    pub(super) fn refuse(&mut self, range: Range<usize>, span: Span, why: impl AsRef<str>) {
        let stop = self.stop(range.start, why, false);
        self.add(range, span, Game::default(), Some(stop));
    }

    /// Returns a stop at byte `at`, with a sentence that names its line.
    pub(super) fn stop(&self, at: usize, why: impl AsRef<str>, is_game: bool) -> Stop {
        let (line, why) = (self.line(at), why.as_ref());
        let gap = if why.starts_with("column ") { "," } else { ":" };
        let sentence = format!("line {line}{gap} {why}").into();
        let why = Why::Said { sentence, is_game };
        Stop { at, why }
    }

    /// Returns the line number of a byte offset, counted from 1.
    fn line(&self, at: usize) -> usize {
        let breaks = || {
            self.text
                .bytes()
                .zip(1..)
                .filter(|(byte, _)| *byte == b'\n')
        };
        let lines = self
            .lines
            .get_or_init(|| breaks().map(|(_, next)| next).collect());
        1 + lines.partition_point(|&start| start as usize <= at)
    }

    /// Adds the line and column of byte `at` to the sentence `problem`.
    pub(super) fn placed(&self, at: usize, problem: Sentence) -> Sentence {
        let start = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let (line, column) = (self.line(at), self.text[start..at].chars().count() + 1);
        let sentence = problem.or_code("unreadable-at");
        let sentence = sentence.with("line", line).with("column", column);
        sentence.within(format_args!("line {line}, column {column}: "))
    }

    /// Returns the games, with warnings about unread text. If the text has no games, returns only
    /// the first warning, as an error.
    pub(super) fn account(mut self) -> Account {
        self.spans.sort_by_key(|(range, _)| range.start);
        let stops = self.entries.iter().flat_map(|entry| &entry.stops);
        let mut stops: Vec<usize> = stops.map(|stop| stop.at).collect();
        stops.sort_unstable();
        let gaps = self.gaps();
        let is_silent = |(gap, _): &&Gap| {
            let stop = stops.partition_point(|&stop| stop < gap.start);
            stops.get(stop).is_none_or(|&stop| stop > gap.end)
        };
        let silent = gaps.iter().filter(is_silent);
        let mut unread = silent.filter_map(|gap| self.unread(gap));
        if self.entries.is_empty() {
            return unread.next().map(|(_, why)| Err(why)).into_iter().collect();
        }
        let unread: Vec<_> = unread.collect();
        let mut entries = mem::take(&mut self.entries);
        for (at, sentence) in unread {
            let next = entries.partition_point(|entry| entry.at <= at);
            let is_game = true;
            let why = Why::Said { sentence, is_game };
            entries[next.saturating_sub(1)].stops.push(Stop { at, why });
        }
        let games = entries.into_iter();
        games
            .map(|entry| self.reported(entry, &gaps, &stops))
            .collect()
    }

    /// Returns the game of `entry` with a warning for each stop, or the error of the stop if no
    /// part of the game was read.
    fn reported(
        &self,
        entry: Entry,
        gaps: &[Gap],
        stops: &[usize],
    ) -> Result<PackedGame, Sentence> {
        if entry.stops.is_empty() {
            return Ok(entry.game);
        }
        let mut game = entry.game.game();
        for Stop { at, why } in entry.stops {
            let (sentence, is_game) = match why {
                Why::Said { sentence, is_game } => (sentence, is_game),
                Why::Token(wrong) => {
                    let (found, count) = self.rest(at, gaps, stops);
                    let count = game.placed() + count;
                    let why = game.stopped(self.line(at), found, wrong, count);
                    (why, game.placed() > 0)
                }
            };
            if !is_game {
                return Err(sentence);
            }
            game.cut(sentence);
        }
        Ok(game.into())
    }

    /// Returns the gaps of the text, except for blank ones.
    fn gaps(&self) -> Vec<Gap> {
        let end = self.text.len() as u32;
        let (mut from, mut before) = (0, None);
        let mut gaps = Vec::new();
        for (range, span) in self.spans.iter().chain([&(end..end, Span::Board)]) {
            let gap = from as usize..range.start as usize;
            if from < range.start && !self.text[gap.clone()].trim().is_empty() {
                gaps.push((gap, before));
            }
            if range.end >= from {
                (from, before) = (range.end, Some(*span));
            }
        }
        gaps
    }

    /// Returns the byte offset and the report of a gap that may hold a move, a board, a tag or the
    /// head of a format. Returns `None` if the gap is prose.
    fn unread(&self, (gap, before): &Gap) -> Option<(usize, Sentence)> {
        let at = gap.start + suspect(self.text, gap.clone(), *before == Some(Span::Moves))?;
        let start = self.text[gap.start..at].rfind('\n');
        let start = start.map_or(gap.start, |end| gap.start + end + 1);
        let found = self.text[start..gap.end].trim_start().lines().next();
        let found = excerpt(found.unwrap_or_default().trim_end());
        let text = format!("line {}: '{found}' not read", self.line(at));
        Some((gap.start, text.into()))
    }

    /// Returns the token at byte `at`, where a game stopped, and the length of the list of unread
    /// moves that begins with this token. The list ends before the next stop.
    fn rest(&self, at: usize, gaps: &[Gap], stops: &[usize]) -> (&'t str, usize) {
        /// Maximum number of bytes after a stop in which unread moves are counted.
        const COUNTED: usize = 1 << 10;
        let gap = gaps.partition_point(|(gap, _)| gap.end <= at);
        let end = gaps.get(gap).map_or(self.text.len(), |(gap, _)| gap.end);
        let next = stops.partition_point(|&stop| stop <= at);
        let end = stops.get(next).map_or(end, |&stop| end.min(stop));
        let mut end = end.clamp(at, at + COUNTED).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let tokens = tokens(self.text, at..end);
        let first = tokens.first().map(|token| token.text(self.text));
        let is_label = |token: &&Token| matches!(token.kind, Kind::Label(_));
        let rest = tokens.iter().skip(1).filter(|token| !is_label(token));
        let moves = rest.take_while(|token| token.is_listed());
        let word = self.text[at..end].split_whitespace().next();
        (first.or(word).unwrap_or_default(), 1 + moves.count())
    }
}

/// Returns the offset, from the start of the unread byte range `part`, of the first token or line
/// that may be a move, a board, a tag or the head of a format. `is_after_moves`: a list of moves
/// ends directly before `part`.
fn suspect(text: &str, part: Range<usize>, is_after_moves: bool) -> Option<usize> {
    let tokens = tokens(text, part.clone());
    let start = |token: &Token| token.range().start - part.start;
    let first = tokens.first().filter(|token| {
        let between = &text[part.start..token.range().start];
        let is_glued = !between.contains(|c: char| c.is_whitespace() || "\"'`>&".contains(c));
        is_after_moves && !between.contains('\n') && (is_glued || is_stump(token.text(text)))
    });
    let token = first.or_else(|| tokens.iter().find(|token| may_be_move(token, text)));
    let mut at = 0;
    let mut lines = text[part.clone()].split_inclusive('\n').filter_map(|line| {
        let start = at;
        at += line.len();
        may_be_head(line).then_some(start)
    });
    token.map(start).into_iter().chain(lines.next()).min()
}

/// Returns whether a word looks like a damaged move and not like prose: it is a single letter, has
/// two or three characters without a vowel, or begins with a small letter and contains a capital.
fn is_stump(word: &str) -> bool {
    let is_vowel = |letter: char| "aeiouy".contains(letter.to_ascii_lowercase());
    let is_mixed = word.starts_with(|c: char| c.is_ascii_lowercase())
        && word.contains(|c: char| c.is_ascii_uppercase());
    is_mixed || word.is_ascii() && word.len() <= 3 && (word.len() == 1 || !word.contains(is_vowel))
}

/// Returns whether a token may be a move: a square, a pass other than `--`, or a damaged move.
///
/// A pair is a file letter and a rank digit next to each other. A damaged move must have a pair, or
/// be of at most two characters with one that is not ASCII. A word must have two pairs.
fn may_be_move(token: &Token, text: &str) -> bool {
    let word = token.text(text);
    let is_pair = |pair: &&[u8]| {
        let is_file = |byte: u8| (b'a'..=b'h').contains(&byte.to_ascii_lowercase());
        let is_rank = |byte: u8| (b'1'..=b'8').contains(&byte);
        is_file(pair[0]) && is_rank(pair[1]) || is_rank(pair[0]) && is_file(pair[1])
    };
    let pairs = word.as_bytes().windows(2).filter(is_pair).count();
    match token.kind {
        Kind::Square(_) => true,
        Kind::Pass => word != "--",
        Kind::Bad if !word.is_ascii() => word.chars().count() <= 2,
        Kind::Bad => pairs > 0,
        Kind::Word => pairs > 1,
        Kind::Result(..) | Kind::Label(_) => false,
    }
}

/// Returns whether a line has a tag, the head of a format, a part of a board, or a list of moves
/// that is not written as squares.
fn may_be_head(line: &str) -> bool {
    let line = line.trim();
    let is_tag = header::value(line).is_some_and(|value| !value.is_empty()) || header::is_cut(line);
    let is_property = |(at, _): (usize, &str)| {
        let name = line[..at].trim_end_matches(|c: char| c.is_ascii_uppercase());
        (1..=2).contains(&(at - name.len())) && !name.ends_with(char::is_alphanumeric)
    };
    is_tag
        || line.starts_with("(;")
        || line.ends_with("\"]") && !line.contains("\",")
        || line.contains("\":")
        || line.starts_with('[') && line.contains(" \"")
        || line.match_indices('[').any(is_property)
        || boards::holds_part(line)
        || is_digit_list(line)
        || is_spelt_list(line)
}

/// Returns whether a line is a list of squares as pairs of digits, such as `56 64 33 34`.
fn is_digit_list(line: &str) -> bool {
    let words = line
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let is_pair =
        |word: &&str| word.len() == 2 && word.bytes().all(|byte| (b'1'..=b'8').contains(&byte));
    let pairs = words.clone().filter(is_pair).count();
    pairs >= 4 && pairs > 3 * (words.count() - pairs)
}

/// Returns whether a line is a list of squares whose file and rank are separate, `f 5, d 6`, or a
/// list of pairs of digits in brackets, `(5, 4), (3, 5)`.
fn is_spelt_list(line: &str) -> bool {
    const FEWEST: usize = 3;
    let words = line.split(|c: char| !c.is_alphanumeric());
    let letters = words
        .filter(|word| word.len() == 1)
        .map(|word| word.as_bytes()[0]);
    let letters: Vec<u8> = letters.collect();
    let is_square = |pair: &&[u8]| {
        let file = pair[0].to_ascii_lowercase();
        (b'a'..=b'h').contains(&file) && (b'1'..=b'8').contains(&pair[1])
    };
    let is_digit = |letter: &u8| (b'0'..=b'8').contains(letter);
    let brackets = line.matches(['(', '[']).count();
    letters
        .chunks(2)
        .filter(|pair| pair.len() == 2)
        .filter(is_square)
        .count()
        >= FEWEST
        || brackets >= FEWEST && letters.len() >= 2 * FEWEST && letters.iter().all(is_digit)
}
