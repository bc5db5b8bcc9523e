//! Text forms of positions and games.
//!
//! Reading order: `diagram` reads text boards, and `faults` has the faults of a board.
//! `fen` reads and writes the notation of UCI. `transcript` reads games as lists of moves.
//! `sentence` has error messages that can be translated. `excerpt` quotes text in messages.

mod diagram;
pub(super) mod excerpt;
mod faults;
mod fen;
mod sentence;
#[cfg(test)]
mod tests;
mod transcript;

use std::fmt;
use std::str::FromStr;

pub use diagram::cell;
pub(super) use diagram::mover;
pub use faults::Faults;
pub use sentence::Sentence;
pub use transcript::{Transcript, TranscriptError};

use super::{Board, Position};

/// Error: a text is not the name of a square, a move or a side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    text: String,
    expected: &'static str,
}

impl ParseError {
    /// `expected` continues the sentence "'TEXT' is not ", such as `a square (expected a1..h8)`.
    pub(super) fn new(text: &str, expected: &'static str) -> ParseError {
        ParseError {
            text: text.to_owned(),
            expected,
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = excerpt::excerpt(&self.text);
        write!(f, "'{found}' is not {}", self.expected)
    }
}

impl std::error::Error for ParseError {}

/// Error: a text is not a position. The content is a sentence with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionError(String);

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl std::error::Error for PositionError {}

/// Reads a position in any of these forms.
///
/// - 64 squares a1..h8, each a [`cell`], then the side to move. White space may separate the rows
///   or the squares. The side to move is `X`, `O`, `black`, `white` or one of the other usual disc
///   characters except `0`. If it is missing, Black is to move.
/// - A transcript (`f5d6c3…`, `f5 d6 c3…`, `f5,d6,c3…`) gives the position at its end.
/// - A FEN: [`Position::from_fen`].
/// - The word `start` gives the start position.
///
/// ```
/// use emilia_core::board::{Color, Position};
/// let position: Position = "f5d6c3".parse().unwrap();
/// assert_eq!(position.mover, Color::White);
/// let same: Position = position.to_string().parse().unwrap();
/// assert_eq!(same, position);
/// for (text, error) in [
///     ("f9", "column 1, move 1: 'f9' is not a move (expected a1..h8 or pass)"),
///     ("8/8/8/3xP3/3Pp3/8/8/8 w", "FEN: row 4, '3xP3', is not made of P, p and digits for 8 squares"),
/// ] {
///     assert_eq!(text.parse::<Position>().unwrap_err().to_string(), error);
/// }
/// ```
impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Position, PositionError> {
        if text.trim().eq_ignore_ascii_case("start") {
            Ok(Position::START)
        } else if looks_like_moves(text) {
            let transcript = Transcript::parse(text, Position::START);
            let transcript = transcript.map_err(|error| PositionError(error.to_string()))?;
            Ok(transcript.end())
        } else if fen::looks_like_fen(text) {
            Position::from_fen(text)
        } else {
            // In a line of an OBF file, the board ends at the first `;` or `%`. Move scores or a
            // comment follow.
            let board = text.split([';', '%']).next().unwrap_or_default();
            diagram::parse(board)
        }
    }
}

/// Reads a position in the forms that [`Position`] reads. The board has the discs of the position,
/// seen from the side to move.
impl FromStr for Board {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Board, PositionError> {
        Ok(text.parse::<Position>()?.board)
    }
}

/// Returns whether the text starts like a list of moves: with a letter from a to h and a digit from
/// 1 to 9. The digit 9 counts, so that `f9` gets an error about a move.
/// A text board does not start like this, because the only digit that is a [`cell`] is `0`.
fn looks_like_moves(text: &str) -> bool {
    matches!(
        text.trim_start().as_bytes(),
        [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'9', ..]
    )
}
