//! Text forms of positions and games.
//!
//! Reading order: `diagram` reads text boards, `faults` names what can be wrong with them.
//! `transcript` reads games as lists of moves.

mod diagram;
pub(super) mod excerpt;
mod faults;
#[cfg(test)]
mod tests;
mod transcript;

use std::fmt;
use std::str::FromStr;

pub use diagram::BoardError;
pub use faults::Faults;
pub use transcript::split_number;
pub use transcript::{Transcript, TranscriptError};

use super::Position;

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PositionError {
    /// The text was read as a board.
    Board(BoardError),
    /// The text was read as a list of moves.
    Transcript(TranscriptError),
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionError::Board(error) => error.fmt(f),
            PositionError::Transcript(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PositionError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            PositionError::Board(error) => Some(error),
            PositionError::Transcript(error) => Some(error),
        }
    }
}

/// Reads a position in any of these forms.
///
/// - 64 squares a1..h8, then the side to move. White space is ignored.
/// - Black discs are `X x * b B`, white discs `O o 0 w W`, empty squares `- . _`.
/// - The side to move is one of these letters or a word. It is Black if it is missing.
/// - An OBF line gives its board. Its move scores are ignored.
/// - A transcript (`f5d6c3…`, `1. f5 d6 2. c3…`, `f5-d6-c3…`) gives the position at its end.
/// - The word `start` gives the start position.
///
/// ```
/// use emilia_core::board::{Color, Position};
/// let position: Position = "f5d6c3".parse().unwrap();
/// assert_eq!(position.mover, Color::White);
/// let same: Position = position.to_string().parse().unwrap();
/// assert_eq!(same, position);
/// ```
impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Position, PositionError> {
        if text.trim().eq_ignore_ascii_case("start") {
            Ok(Position::START)
        } else if looks_like_moves(text) {
            let transcript =
                Transcript::parse(text, Position::START).map_err(PositionError::Transcript)?;
            Ok(transcript.end())
        } else {
            let diagram = text.split([';', '%']).next().unwrap_or_default();
            diagram::parse(diagram).map_err(PositionError::Board)
        }
    }
}

/// Returns whether the text starts with a square name, after a move number if there is one.
/// No board contains the digits 1 to 8.
fn looks_like_moves(text: &str) -> bool {
    matches!(
        transcript::after_number(text.trim_start()).as_bytes(),
        [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8', ..]
    )
}
