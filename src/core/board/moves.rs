//! A move, which is a square or a pass, and its text form.

use std::fmt;
use std::str::FromStr;

use super::{ParseError, Square};

/// A move: a disc on a square, or a pass.
///
/// ```
/// use emilia_core::board::{Move, Square};
/// assert_eq!("F5".parse(), Ok(Move::Place(Square::F5)));
/// assert_eq!("pa".parse(), Ok(Move::Pass));
/// assert_eq!(Move::Place(Square::F5).to_string(), "f5");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Move {
    /// Places a disc on this square.
    Place(Square),
    /// Passes the turn. Legal only if the side to move has no legal square, but the opponent has
    /// one.
    Pass,
}

impl Move {
    /// The square of the disc, or `None` for a pass.
    pub const fn square(self) -> Option<Square> {
        match self {
            Move::Place(square) => Some(square),
            Move::Pass => None,
        }
    }
}

impl From<Square> for Move {
    fn from(square: Square) -> Move {
        Move::Place(square)
    }
}

/// Writes the square in lower case, or `pass`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(square) => square.fmt(f),
            Move::Pass => f.pad("pass"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Move {
    type Err = ParseError;

    /// Reads a square or a pass, in any case. A pass is `pass`, `pa`, `ps` or `--`.
    fn from_str(text: &str) -> Result<Move, ParseError> {
        if let Ok(square) = text.parse() {
            return Ok(Move::Place(square));
        }
        let passes = ["pass", "pa", "ps", "--"];
        if passes.iter().any(|pass| text.eq_ignore_ascii_case(pass)) {
            Ok(Move::Pass)
        } else {
            Err(ParseError::new(text, "a move (expected a1..h8 or pass)"))
        }
    }
}
