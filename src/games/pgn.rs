//! PGN, Portable Game Notation, as sites and programs write it for Othello.
//!
//! `[Black "Ann"] … 1. f5 d6 2. c3 d3 … 48-16`. `--` is a pass. Comments are kept, variations and
//! annotations (`$1`, `!?`) are counted and left out.

use std::mem;
use std::time::Duration;

use super::{Game, Outcome, Tags, TimeLimit, found};
use emilia_core::board::{Color, Move, Position, Sentence, Square, excerpt};

/// Maximum length of a line of moves.
const WIDTH: usize = 79;

/// Tags that every game has, in this order. `Result` comes last.
const ROSTER: [&str; 6] = ["Event", "Site", "Date", "Round", "Black", "White"];

/// Returns whether a line of a text is a tag, such as `[Event "Open"]`, and no GGF or SGF is
/// before it.
pub(super) fn is_pgn(text: &str) -> bool {
    let is_tag = |line: &str| tag(line).is_some();
    text.contains('[') && !text.trim_start().starts_with('(') && text.lines().any(is_tag)
}

/// Returns whether a line begins like a tag, which may be damaged.
fn is_tag_like(line: &str) -> bool {
    let Some(tag) = line.strip_prefix('[') else {
        return false;
    };
    let name = tag
        .find(|c: char| !c.is_ascii_alphabetic() && c != '_')
        .unwrap_or(tag.len());
    name > 2 && tag[name..].starts_with([' ', '\t', '"'])
}

/// Parses `[Name "value"]` at the start of a text. Returns the value with escapes resolved, and the
/// text behind the tag.
fn tag(text: &str) -> Option<(&str, String, &str)> {
    let (name, rest) = text.strip_prefix('[')?.split_once(char::is_whitespace)?;
    let mut letters = rest.trim_start().strip_prefix('"')?.chars();
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let mut value = String::new();
    loop {
        match letters.next()? {
            '"' => break,
            '\\' => value.extend(letters.next()),
            letter => value.push(letter),
        }
    }
    let rest = letters.as_str().trim_start().strip_prefix(']')?;
    is_name.then_some((name, value, rest.trim_start_matches([' ', '\t'])))
}

/// Reads the games of a text.
pub(super) fn games(text: &str) -> impl Iterator<Item = Result<Game, Sentence>> {
    let mut records = records(text).peekable();
    std::iter::from_fn(move || {
        let (line, record) = records.next()?;
        let game = read(record, line, records.peek().is_none());
        Some(game.map_err(|error| error.within(format_args!("line {line}: "))))
    })
}

/// Splits a text into games. Each is its tags and the text of its moves, with its first line, from 1.
fn records(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut starts = Vec::new();
    let (mut at, mut is_in_tags) = (0, false);
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let is_tag = is_tag_like(line) || tag(line).is_some();
        if is_tag && !is_in_tags {
            starts.push((number, at));
        }
        is_in_tags = is_tag || is_in_tags && line.trim().is_empty();
        at += line.len();
    }
    let ends: Vec<usize> = (starts.iter().skip(1))
        .map(|&(_, start)| start)
        .chain([text.len()])
        .collect();
    starts
        .into_iter()
        .zip(ends)
        .map(|((line, start), end)| (line, &text[start..end]))
}

/// Reads a game of [`records`], which begins on this line of its file. The last game of a file is
/// cut if it has no result.
///
/// # Errors
/// If its first move is illegal, its start position is invalid, or it is a game of chess.
fn read(text: &str, mut line: usize, is_last: bool) -> Result<Game, Sentence> {
    let mut tags = Tags::default();
    let (mut start, mut result, mut termination) = (Position::START, None, String::new());
    let mut faults = Vec::new();
    let mut rest = text;
    loop {
        if let Some((name, value, after)) = tag(rest) {
            rest = after;
            match name {
                "Result" => result = Outcome::parse(&value).flatten(),
                "Termination" => termination = value,
                "TimeControl" => match time_control(&value) {
                    Some(limit) => tags.time = Some(limit),
                    None => tags.set(name, &value),
                },
                "SetUp" => {}
                "FEN" => {
                    let position = value.parse();
                    start = position.map_err(|error| format!("start position: {error}"))?;
                }
                _ => tags.set(name, known(&value)),
            }
            continue;
        }
        let (content, after) = rest.split_once('\n').unwrap_or((rest, ""));
        if is_tag_like(rest) || !content.trim().is_empty() && is_tag_like(after) {
            let tag = excerpt(content.trim());
            faults.push(format!("line {line}: {tag}: expected [Name \"value\"]"));
        } else if !content.trim().is_empty() || rest.is_empty() {
            break;
        }
        (rest, line) = (after, line + 1);
    }
    let parts = Parts::of(rest, line);
    if let Some(word) = parts.moves.split_whitespace().find(|word| is_chess(word)) {
        let text = format!("{word} is a move of chess (expected a game of Othello)");
        return Err(text.into());
    }
    faults.extend(parts.faults);
    let mut list = found::list(&parts.moves, start, line, true);
    let (places, has_result) = (mem::take(&mut list.places), list.has_result);
    let mut game = list.game()?;
    if is_last && !has_result && !game.is_over() && !game.is_cut() {
        faults.push("the text ends without a result of this game (expected * or discs)".to_owned());
    }
    tags.outcome = result.or(game.tags.outcome);
    let is_reason = (tags.outcome.as_mut()).is_some_and(|own| own.set_termination(&termination));
    if !is_reason {
        tags.set("Termination", &termination);
    }
    game.tags = tags;
    for (at, comment) in parts.comments {
        let before = places.partition_point(|&place| place < at);
        let played = game.placed_mut(before);
        let comment = played.map_or(&*comment, |played| played.take_comment(&comment));
        if !comment.is_empty() {
            game.notes_mut().add_comment(before, comment, " ");
        }
    }
    game.warn_of_variations(parts.variations);
    for fault in faults {
        game.cut(fault);
    }
    Ok(game)
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
    faults: Vec<String>,
}

impl Parts {
    /// Splits the text of the moves, which begins on this line of its file.
    fn of(text: &str, line: usize) -> Parts {
        let mut parts = Parts::default();
        let mut moves = text.as_bytes().to_vec();
        let (mut at, mut depth, mut opened) = (0, 0_usize, 0);
        let fault = |at: usize, what: &str| {
            let line = line + text[..at].matches('\n').count();
            format!("line {line}: {what}")
        };
        while let Some(sign) = text[at..].chars().next() {
            let rest = &text[at..];
            let is_comment = matches!(sign, '{' | ';');
            let (length, problem) = match sign {
                '{' => match rest.find('}') {
                    Some(end) if rest[1..end].contains('{') => {
                        (end + 1, "a comment within a comment")
                    }
                    Some(end) => (end + 1, ""),
                    None => (rest.len(), "the comment is not closed (expected })"),
                },
                ';' => (rest.find('\n').unwrap_or(rest.len()), ""),
                '%' if text[..at].is_empty() || text[..at].ends_with('\n') => {
                    (rest.find('\n').unwrap_or(rest.len()), "")
                }
                '$' => {
                    let digits = rest[1..].bytes().take_while(u8::is_ascii_digit);
                    (1 + digits.count(), "")
                }
                '(' | ')' | '}' | '[' | ']' => {
                    match sign {
                        '(' if depth == 0 => {
                            (depth, opened) = (1, at);
                            parts.variations += 1;
                        }
                        '(' => depth += 1,
                        ')' if depth > 0 => depth -= 1,
                        _ => {
                            let problem = format!("{sign} is no part of a move");
                            parts.faults.push(fault(at, &problem));
                        }
                    }
                    (1, "")
                }
                _ if depth == 0 => {
                    at += sign.len_utf8();
                    continue;
                }
                _ => (sign.len_utf8(), ""),
            };
            if !problem.is_empty() {
                parts.faults.push(fault(at, problem));
            }
            let end = at + length;
            if is_comment && depth == 0 {
                let comment = on_one_line(text[at + 1..end].trim_end_matches('}'));
                parts
                    .comments
                    .extend((!comment.is_empty()).then_some((at, comment)));
            }
            let between = moves[at..end].iter_mut().filter(|byte| **byte != b'\n');
            between.for_each(|byte| *byte = b' ');
            at = end;
        }
        if depth > 0 {
            let problem = "the variation is not closed (expected ))";
            parts.faults.push(fault(opened, problem));
        }
        // Only whole characters were replaced.
        parts.moves = String::from_utf8(moves).unwrap_or_default();
        parts
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
