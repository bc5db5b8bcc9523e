//! PGN, Portable Game Notation, as sites and programs write it for Othello.
//!
//! `[Black "Ann"] … 1. f5 d6 2. c3 d3 … 48-16`. `--` is a pass. Comments are kept. Variations and
//! annotations (`$1`, `!?`) are left out, and variations are counted for a warning.

use std::mem;
use std::ops::Range;
use std::time::Duration;

use super::lists::{self, List};
use super::reading::{Reading, Span, Stop, Why};
use super::tokens::{Before, Kind, Token, mirrored, tokens};
use super::{Game, Outcome, Tags, TimeLimit, segments, words};
use emilia_core::board::{Color, Move, Position, Sentence, Square, excerpt};

/// Maximum length in bytes of a line of moves.
const WIDTH: usize = 79;

/// Names of tags that are recognised in any mix of capitals and small letters.
const KNOWN: &str = "Event Site Date Round Black White Result BlackElo WhiteElo Termination \
    TimeControl Variant FEN";

/// Tags that are always written, in this order. `Result` follows them.
const ROSTER: [&str; 6] = ["Event", "Site", "Date", "Round", "Black", "White"];

/// Returns whether a text begins like a tag, even a damaged one.
pub(super) fn is_tag_like(text: &str) -> bool {
    let Some(tag) = text.strip_prefix('[') else {
        return false;
    };
    let is_other = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    let name = tag.find(is_other).unwrap_or(tag.len());
    let value = tag[name..].trim_start();
    let is_quoted = words::quote(value).is_some();
    name > 2
        && tag.as_bytes()[0].is_ascii_alphabetic()
        && (is_quoted || value.len() < tag.len() - name)
}

/// Parses `[Name "value"]` at the start of a text. Returns the name, the value with escapes
/// resolved, and the text after the tag.
fn tag(text: &str) -> Option<(&str, String, &str)> {
    let text = text.strip_prefix('[')?;
    let is_other = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    let (name, rest) = text.split_at(text.find(is_other)?);
    let rest = rest.trim_start();
    let (open, close) = words::quote(rest)?;
    let mut rest = &rest[open.len()..];
    let mut value = String::new();
    while !rest.starts_with(close) {
        let mut letters = rest.chars();
        match letters.next()? {
            '\\' => value.extend(letters.next()),
            '\n' => return None,
            letter => value.push(letter),
        }
        rest = letters.as_str();
    }
    let rest = rest[close.len()..].trim_start().strip_prefix(']')?;
    (!name.is_empty()).then_some((name, value, rest.trim_start_matches([' ', '\t'])))
}

/// Returns the warning of a record that counts rows from the bottom.
pub(super) fn mirrored_record() -> Sentence {
    let text = "row 1 is the lowest in this record, so its squares are mirrored";
    Sentence::new("mirrored", text)
}

/// Returns whether `first`, the first square of a game, is legal only if rows are counted from the
/// bottom. From the usual start, no square is legal both ways.
pub(super) fn is_mirrored(start: &Position, first: Square) -> bool {
    let legal = start.board.legal_moves();
    !legal.contains(first) && legal.contains(mirrored(first))
}

/// The record of one game, as far as it is read.
#[derive(Default)]
struct Record {
    tags: Tags,
    start: Option<Position>,
    result: Option<Outcome>,
    termination: String,
    /// Names of the tags read so far.
    names: Vec<String>,
    /// Whether a program for chess variants, which calls the game Flipello, wrote the record. Such
    /// a record counts ranks from the bottom, and its White moves first.
    is_flipello: bool,
    stops: Vec<Stop>,
}

impl Record {
    /// Sets the tag `name`.
    ///
    /// # Errors
    /// If the start position is invalid.
    fn take(&mut self, name: &str, value: &str) -> Result<(), String> {
        let canonical = KNOWN.split(' ').find(|own| own.eq_ignore_ascii_case(name));
        let side = words::tag(name).filter(|tag| matches!(*tag, "Black" | "White"));
        let canonical = canonical.or(side);
        match canonical.unwrap_or(name) {
            "Result" => self.result = Outcome::parse(value).flatten(),
            "Termination" => value.clone_into(&mut self.termination),
            "TimeControl" => match time_control(value) {
                Some(limit) => self.tags.time = Some(limit),
                None => self.tags.set(name, value),
            },
            "SetUp" => {}
            "Variant" if value.eq_ignore_ascii_case("flipello") => self.is_flipello = true,
            "FEN" => {
                let start = value.parse();
                self.start = Some(start.map_err(|error| format!("start position: {error}"))?);
                self.is_flipello |= value.contains('/');
            }
            name => self.tags.set(name, known(value)),
        }
        Ok(())
    }

    /// Reads the tags that begin at byte `at`. Returns the byte offset of their end.
    fn read_tags(&mut self, out: &mut Reading, at: usize) -> usize {
        let text = out.text;
        let mut next = at;
        loop {
            let rest = &text[next..];
            let line = first_line(rest);
            if let Some((name, value, after)) = tag(rest) {
                let end = text.len() - after.len();
                if let Err(error) = self.take(name, &value) {
                    self.stops.push(out.stop(next, error, false));
                }
                // A repeated tag stays unread: it is not known which of its values counts.
                if !self.names.iter().any(|own| own == name) {
                    out.mark(next..end, Span::Tags);
                    self.names.push(name.to_owned());
                }
                let behind = first_line(after);
                let is_last = behind.trim().is_empty();
                next = end + if is_last { behind.len() } else { 0 };
                continue;
            }
            let content = line.trim();
            if rest.starts_with('[') && (is_tag_like(rest) || content == "[") {
                let text = format!("{}: expected [Name \"value\"]", excerpt(content));
                self.stops.push(out.stop(next, text, true));
            } else if !content.is_empty() && is_tag_like(line.trim_start()) {
                next += line.len() - line.trim_start().len();
                continue;
            } else if !content.is_empty() || line.is_empty() {
                return next;
            }
            next += line.len();
            // If a tag after a blank line repeats a tag of this game, it belongs to the next game.
            let behind = tag(text[next..].trim_start()).filter(|_| content.is_empty());
            if behind.is_some_and(|(name, ..)| self.names.iter().any(|own| own == name)) {
                return next;
            }
        }
    }

    /// Reads the moves in the part `range` of the text. Returns the game and the byte offset of its
    /// end.
    fn read_moves(&mut self, out: &mut Reading, range: Range<usize>) -> (Game, usize) {
        let (at, text) = (range.start, out.text);
        let parts = Parts::of(&text[range.clone()]);
        let mut tokens = tokens(&parts.moves, 0..parts.moves.len());
        let is_drop = |token: &Token| token.before.contains(Before::DROP);
        self.is_flipello |= tokens.iter().any(is_drop);
        let start = self.start.unwrap_or(Position::START);
        let is_bottom = self.mirror(&mut tokens, start);
        let mut list = lists::list(&parts.moves, &tokens, start);
        if is_bottom {
            list.game.notes_mut().warnings.push(mirrored_record());
        }
        let end = match (&list.stop, &list.result) {
            (None, Some(result)) => at + result.span().end,
            _ => range.end,
        };
        if let Some(stop) = &mut list.stop {
            stop.at += at;
        }
        out.mark(
            at..list.stop.as_ref().map_or(end, |stop| stop.at),
            Span::Record,
        );
        self.stops.extend(list.stop.take());
        if self.stops.is_empty() {
            let is_cut = end == text.len() && !list.game.is_over();
            let unfinished = unfinished(out, at, list.result.as_ref(), is_cut);
            self.stops.extend(unfinished);
        }
        let faults = parts.faults.iter().filter(|(fault, _)| at + fault < end);
        let faults = faults.map(|(fault, why)| out.stop(at + fault, why, true));
        self.stops.extend(faults);
        parts.annotate(&mut list, end - at);
        (list.game, end)
    }

    /// Mirrors the squares if the record counts rows from the bottom. Returns whether a warning is
    /// needed, because only the first move, which is illegal unless mirrored, shows how rows are
    /// counted.
    fn mirror(&self, tokens: &mut [Token], start: Position) -> bool {
        let first = tokens.iter().find_map(Token::square);
        let is_bottom =
            start == Position::START && first.is_some_and(|first| is_mirrored(&start, first));
        for token in tokens.iter_mut().filter(|_| is_bottom || self.is_flipello) {
            if let Kind::Square(square) = &mut token.kind {
                *square = mirrored(*square);
            }
        }
        is_bottom && !self.is_flipello
    }

    /// Gives the tags and the outcome of the record to `game`.
    fn finish(mut self, game: &mut Game) {
        let mut outcome = self.result.or(game.tags.outcome);
        let termination = &self.termination;
        if !outcome
            .as_mut()
            .is_some_and(|own| own.set_termination(termination))
        {
            self.tags.set("Termination", termination);
        }
        if self.is_flipello {
            // White of the record moves first, and is therefore Black.
            let tags = &mut self.tags;
            mem::swap(&mut tags.black, &mut tags.white);
            let elos = ["BlackElo", "WhiteElo"].map(|name| tags.get(name).to_owned());
            tags.set("BlackElo", &elos[1]);
            tags.set("WhiteElo", &elos[0]);
        }
        game.tags = self.tags;
        game.tags.outcome = outcome;
        game.settle();
    }
}

/// Reads the game whose tags begin at byte `at`. Returns the byte offset of its end.
pub(super) fn read(out: &mut Reading, at: usize) -> usize {
    let at = out.text.len() - out.text[at..].trim_start().len();
    let mut record = Record::default();
    let next = record.read_tags(out, at);
    let end = end_of_moves(out.text, next);
    let (mut game, end) = record.read_moves(out, next..end);
    let stops = mem::take(&mut record.stops);
    record.finish(&mut game);
    out.add(at..at, Span::Record, game, None);
    if let Some(entry) = out.entries.last_mut() {
        entry.stops = stops;
    }
    end
}

/// Returns an error if the moves, which begin at byte `at`, end with a move number without a move,
/// or have no result although `is_cut`. `is_cut`: the text ends before the game is over.
fn unfinished(out: &Reading, at: usize, result: Option<&Token>, is_cut: bool) -> Option<Stop> {
    match result {
        Some(result) if result.number > 0 => {
            let text = format!("{}. has no move", result.number);
            Some(out.stop(at + result.span().start, text, true))
        }
        None if is_cut => {
            let text = "the text ends without a result of this game (expected * or discs)";
            let (sentence, is_game) = (text.into(), true);
            let (at, why) = (out.text.len(), Why::Said { sentence, is_game });
            Some(Stop { at, why })
        }
        _ => None,
    }
}

/// Returns the byte offset of the end of the moves that begin at byte `at`. The moves end before
/// the next PGN game, before the next record of another format that [`segments`] detects, or at the
/// end of the text. Comments are skipped.
fn end_of_moves(text: &str, at: usize) -> usize {
    let (mut end, mut comment) = (at, at);
    for line in text[at..].split_inclusive('\n') {
        for (open, _) in line.match_indices('{') {
            if end + open >= comment {
                comment = end_of_comment(text, end + open);
            }
        }
        let head = segments::head_in(&text[end..], line).map(|head| end + head);
        let is_head =
            |head: &usize| *head >= comment && (*head > at || line.trim_start().starts_with('['));
        if let Some(head) = head.filter(is_head) {
            return head;
        }
        end += line.len();
    }
    end
}

/// Returns the byte offset of the end of the comment that begins at byte `at`. Returns `at` if the
/// comment is not closed before the next blank line, or is a JSON object.
fn end_of_comment(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let is_object = rest[1..].trim_start().starts_with(['"', '\'']);
    let has_blank = |end: &usize| {
        let comment = &rest[..*end];
        comment.contains("\n\n") || comment.contains("\n\r\n")
    };
    let end = rest.find('}').filter(|end| !is_object && !has_blank(end));
    end.map_or(at, |end| at + end + 1)
}

/// Returns the value of a tag, or an empty text if the value means unknown: `?`, `-` or
/// `????.??.??`.
fn known(value: &str) -> &str {
    let is_unknown = value == "-" || value.chars().all(|letter| "?.".contains(letter));
    if is_unknown { "" } else { value }
}

/// Parses a time control in seconds: `300`, or `300+5` with an increment.
fn time_control(value: &str) -> Option<TimeLimit> {
    let (main, increment) = value.split_once('+').unwrap_or((value, "0"));
    let seconds = |text: &str| Some(Duration::from_secs(text.trim().parse::<u32>().ok()?.into()));
    Some(TimeLimit {
        main: seconds(main)?,
        increment: seconds(increment)?,
        grace: Duration::ZERO,
    })
}

/// Moves of a game, separated from the comments and variations between them.
#[derive(Debug, Default)]
struct Parts {
    /// The text with blanks in place of comments, variations and annotations. Byte offsets stay the
    /// same.
    moves: String,
    /// Comments with their byte offsets.
    comments: Vec<(usize, String)>,
    variations: usize,
    /// Syntax errors, each with its byte offset.
    faults: Vec<(usize, &'static str)>,
}

impl Parts {
    /// Separates the moves, comments, variations and annotations of `text`.
    fn of(text: &str) -> Parts {
        let mut parts = Parts::default();
        let mut moves = text.as_bytes().to_vec();
        let mut at = 0;
        while let Some(next) = text[at..].find(['{', '}', '(', ')', '[', ']', ';', '%', '$']) {
            at += next;
            let end = at + parts.take(text, at);
            let between = moves[at..end].iter_mut().filter(|byte| **byte != b'\n');
            between.for_each(|byte| *byte = b' ');
            at = end;
        }
        // Cannot fail: only whole characters were replaced.
        parts.moves = String::from_utf8(moves).unwrap_or_default();
        parts
    }

    /// Reads the comment, variation or annotation at byte `at`. Returns its length in bytes.
    fn take(&mut self, text: &str, at: usize) -> usize {
        let rest = &text[at..];
        let line = rest.find('\n').unwrap_or(rest.len());
        match rest.as_bytes()[0] {
            b'{' => {
                let end = rest.find('}');
                let length = end.map_or(rest.len(), |end| end + 1);
                let comment = rest[1..length].trim_end_matches('}');
                if end.is_none() {
                    self.faults
                        .push((at, "the comment is not closed (expected })"));
                } else if comment.contains('{') {
                    self.faults.push((at, "a comment within a comment"));
                }
                self.comments.push((at, on_one_line(comment)));
                length
            }
            b';' => {
                self.comments.push((at, on_one_line(&rest[1..line])));
                line
            }
            b'%' if at == 0 || text[..at].ends_with('\n') => line,
            b'%' => 1,
            b'$' => 1 + rest[1..].bytes().take_while(u8::is_ascii_digit).count(),
            b'(' => self.variation(at, rest),
            _ => {
                self.faults.push((at, "this bracket is no part of a move"));
                1
            }
        }
    }

    /// Counts the variation at byte `at`, and returns its length in bytes. It may contain
    /// variations and comments.
    fn variation(&mut self, at: usize, rest: &str) -> usize {
        self.variations += 1;
        let (mut depth, mut is_comment) = (0, false);
        for (offset, sign) in rest.bytes().enumerate() {
            match sign {
                b'{' | b'}' => is_comment = sign == b'{',
                b'(' if !is_comment => depth += 1,
                b')' if !is_comment => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return offset + 1;
            }
        }
        self.faults
            .push((at, "the variation is not closed (expected ))"));
        rest.len()
    }

    /// Adds the comments before byte `end` to the game of `list`.
    fn annotate(self, list: &mut List, end: usize) {
        let game = &mut list.game;
        for (at, comment) in self.comments.iter().filter(|(at, _)| *at < end) {
            let before = list.places.partition_point(|place| place < at);
            let played = game.placed_mut(before);
            let comment = played.map_or(&**comment, |played| played.take_comment(comment));
            if !comment.is_empty() {
                game.notes_mut().add_comment(before, comment, " ");
            }
        }
        game.warn_of_variations(self.variations);
    }
}

impl Game {
    /// Formats the game as PGN, with a blank line after it. Evaluations, depths and times are
    /// comments such as `{+1.50/12 0.23s}`.
    ///
    /// ```
    /// use emilia_core::board::{Position, Transcript};
    /// use emilia_games::Game;
    /// let mut game = Game::from(&Transcript::parse("f5d6", Position::START).unwrap());
    /// game.tags.black = "Ann".to_owned();
    /// assert!(game.to_pgn().contains("[Black \"Ann\"]"));
    /// assert!(game.to_pgn().ends_with("\n\n1. f5 d6 *\n\n"));
    /// ```
    pub fn to_pgn(&self) -> String {
        let tags = &self.tags;
        let (result, termination) = self.outcome().map_or(("*".to_owned(), None), Outcome::pgn);
        let mut text = String::new();
        let mut add = |name: &str, value: &str| {
            let value = value.replace(['\r', '\n'], " ");
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            text.extend(["[", name, " \"", &value, "\"]\n"]);
        };
        for name in ROSTER {
            let value = match tags.get(name) {
                "" => "?".to_owned(),
                date if name == "Date" => date.replace('-', "."),
                value => value.to_owned(),
            };
            add(name, &value);
        }
        add("Result", &result);
        for (name, value) in &tags.more {
            if !ROSTER.contains(&name.as_str()) {
                add(name, value);
            }
        }
        if let Some(limit) = tags.time {
            let [main, increment] = [limit.main, limit.increment].map(|time| time.as_secs());
            let seconds = format!("{main}+{increment}");
            add("TimeControl", seconds.trim_end_matches("+0"));
        }
        if let Some(termination) = termination {
            add("Termination", termination);
        }
        if self.start() != Position::START {
            add("SetUp", "1");
            add("FEN", &self.start().to_string());
        }
        text.push('\n');
        let words = self.pgn_words().into_iter().chain([result]);
        text + &wrapped(words) + "\n"
    }

    /// Returns the words of the text after the tags: move numbers, squares, passes and comments.
    fn pgn_words(&self) -> Vec<String> {
        let comment = |placed, thought: String| {
            let own = on_one_line(self.notes().comment(placed).unwrap_or_default());
            let own = own.replace('{', "(").replace('}', ")");
            let has_both = !thought.is_empty() && !own.is_empty();
            let gap = if has_both { ", " } else { "" };
            let text = [&*thought, gap, &own].concat();
            (!text.is_empty()).then(|| format!("{{{text}}}"))
        };
        let mut words: Vec<String> = comment(0, String::new()).into_iter().collect();
        let (mut number, mut placed) = (1, 0);
        for (played, position) in self.moves().iter().zip(self.positions()) {
            match position.mover {
                Color::Black => words.push(format!("{number}.")),
                Color::White if placed == 0 => words.push(format!("{number}...")),
                Color::White => {}
            }
            number += usize::from(position.mover == Color::White);
            match played.mv {
                Move::Pass => words.push("--".to_owned()),
                Move::Place(square) => {
                    words.push(square.to_string());
                    placed += 1;
                    words.extend(comment(placed, played.comment()));
                }
            }
        }
        words
    }
}

/// Returns the first line of a text, line break included.
fn first_line(text: &str) -> &str {
    text.split_inclusive('\n').next().unwrap_or_default()
}

/// Joins words to lines of at most [`WIDTH`] bytes.
fn wrapped(words: impl Iterator<Item = String>) -> String {
    let (mut text, mut line) = (String::new(), 0);
    for word in words {
        let gap = match line {
            0 => "",
            _ if line + 1 + word.len() > WIDTH => "\n",
            _ => " ",
        };
        line = word.len() + if gap == " " { line + 1 } else { 0 };
        text.extend([gap, &word]);
    }
    text + "\n"
}

/// Replaces each run of white space by one space.
fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
