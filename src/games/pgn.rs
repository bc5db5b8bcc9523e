//! PGN, Portable Game Notation, as sites and programs write it for Othello.
//!
//! `[Black "Ann"] … 1. f5 d6 2. c3 d3 … 48-16`. `--` is a pass. Comments are kept, variations and
//! annotations (`$1`, `!?`) are counted and left out.

use std::time::Duration;

use super::tokens::tokens;
use super::{Game, Outcome, Tags, TimeLimit, found};
use emilia_core::board::{Color, Move, Position};

/// Maximum length of a line of moves.
const WIDTH: usize = 79;

/// Tags that every game has, in this order. `Result` comes last.
const ROSTER: [&str; 6] = ["Event", "Site", "Date", "Round", "Black", "White"];

/// Returns whether a line of a text is a tag, such as `[Event "Open"]`, and no GGF or SGF is
/// before it.
pub(super) fn is_pgn(text: &str) -> bool {
    let is_tag = |line: &str| line.starts_with('[') && tag(line.trim()).is_some();
    text.contains('[') && !text.trim_start().starts_with('(') && text.lines().any(is_tag)
}

/// Parses a line `[Name "value"]`. Returns the value with escapes resolved.
fn tag(line: &str) -> Option<(&str, String)> {
    let (name, value) = line.strip_prefix('[')?.split_once(char::is_whitespace)?;
    let value = value.trim_start().strip_prefix('"')?;
    let value = value
        .trim_end()
        .strip_suffix(']')?
        .trim_end()
        .strip_suffix('"')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let mut text = String::new();
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        text.extend(if letter == '\\' {
            letters.next()
        } else {
            Some(letter)
        });
    }
    is_name.then_some((name, text))
}

/// Splits a text into games. Each is its tags and the text of its moves, with its first line, from 1.
pub(super) fn records(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut starts = Vec::new();
    let (mut at, mut is_in_tags) = (0, false);
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let is_tag = tag(line.trim()).is_some();
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

/// Reads a game of [`records`].
///
/// # Errors
/// If its first move is illegal, or its start position is invalid.
pub(super) fn read(text: &str) -> Result<Game, String> {
    let mut tags = Tags::default();
    let (mut start, mut result, mut termination) = (Position::START, None, String::new());
    let mut moves = String::new();
    for line in text.lines() {
        let Some((name, value)) = tag(line.trim()) else {
            // A line that begins with `%` is a comment.
            let line = if line.starts_with('%') { "" } else { line };
            moves.extend([line, "\n"]);
            continue;
        };
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
    }
    let parts = Parts::of(&moves);
    let mut game = found::moves(&parts.moves, start);
    if game.placed() == 0 && !game.warnings().is_empty() {
        return Err(game.warnings().concat());
    }
    tags.outcome = result.or(parts.result);
    let is_reason = (tags.outcome.as_mut()).is_some_and(|own| own.set_termination(&termination));
    if !is_reason {
        tags.set("Termination", &termination);
    }
    game.tags = tags;
    for (placed, comment) in parts.comments {
        if placed <= game.placed() {
            game.notes_mut().comments.push((placed, comment));
        }
    }
    if parts.variations > 0 {
        let plural = if parts.variations == 1 { "" } else { "s" };
        game.notes_mut()
            .warnings
            .push(format!("{} variation{plural} left out", parts.variations));
    }
    Ok(game)
}

/// Returns the text of a tag, empty if it is unknown: `?`, `-` or `????.??.??`.
fn known(value: &str) -> &str {
    let is_unknown = value == "-" || value.chars().all(|letter| "?.".contains(letter));
    if is_unknown { "" } else { value }
}

/// Parses seconds, `300` or `300+5`.
fn time_control(value: &str) -> Option<TimeLimit> {
    let (main, increment) = value.split_once('+').unwrap_or((value, "0"));
    let seconds = |text: &str| {
        text.trim()
            .parse()
            .ok()
            .map(|seconds: u32| Duration::from_secs(seconds.into()))
    };
    Some(TimeLimit {
        main: seconds(main)?,
        increment: seconds(increment)?,
        grace: Duration::ZERO,
    })
}

/// The moves of a game, apart from what is between them.
#[derive(Debug, Default)]
struct Parts {
    moves: String,
    /// Comments with the number of moves before them, passes left out.
    comments: Vec<(usize, String)>,
    variations: usize,
    /// Result after the moves.
    result: Option<Outcome>,
}

impl Parts {
    /// Splits the text of the moves.
    fn of(text: &str) -> Parts {
        let mut parts = Parts::default();
        let mut rest = text;
        let mut placed = 0;
        while let Some(at) = rest.find(['{', ';', '(', ')', '$']) {
            placed += parts.add_moves(&rest[..at]);
            let sign = rest.as_bytes()[at];
            let inside = &rest[at + 1..];
            rest = match sign {
                b'{' | b';' => {
                    let end = inside.find(if sign == b'{' { '}' } else { '\n' });
                    let (comment, after) = inside.split_at(end.unwrap_or(inside.len()));
                    parts.add_comment(placed, comment);
                    after.get(1..).unwrap_or_default()
                }
                b'(' => {
                    parts.variations += 1;
                    after_variation(inside)
                }
                b'$' => inside.trim_start_matches(|c: char| c.is_ascii_digit()),
                _ => inside,
            };
        }
        parts.add_moves(rest);
        parts
    }

    /// Adds a text of moves, and returns their number.
    fn add_moves(&mut self, text: &str) -> usize {
        let mut count = 0;
        for word in text.split_whitespace() {
            let is_result = word.contains('-') && word.starts_with(|c: char| c.is_ascii_digit());
            if is_result && let Some(outcome) = Outcome::parse(word) {
                self.result = outcome;
            } else {
                let tokens = tokens(word);
                count += tokens
                    .iter()
                    .filter(|token| token.square().is_some())
                    .count();
                self.moves.extend([word, " "]);
            }
        }
        count
    }

    fn add_comment(&mut self, placed: usize, comment: &str) {
        let comment = on_one_line(comment);
        match self.comments.last_mut() {
            _ if comment.is_empty() => {}
            Some((at, before)) if *at == placed => before.extend([" ", &comment]),
            _ => self.comments.push((placed, comment)),
        }
    }
}

/// Returns the text after the bracket that ends a variation.
fn after_variation(text: &str) -> &str {
    let mut depth = 1;
    let mut rest = text;
    while let Some(at) = rest.find(['(', ')', '{']) {
        let sign = rest.as_bytes()[at];
        rest = &rest[at + 1..];
        match sign {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => rest = rest.split_once('}').map_or("", |(_, after)| after),
        }
        if depth == 0 {
            return rest;
        }
    }
    ""
}

impl Game {
    /// Formats the game as PGN, with a blank line after it. Evaluations and times are left out.
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
        let outcome = tags
            .outcome
            .or_else(|| self.score().map(|score| Outcome::played(score.into())));
        let (result, termination) = outcome.map_or(("*".to_owned(), None), Outcome::pgn);
        let mut text = String::new();
        let mut add = |name: &str, value: &str| {
            let value = value.replace(['\r', '\n'], " ");
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            text.extend(["[", name, " \"", &value, "\"]\n"]);
        };
        for name in ROSTER {
            let value = tags.get(name);
            add(name, if value.is_empty() { "?" } else { value });
        }
        add("Result", &result);
        for (name, value) in &tags.more {
            if !ROSTER.contains(&name.as_str()) {
                add(name, value);
            }
        }
        if let Some(limit) = tags.time {
            let increment = match limit.increment.as_secs() {
                0 => String::new(),
                seconds => format!("+{seconds}"),
            };
            add(
                "TimeControl",
                &format!("{}{increment}", limit.main.as_secs()),
            );
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
        let comments = |placed: usize| {
            let own = self
                .notes()
                .comments
                .iter()
                .filter(move |(at, _)| *at == placed);
            own.map(|(_, comment)| format!("{{{}}}", on_one_line(comment).replace('}', ")")))
        };
        let mut words: Vec<String> = comments(0).collect();
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
                    words.extend(comments(placed));
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
