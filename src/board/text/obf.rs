//! OBF, the format of endgame problems: `board side; A2:+38; C7:+36; % comment`.

use std::fmt;

use super::PositionError;
use crate::board::{Move, Position, Score};

/// A position and what is known of its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObfProblem {
    /// The position.
    pub position: Position,
    /// Final scores of moves, seen by the side to move, in the order given. May be empty.
    pub scores: Vec<(Move, Score)>,
}

impl ObfProblem {
    /// The score of the best move, if any move has one.
    pub fn best_score(&self) -> Option<Score> {
        self.scores.iter().map(|&(_, score)| score).max()
    }
}

/// Why a line is no OBF problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObfError {
    /// Its board.
    Position(PositionError),
    /// One of its fields is not of the form `A2:+38` with a legal move and a score from −64 to +64.
    Field(String),
}

impl fmt::Display for ObfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ObfError::Position(error) => error.fmt(f),
            ObfError::Field(field) => {
                write!(
                    f,
                    "'{field}' is no move score (expected a legal move and -64..64, like A2:+38)"
                )
            }
        }
    }
}

impl std::error::Error for ObfError {}

/// Reads one line; `None` if it is blank or a comment.
///
/// # Errors
/// If the board, a move or a score cannot be read, or a move is illegal.
pub fn parse_obf(line: &str) -> Result<Option<ObfProblem>, ObfError> {
    let line = line.split('%').next().unwrap_or_default().trim();
    if line.is_empty() {
        return Ok(None);
    }
    let mut fields = line.split(';').map(str::trim);
    let position: Position = fields
        .next()
        .unwrap_or_default()
        .parse()
        .map_err(ObfError::Position)?;
    let scores = fields
        .filter(|field| !field.is_empty())
        .map(|field| move_score(&position, field).ok_or_else(|| ObfError::Field(field.to_owned())))
        .collect::<Result<_, _>>()?;
    Ok(Some(ObfProblem { position, scores }))
}

/// A legal move of `position` and its score, `A2:+38`.
pub(super) fn move_score(position: &Position, field: &str) -> Option<(Move, Score)> {
    let (mv, score) = field.split_once(':')?;
    let mv: Move = mv.trim().parse().ok()?;
    let score = self::score(score.trim())?;
    position.play(mv).is_ok().then_some((mv, score))
}

/// A score from −64 to +64.
pub(super) fn score(text: &str) -> Option<Score> {
    let score = text.parse().ok()?;
    (-64..=64).contains(&score).then_some(score)
}
