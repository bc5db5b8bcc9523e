//! A board as 64 characters and the side to move.

use std::fmt;

use super::Faults;
use crate::board::{Bitboard, Color, Position, Square, excerpt};

/// Why a text is no board: the faults, and where the first of them is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BoardError {
    /// All that is wrong.
    pub faults: Faults,
    /// The column of the first fault that stands at one, counted in characters from 1.
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
        let found = excerpt(&self.found);
        if self.faults.contains(Faults::BAD_CHARACTER) {
            write!(
                f,
                ": '{found}' (expected X, O or - for each square, a1 to h8)"
            )
        } else if self.faults.contains(Faults::WRONG_LENGTH) {
            write!(f, ": {found} squares (expected 64, then the side to move)")
        } else if self.faults.contains(Faults::MOVER_UNKNOWN) {
            write!(f, ": '{found}' (expected X or O)")
        } else {
            Ok(())
        }
    }
}

impl std::error::Error for BoardError {}

/// For discs that are no board, wherever they come from.
impl From<Faults> for BoardError {
    fn from(faults: Faults) -> BoardError {
        BoardError {
            faults,
            column: None,
            found: String::new(),
        }
    }
}

/// What a character says of a square: a disc, or `None` if it is empty.
#[expect(
    clippy::option_option,
    reason = "the one is no square, the other an empty one"
)]
fn square(character: char) -> Option<Option<Color>> {
    match character {
        'X' | 'x' | '*' | 'b' | 'B' => Some(Some(Color::Black)),
        'O' | 'o' | '0' | 'w' | 'W' => Some(Some(Color::White)),
        '-' | '.' | '_' => Some(None),
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
    let [black, white] = parse_discs(&mut characters)?;
    let mover = parse_mover(&characters.collect::<Vec<_>>())?;
    let position = Position::new(black, white, mover);
    let faults = position.board.faults() - Faults::HARMLESS;
    if faults.is_empty() {
        Ok(position)
    } else {
        Err(faults.into())
    }
}

/// The discs of Black and White. Each character comes with its column, counted from 0.
fn parse_discs(
    mut characters: impl Iterator<Item = (usize, char)>,
) -> Result<[Bitboard; 2], BoardError> {
    let mut discs = [Bitboard::EMPTY; 2];
    for at in Square::all() {
        let Some((column, character)) = characters.next() else {
            return Err(BoardError {
                faults: Faults::WRONG_LENGTH,
                column: None,
                found: at.index().to_string(),
            });
        };
        let Some(disc) = square(character) else {
            return Err(BoardError {
                faults: Faults::BAD_CHARACTER,
                column: Some(column + 1),
                found: character.to_string(),
            });
        };
        if let Some(color) = disc {
            discs[color as usize] |= Bitboard::of(at);
        }
    }
    Ok(discs)
}

/// The side to move in what is left of the text.
fn parse_mover(rest: &[(usize, char)]) -> Result<Color, BoardError> {
    let word: String = rest.iter().map(|&(_, character)| character).collect();
    mover(&word).ok_or_else(|| {
        // More squares than 64 is a board of the wrong length; anything else is meant as a side.
        let is_board = rest.len() > 1 && word.chars().all(|character| square(character).is_some());
        let (faults, found) = if is_board {
            (Faults::WRONG_LENGTH, (64 + rest.len()).to_string())
        } else {
            (Faults::MOVER_UNKNOWN, word)
        };
        BoardError {
            faults,
            column: rest.first().map(|&(column, _)| column + 1),
            found,
        }
    })
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
