//! `Value`: the value of a position in 1/32 disc, as used by evaluations and searches.

use std::fmt;
use std::ops::{Add, Neg, Sub};

use crate::board::{Score, WIPE_OUT};

/// A value in units of 1/32 disc, for the side to move.
/// A static evaluation estimates the final [`Score`] in this unit.
/// An exact score is a whole number of discs.
///
/// ```
/// use emilia_core::eval::Value;
/// assert_eq!(Value::from_score(-6).to_string(), "-6.00");
/// assert_eq!(Value::from_score(3).round_to_score(), 3);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(i32);

impl Value {
    /// Units per disc.
    pub const PER_DISC: i32 = 32;
    /// The worst final score, −64 discs.
    pub const MIN: Value = Value::from_score(-WIPE_OUT);
    /// The best final score, +64 discs.
    pub const MAX: Value = Value::from_score(WIPE_OUT);
    /// Less than every value: alpha of a search window that is open below.
    pub const NEG_INFINITY: Value = Value(Value::MIN.0 - 1);
    /// Greater than every value: beta of a search window that is open above.
    pub const INFINITY: Value = Value(Value::MAX.0 + 1);
    /// One unit: the width of a null window in a search.
    pub const UNIT: Value = Value(1);
    /// The value of an even game.
    pub const ZERO: Value = Value(0);

    /// Makes a value from a number of 1/32 discs.
    #[inline]
    pub const fn from_units(units: i32) -> Value {
        Value(units)
    }

    /// The value as a number of 1/32 discs.
    #[inline]
    pub const fn units(self) -> i32 {
        self.0
    }

    /// Makes a value from a final score in discs.
    #[inline]
    pub const fn from_score(score: Score) -> Value {
        Value(score * Value::PER_DISC)
    }

    /// The nearest score in discs. Halves are rounded away from zero.
    pub const fn round_to_score(self) -> Score {
        (self.0 + self.0.signum() * Value::PER_DISC / 2) / Value::PER_DISC
    }

    /// The value in discs, for output and statistics.
    pub fn discs(self) -> f64 {
        f64::from(self.0) / f64::from(Value::PER_DISC)
    }

    /// The value clamped to the range of scores, −64..=64 discs.
    #[inline]
    #[must_use]
    pub fn clamped(self) -> Value {
        self.clamp(Value::MIN, Value::MAX)
    }
}

impl Neg for Value {
    type Output = Value;
    #[inline]
    fn neg(self) -> Value {
        Value(-self.0)
    }
}

impl Add for Value {
    type Output = Value;
    #[inline]
    fn add(self, other: Value) -> Value {
        Value(self.0 + other.0)
    }
}

impl Sub for Value {
    type Output = Value;
    #[inline]
    fn sub(self, other: Value) -> Value {
        Value(self.0 - other.0)
    }
}

/// Writes discs with a sign and two decimals, such as `+1.50`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{:+.2}", self.discs()))
    }
}
