//! Errors of game records in GGF and SGF: what is wrong, with line and column.

use emilia_core::board::{IllegalMove, PositionError, excerpt};

/// An error in a game record, with its line and column.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct RecordError {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted in characters from 1.
    pub column: usize,
    /// What is wrong at this line and column.
    pub problem: RecordProblem,
}

/// Line and column in a file where a record begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextLocation {
    /// The line, counted from 1.
    pub(super) line: usize,
    /// The column, counted in characters from 1.
    pub(super) column: usize,
}

/// What is wrong with a game record, without its location.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordProblem {
    /// The text violates the syntax of nodes, properties and values.
    #[error("{}, expected {expected}", found.map_or("the text ends".to_owned(), |found| format!("found '{}'", found.escape_default())))]
    Syntax {
        /// The character found. `None` at the end of the text.
        found: Option<char>,
        /// Description of what was expected instead.
        expected: &'static str,
    },
    /// A property has an invalid value.
    #[error("{property}[{}]: expected {expected}", excerpt(found))]
    Value {
        /// The name of the property.
        property: String,
        /// The value found.
        found: String,
        /// Description of a valid value.
        expected: &'static str,
    },
    /// The start position is invalid.
    #[error("start position: {0}")]
    Board(#[source] PositionError),
    /// A move is illegal.
    #[error("move {number}: {illegal}")]
    Illegal {
        /// Number of the move in the game, counted from 1 without passes.
        number: usize,
        /// The illegal move, with its mover and the legal moves.
        #[source]
        illegal: IllegalMove,
    },
}

impl RecordError {
    /// Converts a location in a record to one in the file where the record begins at `place`.
    pub(super) fn moved_to(self, place: TextLocation) -> RecordError {
        let column = match self.line {
            1 => self.column + place.column - 1,
            _ => self.column,
        };
        RecordError {
            line: self.line + place.line - 1,
            column,
            ..self
        }
    }

    /// Creates an error at byte `offset` of `text`, which must be a character boundary.
    pub(super) fn at(text: &str, offset: usize, problem: RecordProblem) -> RecordError {
        let before = text[..offset].chars();
        let (line, column) = before.fold((1, 1), |(line, column), character| match character {
            '\n' => (line + 1, 1),
            _ => (line, column + 1),
        });
        RecordError {
            line,
            column,
            problem,
        }
    }
}
