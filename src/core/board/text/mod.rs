//! Text forms of positions and games.
//!
//! Reading order: `diagram` reads text boards, `faults` names what can be wrong with them.
//! `drawn` finds boards within other text. `fen` is the notation of UCI.
//! `transcript` reads games as lists of moves. `sentence` is what a reader says of a bad text.

mod diagram;
mod drawn;
pub(super) mod excerpt;
mod faults;
mod fen;
mod sentence;
#[cfg(test)]
mod tests;
mod transcript;

use std::fmt;
use std::str::FromStr;

pub use diagram::BoardError;
pub(super) use diagram::mover;
pub use faults::Faults;
pub use fen::FenError;
pub use sentence::Sentence;
pub use transcript::{Transcript, TranscriptError};

use super::{Bitboard, Board, Position};

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PositionError {
    /// The text was read as a board.
    Board(BoardError),
    /// The text was read as a FEN.
    Fen(FenError),
    /// The text was read as a list of moves.
    Transcript(TranscriptError),
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionError::Board(error) => error.fmt(f),
            PositionError::Fen(error) => error.fmt(f),
            PositionError::Transcript(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PositionError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            PositionError::Board(error) => Some(error),
            PositionError::Fen(error) => Some(error),
            PositionError::Transcript(error) => Some(error),
        }
    }
}

/// Reads a position in any of these forms.
///
/// - 64 squares a1..h8, then the side to move. White space is ignored.
/// - Black discs are `X x * b B @ # ● ⚫`, white discs `O o 0 w W ○ ◯ ⚪`, empty squares `- . _ · ・`.
///   Beside an `X` or `@`, `*` is an empty square.
/// - The side to move is one of these letters or a word, but no `0`. It is Black if it is missing.
/// - A matrix of numbers: 0 is empty, 1 black, -1 or 2 white.
/// - An OBF line gives its board. Its move scores are ignored.
/// - A board within other text: 64 squares after a word, as in a link, or eight rows with numbers
///   beside them, as `emilia show` prints them.
/// - A transcript (`f5d6c3…`, `1. f5 d6 2. c3…`, `f5-d6-c3…`) or a link with one gives the position
///   at its end.
/// - A FEN: [`Position::from_fen`].
/// - Discs of the side to move and of the opponent as hexadecimal numbers, such as
///   `0x0000000810000000 0x0000001008000000`. The lowest bit is a1, and the side to move may follow.
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
        let is_link_of_moves = || transcript::is_link(text) && drawn::find(text).is_none();
        if text.trim().eq_ignore_ascii_case("start") {
            Ok(Position::START)
        } else if looks_like_moves(text) || is_link_of_moves() {
            let transcript =
                Transcript::parse(text, Position::START).map_err(PositionError::Transcript)?;
            Ok(transcript.end())
        } else if fen::looks_like_fen(text) {
            Position::from_fen(text).map_err(PositionError::Fen)
        } else if let Some(position) = hexadecimal(text) {
            position.map_err(PositionError::Board)
        } else if let Some(mut boards) = drawn::matrix(text).filter(|boards| boards.len() == 1) {
            boards.remove(0).map_err(PositionError::Board)
        } else {
            let diagram = text.split([';', '%']).next().unwrap_or_default();
            diagram::parse(diagram)
                .or_else(|error| drawn::find(text).unwrap_or(Err(error)))
                .map_err(PositionError::Board)
        }
    }
}

impl Position {
    /// Reads the boards that a text draws one below the other, in rows or as numbers. A text
    /// without such boards gives its only position, or nothing.
    pub fn all_in(text: &str) -> Vec<Result<Position, PositionError>> {
        let boards: Vec<_> = drawn::all(text);
        if boards.len() > 1 {
            return boards
                .into_iter()
                .map(|board| board.map_err(PositionError::Board))
                .collect();
        }
        text.parse().ok().map(Ok).into_iter().collect()
    }
}

/// Reads two hexadecimal numbers, and the side to move if there is one.
fn hexadecimal(text: &str) -> Option<Result<Position, BoardError>> {
    let mut words = text
        .split([' ', '\t', '\n', '\r', ','])
        .filter(|word| !word.is_empty());
    let mut discs = || {
        let word = words.next()?;
        let digits = word
            .strip_prefix("0x")
            .or_else(|| word.strip_prefix("0X"))?;
        let digits = digits.trim_end_matches(['U', 'u', 'L', 'l']);
        u64::from_str_radix(digits, 16).ok().map(Bitboard)
    };
    let board = Board {
        player: discs()?,
        opponent: discs()?,
    };
    let mover = diagram::mover(&words.collect::<String>())?;
    let faults = board.faults() - Faults::HARMLESS;
    Some(if faults.is_empty() {
        Ok(Position { board, mover })
    } else {
        Err(faults.into())
    })
}

/// Reads a position as `Position` does. The board has its discs, seen from the side to move.
impl FromStr for Board {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Board, PositionError> {
        Ok(text.parse::<Position>()?.board)
    }
}

/// Returns whether the text starts with a letter and a digit, after a move number if there is one.
/// No board contains the digits 1 to 8.
fn looks_like_moves(text: &str) -> bool {
    matches!(
        transcript::after_number(text.trim_start()).as_bytes(),
        [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'9', ..]
    )
}
