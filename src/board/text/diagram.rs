//! A board as 64 characters and the side to move.

use std::fmt;

use super::Faults;
use crate::board::{Bitboard, Color, Position, Square};

/// Why a text is no board: the faults, and where the first of them is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardError {
    /// All that is wrong.
    pub faults: Faults,
    /// The column of the first fault that has a place, counted in characters from 1.
    pub column: Option<usize>,
    /// What stands there, or how many squares there are.
    pub found: String,
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(column) = self.column {
            write!(f, "column {column}: ")?;
        }
        write!(f, "{}", self.faults)?;
        if self.faults.contains(Faults::BAD_CHARACTER) {
            write!(
                f,
                ": '{}' (expected X, O or - for each square, a1 to h8)",
                self.found
            )
        } else if self.faults.contains(Faults::WRONG_LENGTH) {
            write!(
                f,
                ": {} squares (expected 64, then the side to move)",
                self.found
            )
        } else if self.faults.contains(Faults::MOVER_UNKNOWN) {
            write!(f, ": '{}' (expected X or O)", self.found)
        } else {
            Ok(())
        }
    }
}

impl std::error::Error for BoardError {}

/// What a character says of a square.
enum Cell {
    Disc(Color),
    Empty,
}

fn cell(character: char) -> Option<Cell> {
    match character {
        'X' | 'x' | '*' | 'b' | 'B' => Some(Cell::Disc(Color::Black)),
        'O' | 'o' | '0' | 'w' | 'W' => Some(Cell::Disc(Color::White)),
        '-' | '.' | '_' => Some(Cell::Empty),
        _ => None,
    }
}

/// The side to move, written as a disc or a word; nothing is Black.
pub(super) fn mover(text: &str) -> Option<Color> {
    match text.to_ascii_lowercase().as_str() {
        "" | "x" | "*" | "b" | "black" => Some(Color::Black),
        "o" | "0" | "w" | "white" => Some(Color::White),
        _ => None,
    }
}

/// Reads 64 squares and the side to move; white space is skipped.
pub(super) fn parse(text: &str) -> Result<Position, BoardError> {
    let mut characters = text
        .chars()
        .enumerate()
        .filter(|(_, character)| !character.is_whitespace());
    let mut discs = [Bitboard::EMPTY; 2];
    for square in Square::all() {
        let Some((index, character)) = characters.next() else {
            return Err(BoardError {
                faults: Faults::WRONG_LENGTH,
                column: None,
                found: square.index().to_string(),
            });
        };
        match cell(character) {
            Some(Cell::Disc(color)) => discs[color as usize] |= Bitboard::of(square),
            Some(Cell::Empty) => {}
            None => {
                return Err(BoardError {
                    faults: Faults::BAD_CHARACTER,
                    column: Some(index + 1),
                    found: character.to_string(),
                });
            }
        }
    }

    let rest: Vec<(usize, char)> = characters.collect();
    let word: String = rest.iter().map(|&(_, character)| character).collect();
    let Some(mover) = mover(&word) else {
        let column = rest.first().map(|&(index, _)| index + 1);
        // More squares than 64 is a board of the wrong length; anything else is meant as a side.
        let squares = rest
            .iter()
            .take_while(|&&(_, character)| cell(character).is_some())
            .count();
        let (faults, found) = if squares > 1 && squares == rest.len() {
            (Faults::WRONG_LENGTH, (64 + squares).to_string())
        } else {
            (Faults::MOVER_UNKNOWN, word)
        };
        return Err(BoardError {
            faults,
            column,
            found,
        });
    };

    let [black, white] = discs;
    let position = Position::new(black, white, mover);
    let faults = position.board.faults() - Faults::HARMLESS;
    if faults.is_empty() {
        Ok(position)
    } else {
        Err(BoardError {
            faults,
            column: None,
            found: String::new(),
        })
    }
}

/// 64 characters `X`, `O`, `-`, a space, and the side to move: the OBF form.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let squares: String = Square::all()
            .map(|square| self.disc_on(square).map_or('-', Color::letter))
            .collect();
        write!(f, "{squares} {}", self.mover.letter())
    }
}
