//! Why a text is no game record, and where.

use std::fmt;

use crate::board::{IllegalMove, PositionError, excerpt};

/// What is wrong with a game record, and where.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RecordError {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted in characters from 1.
    pub column: usize,
    /// What is wrong there.
    pub problem: RecordProblem,
}

/// Where a record begins in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The line, counted from 1.
    pub(super) line: usize,
    /// The column, counted in characters from 1.
    pub(super) column: usize,
}

/// What is wrong with a game record.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RecordProblem {
    /// The brackets and names of the format are not as they must be.
    Syntax {
        /// What stands there; nothing at the end of the text.
        found: Option<char>,
        /// What should.
        expected: &'static str,
    },
    /// A property has a value that it cannot have.
    Value {
        /// The name of the property.
        property: String,
        /// Its value.
        found: String,
        /// What it should be.
        expected: &'static str,
    },
    /// The start position cannot be read.
    Board(PositionError),
    /// A move breaks the rules.
    Illegal {
        /// Which move of the game, counted from 1, passes left out of the count.
        number: usize,
        /// The move.
        illegal: IllegalMove,
    },
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: ", self.line, self.column)?;
        match &self.problem {
            RecordProblem::Syntax {
                found: Some(found),
                expected,
            } => write!(f, "found '{}', expected {expected}", found.escape_default()),
            RecordProblem::Syntax {
                found: None,
                expected,
            } => write!(f, "the text ends, expected {expected}"),
            RecordProblem::Value {
                property,
                found,
                expected,
            } => write!(f, "{property}[{}]: expected {expected}", excerpt(found)),
            RecordProblem::Board(error) => write!(f, "start position: {error}"),
            RecordProblem::Illegal { number, illegal } => write!(f, "move {number}: {illegal}"),
        }
    }
}

impl std::error::Error for RecordError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            RecordProblem::Board(error) => Some(error),
            RecordProblem::Illegal { illegal, .. } => Some(illegal),
            _ => None,
        }
    }
}

impl RecordError {
    /// The same in a file where the record begins at this place.
    pub(super) fn moved_to(self, place: Place) -> RecordError {
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

    /// The problem at the byte `offset` of `text`, where a character begins.
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
