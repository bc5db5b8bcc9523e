//! Search results as they are stored for training.

use std::ops::Neg;

use emilia_core::eval::Value;
use emilia_core::search::Line;

/// The value that a search returned, and whether it is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchValue {
    /// Expected final score for the side to move.
    pub value: Value,
    /// Whether the search solved the position, so that the value is exact.
    pub is_exact: bool,
}

impl SearchValue {
    /// Extracts the result from the final line of a search.
    pub fn of(line: &Line) -> SearchValue {
        SearchValue {
            value: line.value,
            is_exact: line.depth.is_solved(),
        }
    }

    /// Encodes twice the value in units of 1/32 disc, plus 1 if it is exact.
    pub(super) fn to_i16(self) -> i16 {
        // At most 2 * 64 * 32 + 1 = 4097, so it fits.
        2 * self.value.clamped().units() as i16 + i16::from(self.is_exact)
    }

    /// Decodes the number that [`to_i16`](Self::to_i16) returns.
    pub(super) fn from_i16(stored: i16) -> SearchValue {
        SearchValue {
            value: Value::from_units(i32::from(stored >> 1)),
            is_exact: stored & 1 == 1,
        }
    }
}

/// Converts to the opponent's view.
impl Neg for SearchValue {
    type Output = SearchValue;

    fn neg(self) -> SearchValue {
        SearchValue {
            value: -self.value,
            ..self
        }
    }
}
