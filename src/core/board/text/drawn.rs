//! Boards within other text: 64 squares after a word, or eight rows as programs print them, with
//! numbers beside them, marks of legal moves, frames, and the side to move in a note.

use super::BoardError;
use super::diagram::{self, is_square, position_of};
use crate::board::{Color, Position};

/// Right border of a square in the coloured view of `emilia show`.
const GRID: char = '▕';

/// Characters of the lines between rows.
const FRAME: &str = "+-=|─━│┃┼├┤┬┴┌┐└┘";

/// Rows of a board. Fewer may also be a text of another kind.
const RANKS: usize = 8;

/// Returns the board in `text`, or `None` if there is none.
///
/// # Errors
/// If there are four or more rows in sequence, but not eight.
pub(super) fn find(text: &str) -> Option<Result<Position, BoardError>> {
    let text = without_colors(text);
    on_a_line(&text).map(Ok).or_else(|| in_rows(&text))
}

/// Removes the escape sequences of colours (`ESC [ … m`).
fn without_colors(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + part.split_once('m').map_or(part, |(_, rest)| rest)
    })
}

/// Returns the position of 64 squares in sequence after a word, followed by the side to move.
fn on_a_line(text: &str) -> Option<Position> {
    let mut rest = text.trim_start().trim_start_matches(is_square);
    loop {
        let run = &rest[rest.find(is_square)?..];
        let end = run.find(|c| !is_square(c)).unwrap_or(run.len());
        let (squares, after) = run.split_at(end);
        if squares.chars().count() == 64 {
            let side = after.trim_start_matches([' ', '\t', '+', ',']);
            let is_end = |c: char| c.is_whitespace() || "\"'&#;,)".contains(c);
            let side = side.split(is_end).next();
            let mover = diagram::mover(side.unwrap_or_default())?;
            return position_of(squares.chars(), mover).ok();
        }
        rest = after;
    }
}

/// A row of eight squares, the number beside it, and the rest of its line.
struct Row<'a> {
    squares: Vec<char>,
    number: Option<char>,
    note: &'a str,
}

fn in_rows(text: &str) -> Option<Result<Position, BoardError>> {
    let mut rows: Vec<Row> = Vec::new();
    let (mut heading, mut notes) = (Vec::new(), Vec::new());
    let mut found = 0;
    for line in text.split(['\n', '/']) {
        match Row::of(line) {
            Some(row) if notes.is_empty() => rows.push(row),
            Some(_) => {}
            None if line.chars().all(|c| c.is_whitespace() || FRAME.contains(c)) => {}
            None if rows.len() == RANKS => notes.push(line),
            None => {
                found = found.max(rows.len());
                rows.clear();
                heading.push(line);
            }
        }
    }
    found = found.max(rows.len());
    if rows.len() != RANKS {
        return (found >= RANKS / 2).then(|| Err(BoardError::of_length(8 * found)));
    }
    let numbers: String = rows.iter().filter_map(|row| row.number).collect();
    if numbers == "87654321" {
        rows.reverse();
    }
    let notes = rows.iter().map(|row| row.note).chain(notes);
    let mover = mover_in(notes).or_else(|| mover_in(heading.into_iter().rev()));
    let mover = mover.unwrap_or(Color::Black);
    let squares = rows.iter().flat_map(|row| row.squares.iter().copied());
    Some(position_of(squares, mover))
}

impl<'a> Row<'a> {
    fn of(line: &'a str) -> Option<Row<'a>> {
        let line = line.trim_start_matches(['>', ' ', '\t']);
        let number = line.chars().next().filter(|c| matches!(c, '1'..='8'));
        let row = line.strip_prefix(|c| Some(c) == number).unwrap_or(line);
        let row = row.strip_prefix(':').unwrap_or(row);
        let (squares, note) = if row.contains(GRID) {
            Row::in_cells(row, GRID)
        } else if let Some(border) = ['|', '│', '┃'].into_iter().find(|&c| row.contains(c)) {
            let row = row.trim_start();
            Row::in_cells(row.strip_prefix(border).unwrap_or(row), border)
        } else {
            Row::in_words(row)
        }?;
        Some(Row {
            squares,
            number,
            note,
        })
    }

    /// Reads squares that end with `border`. A blank is an empty square.
    fn in_cells(mut row: &str, border: char) -> Option<(Vec<char>, &str)> {
        let mut squares = Vec::new();
        while squares.len() < 8 {
            let (cell, rest) = row.split_once(border).unwrap_or((row, ""));
            let mut marks = cell.chars().filter(|c| !c.is_whitespace());
            let square = marks.next().unwrap_or('-');
            if !is_square(square) || marks.next().is_some() || row.is_empty() {
                return None;
            }
            squares.push(square);
            row = rest;
        }
        Some((squares, row))
    }

    /// Reads squares with blanks, or brackets of the last move, between them, or without any.
    fn in_words(row: &str) -> Option<(Vec<char>, &str)> {
        let mut squares = Vec::new();
        let is_gap = |c: char| c.is_whitespace() || matches!(c, '[' | ']' | '(' | ')');
        for (at, character) in row.char_indices() {
            if squares.len() == 8 {
                let is_end = is_gap(character) || character.is_ascii_digit();
                return is_end.then(|| (squares, &row[at..]));
            }
            if is_square(character) {
                squares.push(character);
            } else if !is_gap(character) {
                return None;
            }
        }
        (squares.len() == 8).then_some((squares, ""))
    }
}

/// Returns the side to move that notes around a board name: `X to move`, `White's turn`,
/// `turn: black`, or the side alone on its line.
fn mover_in<'a>(notes: impl Iterator<Item = &'a str>) -> Option<Color> {
    const KEYS: [&str; 5] = ["move", "play", "pass", "turn", "mover"];
    let side = |word: &&str| diagram::mover(word);
    let mut alone = None;
    for note in notes {
        let is_part = |c: char| c.is_alphanumeric() || "*●○⚫⚪".contains(c);
        let words = note.split(|c| !is_part(c));
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let is_key = |word: &&str| KEYS.iter().any(|key| word.eq_ignore_ascii_case(key));
        if let Some(at) = words.iter().position(is_key) {
            let before = words[at.saturating_sub(2)..at].iter().rev();
            let named = before.chain(words[at + 1..].iter().take(2)).find_map(side);
            if named.is_some() {
                return named;
            }
        }
        if let [word] = words[..] {
            alone = alone.or(side(&word));
        }
    }
    alone
}
