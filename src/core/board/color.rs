//! The two players and their names in text.

use std::fmt;
use std::ops::Not;
use std::str::FromStr;

use super::{ParseError, text};

/// A player, named by the colour of the discs. Black moves first.
///
/// ```
/// use emilia_core::Color;
/// assert_eq!("white".parse(), Ok(Color::White));
/// assert_eq!("X".parse(), Ok(Color::Black));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Color {
    /// The side that moves first, written `X`.
    Black,
    /// The side that moves second, written `O`.
    White,
}

impl Color {
    /// The letter of a disc in text boards: `X` or `O`.
    pub const fn letter(self) -> char {
        match self {
            Color::Black => 'X',
            Color::White => 'O',
        }
    }

    /// The English name: `black` or `white`.
    pub const fn name(self) -> &'static str {
        match self {
            Color::Black => "black",
            Color::White => "white",
        }
    }
}

impl Not for Color {
    type Output = Color;

    /// Returns the other player.
    #[inline]
    fn not(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Color {
    type Err = ParseError;

    /// Reads `black` or `white` in any case, its first letter, or a disc character of text boards.
    fn from_str(text: &str) -> Result<Color, ParseError> {
        let side = text::mover(text).filter(|_| !text.is_empty());
        side.ok_or_else(|| ParseError::new(text, "a side (expected X, O, black or white)"))
    }
}
