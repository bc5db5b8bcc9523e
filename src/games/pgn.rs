//! PGN, Portable Game Notation, as sites and programs write it for Othello.
//!
//! `[Black "Ann"] … 1. f5 d6 2. c3 d3 … 48-16`. `--` is a pass. Comments are kept, variations and
//! annotations (`$1`, `!?`) are counted and left out.

use std::mem;
use std::ops::Range;
use std::time::Duration;

use super::reading::{Reading, Span, Stop, Why};
use super::tokens::{Before, Kind, Token, mirrored, tokens};
use super::{Game, Outcome, Tags, TimeLimit, lists, segments};
use emilia_core::board::{Color, Move, Position, Sentence, Square, excerpt};

/// Maximum length of a line of moves.
const WIDTH: usize = 79;

/// Tags that are known in any case.
const KNOWN: &str = "Event Site Date Round Black White Result BlackElo WhiteElo Termination \
    TimeControl Variant FEN";

/// Tags that every game has, in this order. `Result` comes last.
const ROSTER: [&str; 6] = ["Event", "Site", "Date", "Round", "Black", "White"];

/// Returns whether a text begins like a tag, which may be damaged.
pub(super) fn is_tag_like(text: &str) -> bool {
    let Some(tag) = text.strip_prefix('[') else {
        return false;
    };
    let is_other = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    let name = tag.find(is_other).unwrap_or(tag.len());
    let value = tag[name..].trim_start();
    let is_quoted = QUOTES.iter().any(|(open, _)| value.starts_with(open));
    name > 2
        && tag.as_bytes()[0].is_ascii_alphabetic()
        && (is_quoted || value.len() < tag.len() - name)
}

/// Quotation marks of a value, as they open and close it.
const QUOTES: [(&str, &str); 5] = [
    ("\"", "\""),
    ("\u{201c}", "\u{201d}"),
    ("\u{201d}", "\u{201d}"),
    ("&quot;", "&quot;"),
    ("'", "'"),
];

/// Parses `[Name "value"]` at the start of a text. Returns the value with escapes resolved, and the
/// text behind the tag.
fn tag(text: &str) -> Option<(&str, String, &str)> {
    let text = text.strip_prefix('[')?;
    let is_other = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    let (name, rest) = text.split_at(text.find(is_other)?);
    let rest = rest.trim_start();
    let (open, close) = QUOTES.iter().find(|(open, _)| rest.starts_with(open))?;
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

/// Returns whether the first square of a game is legal only in a record that counts rows from the
/// bottom. The legal squares of the usual start and their mirror images have none in common.
pub(super) fn is_mirrored(start: &Position, first: Square) -> bool {
    let legal = start.board.legal_moves();
    !legal.contains(first) && legal.contains(mirrored(first))
}

/// Tags of a record, and what they say of its moves.
#[derive(Default)]
struct Head {
    tags: Tags,
    start: Option<Position>,
    result: Option<Outcome>,
    termination: String,
    /// Names of the tags so far.
    names: Vec<String>,
    /// Whether the record is of a program for variants of chess: its White moves first, and its
    /// first rank is the lowest.
    is_flipello: bool,
}

impl Head {
    /// Takes a tag.
    ///
    /// # Errors
    /// If the start position is invalid.
    fn take(&mut self, name: &str, value: &str) -> Result<(), String> {
        let canonical = KNOWN.split(' ').find(|own| own.eq_ignore_ascii_case(name));
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
                let start = value
                    .parse()
                    .map_err(|error| format!("start position: {error}"))?;
                self.is_flipello |= value.contains('/');
                self.start = Some(start);
            }
            name => self.tags.set(name, known(value)),
        }
        Ok(())
    }

    /// Exchanges the sides: White of the record is Black.
    fn exchange(&mut self) {
        let tags = &mut self.tags;
        mem::swap(&mut tags.black, &mut tags.white);
        let elos = ["BlackElo", "WhiteElo"].map(|name| tags.get(name).to_owned());
        tags.set("BlackElo", &elos[1]);
        tags.set("WhiteElo", &elos[0]);
    }
}

/// Reads the game whose tags begin at byte `at`. Returns where it ended.
pub(super) fn read(out: &mut Reading, at: usize) -> usize {
    let text = out.text;
    let at = at + (text[at..].len() - text[at..].trim_start().len());
    let (mut head, mut stops) = (Head::default(), Vec::new());
    let mut next = at;
    loop {
        let rest = &text[next..];
        if let Some((name, value, after)) = tag(rest) {
            let end = text.len() - after.len();
            if let Err(error) = head.take(name, &value) {
                stops.push(Stop::refused(next, error));
            }
            // Which of two values counts is not known.
            let is_first = !head.names.iter().any(|own| own == name);
            if is_first {
                out.mark(next..end, Span::Tags);
                head.names.push(name.to_owned());
            }
            let line = text[end..]
                .find('\n')
                .map_or(text.len(), |line| end + line + 1);
            next = if text[end..line].trim().is_empty() {
                line
            } else {
                end
            };
            continue;
        }
        let line = rest.find('\n').map_or(rest, |end| &rest[..=end]);
        if rest.starts_with('[') && (is_tag_like(rest) || line.trim() == "[") {
            let tag = excerpt(line.trim());
            let text = format!("{tag}: expected [Name \"value\"]");
            stops.push(Stop {
                at: next,
                why: Why::Line {
                    text,
                    is_game: true,
                },
            });
        } else if !line.trim().is_empty() || line.is_empty() {
            if rest.starts_with([' ', '\t']) && is_tag_like(rest.trim_start()) {
                next += rest.len() - rest.trim_start().len();
                continue;
            }
            break;
        }
        next += line.len();
        // Tags behind a blank line are those of the next game.
        if line.trim().is_empty() && is_tag_like(text[next..].trim_start()) {
            break;
        }
    }
    let end = end_of_moves(text, next);
    let end = add(out, at, next..end, head, &mut stops);
    if let Some(entry) = out.entries.last_mut() {
        entry.stops.extend(stops);
    }
    end
}

/// Returns where the moves from byte `at` on end at the latest: where another format begins outside
/// the comments.
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

/// Returns where the comment that begins at byte `at` ends, and `at` if it is not closed before the
/// next blank line, or is an object of JSON.
fn end_of_comment(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let is_object = rest[1..].trim_start().starts_with(['"', '\'']);
    let has_blank = |end: &usize| {
        ["\n\n", "\n\r\n"]
            .iter()
            .any(|two| rest[..*end].contains(two))
    };
    let end = rest.find('}').filter(|end| !is_object && !has_blank(end));
    end.map_or(at, |end| at + end + 1)
}

/// Adds the game of these moves and tags. Returns where it ended.
fn add(
    out: &mut Reading,
    first: usize,
    range: Range<usize>,
    mut head: Head,
    stops: &mut Vec<Stop>,
) -> usize {
    let at = range.start;
    let is_last = range.end == out.text.len();
    let parts = Parts::of(&out.text[range.clone()]);
    if let Some(word) = parts.moves.split_whitespace().find(|word| is_chess(word)) {
        let text = format!("{word} is a move of chess (expected a game of Othello)");
        let (stop, end) = (Some(Stop::refused(first, text)), range.end);
        out.add(range, Span::Record, Game::default(), stop);
        return end;
    }
    let mut tokens = tokens(&parts.moves, 0..parts.moves.len());
    let drops = tokens
        .iter()
        .any(|token| token.before.contains(Before::DROP));
    head.is_flipello |= drops;
    let start = head.start.unwrap_or(Position::START);
    let squares = tokens.iter().find_map(Token::square);
    let is_bottom =
        start == Position::START && squares.is_some_and(|first| is_mirrored(&start, first));
    for token in tokens.iter_mut().filter(|_| is_bottom || head.is_flipello) {
        if let Kind::Square(square) = &mut token.kind {
            *square = mirrored(*square);
        }
    }
    let list = lists::list(&parts.moves, &tokens, start);
    let moved = |stop: Stop| Stop {
        at: stop.at + at,
        ..stop
    };
    let mut game = list.game;
    if is_bottom && !head.is_flipello {
        game.notes_mut().warnings.push(mirrored_record());
    }
    let result = list.result.map(|result| result.span());
    let end = match (&list.stop, &result) {
        (None, Some(result)) => at + result.end,
        _ => range.end,
    };
    let read = list.stop.as_ref().map_or(end, |stop| at + stop.at);
    out.mark(at..read, Span::Record);
    stops.extend(list.stop.map(moved));
    if let Some(number) = list
        .result
        .filter(|result| result.number > 0 && stops.is_empty())
    {
        let text = format!("{}. has no move", number.number);
        stops.push(Stop {
            at: at + number.span().start,
            why: Why::Line {
                text,
                is_game: true,
            },
        });
    }
    if is_last && result.is_none() && !game.is_over() && stops.is_empty() {
        let text = "the text ends without a result of this game (expected * or discs)";
        stops.push(Stop {
            at: end,
            why: Why::Text(text.into()),
        });
    }
    let faults = parts
        .faults
        .into_iter()
        .filter(|(fault, _)| at + fault < end);
    stops.extend(faults.map(|(fault, text)| Stop {
        at: at + fault,
        why: Why::Line {
            text,
            is_game: true,
        },
    }));
    let recorded = head.result.or(game.tags.outcome);
    if head.is_flipello {
        head.exchange();
    }
    let mut outcome = recorded;
    let is_reason = (outcome.as_mut()).is_some_and(|own| own.set_termination(&head.termination));
    if !is_reason {
        let termination = mem::take(&mut head.termination);
        head.tags.set("Termination", &termination);
    }
    game.tags = head.tags;
    game.tags.outcome = outcome;
    for (at, comment) in parts
        .comments
        .iter()
        .filter(|(comment, _)| at + comment < end)
    {
        let before = list.places.partition_point(|place| place < at);
        let played = game.placed_mut(before);
        let comment = played.map_or(&**comment, |played| played.take_comment(comment));
        if !comment.is_empty() {
            game.notes_mut().add_comment(before, comment, " ");
        }
    }
    game.warn_of_variations(parts.variations);
    game.settle();
    out.add(first..first, Span::Record, game, None);
    end
}

/// Returns whether a word is a move of chess: `Nf3`, `O-O`.
fn is_chess(word: &str) -> bool {
    let word = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let squares = word
        .trim_end_matches(['+', '#', '!', '?'])
        .get(1..)
        .unwrap_or_default();
    let is_square = |square: &str| square.len() == 2 && square.parse::<Square>().is_ok();
    word.starts_with("O-O")
        || word.starts_with(['K', 'Q', 'R', 'N', 'B'])
            && (2..=6).contains(&squares.len())
            && squares.starts_with(|c: char| c.is_ascii_lowercase())
            && squares.get(squares.len() - 2..).is_some_and(is_square)
}

/// Returns the text of a tag, empty if it is unknown: `?`, `-` or `????.??.??`.
fn known(value: &str) -> &str {
    let is_unknown = value == "-" || value.chars().all(|letter| "?.".contains(letter));
    if is_unknown { "" } else { value }
}

/// Parses seconds, `300` or `300+5`.
fn time_control(value: &str) -> Option<TimeLimit> {
    let (main, increment) = value.split_once('+').unwrap_or((value, "0"));
    let seconds = |text: &str| Some(Duration::from_secs(text.trim().parse::<u32>().ok()?.into()));
    Some(TimeLimit {
        main: seconds(main)?,
        increment: seconds(increment)?,
        grace: Duration::ZERO,
    })
}

/// The moves of a game, apart from what is between them.
#[derive(Debug, Default)]
struct Parts {
    /// The text with blanks in place of comments, variations and annotations.
    moves: String,
    /// Comments with their byte offsets.
    comments: Vec<(usize, String)>,
    variations: usize,
    /// What is wrong, with its byte offset.
    faults: Vec<(usize, String)>,
}

impl Parts {
    /// Splits the text of the moves.
    fn of(text: &str) -> Parts {
        let mut parts = Parts::default();
        let mut moves = text.as_bytes().to_vec();
        let (mut at, mut depth, mut opened) = (0, 0_usize, 0);
        while let Some(sign) = text[at..].chars().next() {
            let length = match parts.between(text, at, sign) {
                Some(length) => length,
                None if "(){}[]".contains(sign) => {
                    match sign {
                        '(' => {
                            opened = if depth == 0 { at } else { opened };
                            parts.variations += usize::from(depth == 0);
                            depth += 1;
                        }
                        ')' if depth > 0 => depth -= 1,
                        _ => parts
                            .faults
                            .push((at, format!("{sign} is no part of a move"))),
                    }
                    1
                }
                None if depth == 0 => {
                    at += sign.len_utf8();
                    continue;
                }
                None => sign.len_utf8(),
            };
            let end = at + length;
            if matches!(sign, '{' | ';') && depth == 0 {
                let comment = on_one_line(text[at + 1..end].trim_end_matches('}'));
                let comment = (!comment.is_empty()).then_some((at, comment));
                parts.comments.extend(comment);
            }
            let between = moves[at..end].iter_mut().filter(|byte| **byte != b'\n');
            between.for_each(|byte| *byte = b' ');
            at = end;
        }
        if depth > 0 {
            let problem = "the variation is not closed (expected ))";
            parts.faults.push((opened, problem.to_owned()));
        }
        // Only whole characters were replaced.
        parts.moves = String::from_utf8(moves).unwrap_or_default();
        parts
    }

    /// Returns the length of a comment or annotation at byte `at`, `None` for anything else.
    fn between(&mut self, text: &str, at: usize, sign: char) -> Option<usize> {
        let rest = &text[at..];
        let line = || rest.find('\n').unwrap_or(rest.len());
        match sign {
            '{' => {
                let end = rest.find('}');
                let problem = match end {
                    Some(end) if rest[1..end].contains('{') => Some("a comment within a comment"),
                    Some(_) => None,
                    None => Some("the comment is not closed (expected })"),
                };
                let fault = problem.map(|problem| (at, problem.to_owned()));
                self.faults.extend(fault);
                Some(end.map_or(rest.len(), |end| end + 1))
            }
            ';' => Some(line()),
            '%' if text[..at].is_empty() || text[..at].ends_with('\n') => Some(line()),
            '$' => Some(1 + rest[1..].bytes().take_while(u8::is_ascii_digit).count()),
            _ => None,
        }
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
        let mut line = String::new();
        for word in self.pgn_words().into_iter().chain([result]) {
            if !line.is_empty() && line.len() + 1 + word.len() > WIDTH {
                text.extend([&*line, "\n"]);
                line.clear();
            }
            line.extend([if line.is_empty() { "" } else { " " }, &word]);
        }
        text.extend([&*line, "\n\n"]);
        text
    }

    /// Returns the words of the moves: numbers, squares, passes and comments.
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

/// Replaces white space by single spaces.
fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
