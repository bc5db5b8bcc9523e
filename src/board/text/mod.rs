//! Positions as people write them: 64 characters, OBF lines, transcripts; and as UCI engines do.

mod diagram;
mod faults;
pub mod flipello;
mod labelled;
mod obf;
#[cfg(test)]
mod tests;
mod transcript;

use std::fmt;
use std::str::FromStr;

pub use diagram::BoardError;
pub use faults::Faults;
pub use labelled::{Labelled, LabelledError, LabelledReader};
pub use obf::{FieldError, ObfError, ObfProblem, parse_obf};
pub(crate) use transcript::split_number;
pub use transcript::{Transcript, TranscriptError};

use super::Position;

/// Why a text is no position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PositionError {
    /// It was read as a board.
    Board(BoardError),
    /// It was read as a list of moves.
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

/// Reads a position in any of the forms people bring.
///
/// - 64 squares a1..h8 (`X x * b B` black, `O o 0 w W` white, `- . _` empty, white space anywhere), then the side to
///   move in the same letters or as a word; Black when it is left out;
/// - an OBF line, whose move scores are ignored;
/// - a transcript (`f5d6c3…`, `1. f5 d6 2. c3…`, `f5-d6-c3…`), for the position at its end;
/// - the word `start`.
///
/// ```
/// use emilia::board::{Color, Position};
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

/// A column letter and a row digit come first, but for a move number. No board has the digits 1 to
/// 8.
fn looks_like_moves(text: &str) -> bool {
    matches!(
        transcript::after_number(text.trim_start()).as_bytes(),
        [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8', ..]
    )
}
