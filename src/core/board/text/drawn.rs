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
    let text = text.trim_start();
    let mut rest = text.trim_start_matches(is_square);
    let first = &text[..text.len() - rest.len()];
    if first.chars().count() == 64 {
        // The text begins with a board, so another one is not its only board.
        return None;
    }
    loop {
        let run = &rest[rest.find(is_square)?..];
        let end = run.find(|c| !is_square(c)).unwrap_or(run.len());
        let (squares, after) = run.split_at(end);
        if squares.chars().count() == 64 {
            let side = after.trim_start_matches([' ', '\t', '+', ',', ';', '|']);
            let is_end = |c: char| c.is_whitespace() || "\"'&;,|)".contains(c);
            let side = side.split(is_end).next();
            let mover = diagram::mover(side.unwrap_or_default());
            // A field of a table after the board may be anything.
            let mover = mover.or(after.starts_with(';').then_some(Color::Black))?;
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

/// Returns the boards of a text: of each eight rows in sequence, and of a matrix of numbers.
pub(super) fn all(text: &str) -> Vec<Result<Position, BoardError>> {
    let text = without_colors(text);
    if let Some(boards) = matrix(&text) {
        return boards;
    }
    let lines: Vec<&str> = text.lines().collect();
    let is_row = |line: &&str| Row::of(line).is_some();
    let mut starts = Vec::new();
    let mut count = 0_usize;
    for (index, line) in lines.iter().enumerate() {
        if is_row(line) {
            if count.is_multiple_of(RANKS) {
                starts.push(index);
            }
            count += 1;
        } else if !is_frame(line) {
            // A board of fewer rows is an error of its own.
            count = 0;
        }
    }
    let ends = |start: usize| {
        let rows = (start..lines.len()).filter(|&index| is_row(&lines[index]));
        rows.take(RANKS).last().map_or(lines.len(), |last| last + 1)
    };
    let boards = (0..starts.len()).filter_map(|number| {
        let first = number.checked_sub(1).map_or(0, |last| ends(starts[last]));
        let end = starts.get(number + 1).copied().unwrap_or(lines.len());
        in_rows(&lines[first.min(starts[number])..end].join("\n"))
    });
    boards.collect()
}

/// Reads boards of numbers: 0 is empty, 1 black, -1 or 2 white. The side to move may follow.
pub(super) fn matrix(text: &str) -> Option<Vec<Result<Position, BoardError>>> {
    let mut words = text.split(|c: char| c.is_whitespace() || "[](){},;".contains(c));
    let mut squares = String::new();
    let mut side = Vec::new();
    for word in words.by_ref().filter(|word| !word.is_empty()) {
        match word {
            "0" => squares.push('-'),
            "1" => squares.push('X'),
            "-1" | "2" => squares.push('O'),
            _ if squares.len() == 64 => side.push(word),
            _ => return None,
        }
    }
    let mover = mover_in([side.join(" ").as_str()].into_iter()).unwrap_or(Color::Black);
    let is_whole = !squares.is_empty() && squares.len().is_multiple_of(64);
    let squares: Vec<char> = squares.chars().collect();
    let boards = squares.chunks(64);
    is_whole.then(|| {
        boards
            .map(|board| position_of(board.iter().copied(), mover))
            .collect()
    })
}

/// Returns whether a line is blank or between rows.
fn is_frame(line: &str) -> bool {
    line.chars().all(|c| c.is_whitespace() || FRAME.contains(c))
}

fn in_rows(text: &str) -> Option<Result<Position, BoardError>> {
    let mut rows: Vec<Row> = Vec::new();
    let (mut heading, mut notes) = (Vec::new(), Vec::new());
    let mut found = 0;
    for line in text.split(['\n', '/']) {
        match Row::of(line) {
            Some(row) if notes.is_empty() => rows.push(row),
            Some(_) => {}
            None if is_frame(line) => {}
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
        // The squares are one word, or a word each: no letters of other words.
        let is_spelt = |row: &str| {
            let lengths = row.split(is_gap).map(|word| word.chars().count());
            let mut lengths = lengths.filter(|length| *length > 0);
            lengths.all(|length| matches!(length, 1 | 8))
        };
        for (at, character) in row.char_indices() {
            if squares.len() == 8 {
                let is_end = is_gap(character) || character.is_ascii_digit();
                return (is_end && is_spelt(&row[..at])).then(|| (squares, &row[at..]));
            }
            if is_square(character) {
                squares.push(character);
            } else if !is_gap(character) {
                return None;
            }
        }
        (squares.len() == 8 && is_spelt(row)).then_some((squares, ""))
    }
}

/// Returns the side to move that notes around a board name: `X to move`, `White's turn`,
/// `turn: black`, or the side alone on its line.
fn mover_in<'a>(notes: impl Iterator<Item = &'a str>) -> Option<Color> {
    const KEYS: [&str; 5] = ["move", "play", "pass", "turn", "mover"];
    let side = |word: &&str| diagram::mover(word);
    let mut alone = None;
    for note in notes {
        let is_part = |c: char| c.is_alphanumeric() || "*@#●○◯⚫⚪".contains(c);
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
