//! OBF, the format of endgame problems: `board side; A2:+38; C7:+36; % comment`.

use std::fmt;

use super::PositionError;
use crate::board::{Move, Position, Score, excerpt};

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
#[non_exhaustive]
pub enum ObfError {
    /// Its board.
    Position(PositionError),
    /// One of its fields is not of the form `A2:+38` with a legal move and a score from −64 to +64.
    Field(FieldError),
}

/// A part of a line is not what was expected there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldError {
    /// Where it begins, counted in characters from 1.
    pub column: usize,
    /// The text there.
    pub found: String,
    /// What should be there.
    pub expected: &'static str,
}

impl FieldError {
    /// For `field`, which is a part of `line` itself and no copy of it.
    pub(super) fn new(line: &str, field: &str, expected: &'static str) -> FieldError {
        FieldError {
            column: column(line, field),
            found: field.to_owned(),
            expected,
        }
    }
}

/// The column at which `part` begins, which is a part of `line` itself; counted in characters from 1.
pub(super) fn column(line: &str, part: &str) -> usize {
    let offset = part.as_ptr().addr() - line.as_ptr().addr();
    line[..offset].chars().count() + 1
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "column {}: '{}' (expected {})",
            self.column,
            excerpt(&self.found),
            self.expected
        )
    }
}

impl std::error::Error for FieldError {}

impl fmt::Display for ObfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ObfError::Position(error) => error.fmt(f),
            ObfError::Field(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ObfError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ObfError::Position(error) => Some(error),
            ObfError::Field(error) => Some(error),
        }
    }
}

/// Reads one line; `None` if it is blank or a comment.
///
/// # Errors
/// If the board, a move or a score cannot be read, or a move is illegal.
pub fn parse_obf(line: &str) -> Result<Option<ObfProblem>, ObfError> {
    let line = line.split('%').next().unwrap_or_default();
    if line.trim().is_empty() {
        return Ok(None);
    }
    let mut fields = line.split(';');
    let position: Position = fields
        .next()
        .unwrap_or_default()
        .parse()
        .map_err(ObfError::Position)?;
    let scores = fields
        .map(str::trim)
        .filter(|field| !field.is_empty())
        .map(|field| move_score(&position, line, field))
        .collect::<Result<_, _>>()
        .map_err(ObfError::Field)?;
    Ok(Some(ObfProblem { position, scores }))
}

/// What `field` of `line`, like `A2:+38`, says of a move in `position`.
pub(super) fn move_score(
    position: &Position,
    line: &str,
    field: &str,
) -> Result<(Move, Score), FieldError> {
    let read = || {
        let (mv, score) = field.split_once(':')?;
        let mv = mv.trim().parse().ok()?;
        position.play(mv).is_ok().then_some((mv, score_of(score)?))
    };
    let expected = "a legal move and its score from -64 to 64, like A2:+38";
    read().ok_or_else(|| FieldError::new(line, field, expected))
}

/// A number that can be a final score.
pub(super) fn score_of(text: &str) -> Option<Score> {
    let score = text.trim().parse().ok()?;
    (-64..=64).contains(&score).then_some(score)
}
