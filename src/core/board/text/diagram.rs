//! Text boards: 64 characters for the squares, then the side to move.

use std::fmt::{self, Write};

use super::{Faults, PositionError};
use crate::board::{Bitboard, Board, Color, Position, Square, excerpt};

/// Reads one cell of a text board: `Some(Some(color))` for a disc, `Some(None)` for an empty
/// square, `None` for any other character.
///
/// This function reads `*` as a black disc. [`Position::of_cells`] reads `*` as the mark of a legal
/// move if the board has `X` or `@` for black discs.
pub fn cell(character: char) -> Option<Option<Color>> {
    match character {
        'X' | 'x' | '*' | 'b' | 'B' | '@' | '#' | '●' | '⚫' | '⬤' | '⬛' | '🔴' | '🖤' => {
            Some(Some(Color::Black))
        }
        'O' | 'o' | '0' | 'w' | 'W' | '○' | '◯' | '⚪' | '⬜' | '🔵' | '🤍' => {
            Some(Some(Color::White))
        }
        '-' | '.' | '_' | '·' | '・' | '．' | '🟩' | '🟢' | '➖' | '▫' | '□' => {
            Some(None)
        }
        _ => None,
    }
}

fn is_square(character: char) -> bool {
    cell(character).is_some()
}

/// Reads the side to move, written as a disc or a word. Empty text means Black.
pub(crate) fn mover(text: &str) -> Option<Color> {
    match text.to_ascii_lowercase().as_str() {
        "" | "x" | "*" | "b" | "black" | "@" | "#" | "●" | "⚫" | "🔴" => Some(Color::Black),
        "o" | "w" | "white" | "○" | "◯" | "⚪" | "🔵" => Some(Color::White),
        _ => None,
    }
}

/// Returns the error of a board with fewer or more than 64 squares.
fn wrong_length(squares: usize) -> PositionError {
    let expected = "expected 64, then the side to move";
    PositionError(format!("wrong length: {squares} squares ({expected})"))
}

/// Reads 64 squares and the side to move, ignoring white space.
pub(super) fn parse(text: &str) -> Result<Position, PositionError> {
    let letters = text.chars().zip(1..);
    let letters: Vec<(char, usize)> = letters.filter(|(own, _)| !own.is_whitespace()).collect();
    let (squares, rest) = letters.split_at(letters.len().min(Square::COUNT));
    if let Some((letter, column)) = squares.iter().find(|(letter, _)| !is_square(*letter)) {
        let found = excerpt(&letter.to_string());
        let expected = "expected X, O or - for each square, a1 to h8";
        let why = format!("column {column}: bad character: '{found}' ({expected})");
        return Err(PositionError(why));
    }
    if squares.len() < Square::COUNT {
        return Err(wrong_length(squares.len()));
    }
    let end = rest.first().map_or(usize::MAX, |(_, column)| column - 1);
    check_words(text, end)?;
    let mover = parse_mover(rest)?;
    Position::of_cells(squares.iter().map(|(letter, _)| *letter), mover)
}

/// Checks how white space divides the 64 squares before column `end`. They must be a single word,
/// or several words of which each has 8 squares (a row) or 1 square.
/// Without this check, ordinary words could be read as squares: `box` is three squares.
fn check_words(text: &str, end: usize) -> Result<(), PositionError> {
    let squares: String = text.chars().take(end).collect();
    let lengths = squares.split_whitespace().map(|word| word.chars().count());
    let lengths: Vec<usize> = lengths.collect();
    match lengths[..] {
        [_] => Ok(()),
        // A single letter after longer words is the side to move, so the board has 63 squares.
        [.., 1] if lengths.iter().any(|&length| length > 1) => Err(wrong_length(63)),
        _ if lengths.iter().all(|length| matches!(length, 1 | 8)) => Ok(()),
        _ => Err(wrong_length(lengths[0])),
    }
}

impl Position {
    /// Returns the position of 64 [`cell`]s. On a board with an `X` or `@`, `*` marks a legal move
    /// on an empty square. On other boards, `*` is a black disc.
    ///
    /// # Errors
    /// If the board has no disc.
    pub fn of_cells(
        cells: impl Iterator<Item = char>,
        mover: Color,
    ) -> Result<Position, PositionError> {
        let mut discs = [Bitboard::EMPTY; 2];
        let (mut stars, mut has_cross) = (Bitboard::EMPTY, false);
        for (at, character) in Square::all().zip(cells) {
            has_cross |= matches!(character, 'X' | 'x' | '@');
            if character == '*' {
                stars |= Bitboard::of(at);
            } else if let Some(Some(color)) = cell(character) {
                discs[color as usize] |= Bitboard::of(at);
            }
        }
        if !has_cross {
            discs[Color::Black as usize] |= stars;
        }
        let position = Position::new(discs[0], discs[1], mover);
        let faults = position.board.faults() - Faults::HARMLESS;
        let is_valid = faults.is_empty();
        is_valid
            .then_some(position)
            .ok_or_else(|| PositionError(faults.to_string()))
    }
}

/// Reads the side to move from `rest`: the letters after the squares, each with its column.
fn parse_mover(rest: &[(char, usize)]) -> Result<Color, PositionError> {
    let word: String = rest.iter().map(|(letter, _)| letter).collect();
    let side = word.strip_suffix("tomove").unwrap_or(&word);
    mover(side).ok_or_else(|| {
        let column = rest.first().map_or(0, |(_, column)| *column);
        let why = if rest.len() > 1 && word.chars().all(is_square) {
            // The text has more than 64 cells.
            wrong_length(Square::COUNT + rest.len()).0
        } else {
            let found = excerpt(&word);
            format!("mover unknown: '{found}' (expected X, O, black or white)")
        };
        PositionError(format!("column {column}: {why}"))
    })
}

/// Writes the board as a [`Position`] in which the side to move has the discs `X`.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mover = Color::Black;
        Position {
            board: *self,
            mover,
        }
        .fmt(f)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({self})")
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}

/// Writes 64 characters `X`, `O` or `-`, a space, and the side to move, as in OBF.
/// The alternate form `{:#}` writes each row, and the side to move, on its own line.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in Square::all() {
            f.write_char(self.disc_on(square).map_or('-', Color::letter))?;
            if f.alternate() && square.file() == 7 {
                f.write_char('\n')?;
            }
        }
        let gap = if f.alternate() { "" } else { " " };
        write!(f, "{gap}{}", self.mover.letter())
    }
}
