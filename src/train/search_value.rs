//! What a search found of a position, as it is stored for training.

use std::ops::Neg;

use crate::eval::Value;
use crate::search::Line;

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchValue {
    /// The expected final score for the side to move.
    pub value: Value,
    /// Whether the search solved the position.
    pub is_exact: bool,
}

impl SearchValue {
    /// The result of the search that ended with this line.
    pub(super) fn of(line: &Line) -> SearchValue {
        SearchValue {
            value: line.value,
            is_exact: line.depth.is_solved(),
        }
    }

    /// The value in units of 1/32 disc, doubled, plus 1 if it is exact.
    pub(super) fn to_i16(self) -> i16 {
        // 2 * 64 * 32 + 1 is far from the ends of i16.
        2 * self.value.clamped().units() as i16 + i16::from(self.is_exact)
    }

    /// The reverse of [`to_i16`](Self::to_i16).
    pub(super) fn from_i16(stored: i16) -> SearchValue {
        SearchValue {
            value: Value::from_units(i32::from(stored >> 1)),
            is_exact: stored & 1 == 1,
        }
    }
}

/// The same for the other side.
impl Neg for SearchValue {
    type Output = SearchValue;

    fn neg(self) -> SearchValue {
        SearchValue {
            value: -self.value,
            ..self
        }
    }
}
