//! Splits a text into segments: parts of the text that each have one format. The structured formats
//! are GGF, SGF, PGN, JSON and the log of a match. All other text is read line by line ([`lines`]).
//! The first characters of the remaining text determine the format of the next segment. The reader
//! of this format returns the end of the segment.

use super::reading::{Account, Reading};
use super::{Game, NoGames, collection, json, lines, match_log, pgn, tree};
use emilia_core::board::{Position, Sentence, Transcript};
use std::str::FromStr;

/// Reader of a structured format. Adds the games of the segment that begins at the given byte
/// offset of the text. Returns the offset of the segment's end, or `None` if the segment has
/// another format.
type Reader = fn(&mut Reading, usize) -> Option<usize>;

/// Reads the games of a text. The returned flag is true if no segment has a structured format, or
/// if the text has no games.
pub(super) fn read(text: &str) -> (bool, Account) {
    let mut out = Reading::new(text);
    let (mut at, mut is_text) = (0, true);
    while at < text.len() {
        let end = detect(&text[at..]).and_then(|read| read(&mut out, at));
        is_text &= end.is_none();
        at = end.unwrap_or_else(|| lines::read(&mut out, at));
    }
    let is_text = is_text || out.entries.is_empty();
    (is_text, out.account())
}

/// Reads the first game of a text.
///
/// # Errors
/// If there is no game, or a part of the game was not read.
impl FromStr for Game {
    type Err = Sentence;

    fn from_str(text: &str) -> Result<Game, Sentence> {
        let text = text.trim_start_matches('\u{feff}');
        collection::check_text(text.as_bytes())?;
        let (_, games) = read(&collection::clean(text));
        let first = games.into_iter().next();
        let game = first.unwrap_or_else(|| Err(NoGames::Empty.into()))?.game();
        match game.warnings().last() {
            Some(why) if game.is_cut() => Err(why.clone()),
            _ => Ok(game),
        }
    }
}

/// Returns the reader of the structured format that a text begins with, or `None` for other text.
fn detect(rest: &str) -> Option<Reader> {
    let rest = rest.trim_start();
    let record = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c.is_whitespace());
    match rest.as_bytes().first()? {
        b'{' if match_log::is_log(rest) => Some(|out, at| Some(match_log::read(out, at))),
        b'[' if pgn::is_tag_like(rest) => Some(|out, at| Some(pgn::read(out, at))),
        b'(' | b'0'..=b'9' if tree::is_start(record) => Some(|out, at| Some(tree::read(out, at))),
        b'{' | b'[' if json::is_start(rest) => Some(json::read),
        _ => None,
    }
}

/// Returns the byte offset in `line` at which a structured format begins, or `None`. `rest` is the
/// text that begins with `line`.
pub(super) fn head_in(rest: &str, line: &str) -> Option<usize> {
    let first = line.trim_start().as_bytes().first()?;
    if matches!(first, b'[' | b'{' | b'(' | b'0'..=b'9') && detect(rest).is_some() {
        return Some(0);
    }
    if first == &b'%' || first == &b'#' || !line.contains("(;") {
        return None;
    }
    let mut starts = line.match_indices("(;").map(|(at, _)| at);
    starts.find(|&at| tree::is_certain(&line[at..]))
}

/// Returns the byte offset at which reading resumes after an error at byte `at`: the start of the
/// next segment of a structured format, or of the next line that is a transcript.
pub(super) fn resume(text: &str, at: usize) -> usize {
    let mut next = at;
    for line in text[at..].split_inclusive('\n') {
        let start = next;
        next += line.len();
        let head = head_in(&text[start..], line).filter(|head| start + head > at);
        if let Some(head) = head {
            return start + head;
        }
        let moves = line.trim();
        if start > at && moves.len() >= 8 && Transcript::parse(moves, Position::START).is_ok() {
            return start;
        }
    }
    text.len()
}
