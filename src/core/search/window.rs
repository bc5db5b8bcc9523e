//! Alpha-beta windows, in units of [`Value`] or in whole discs.

use std::ops::{Add, Neg, Sub};

use crate::board::Score;
use crate::eval::Value;

/// Alpha-beta window: the open interval between `alpha` and `beta`.
///
/// A fail-soft search returns an exact value inside it, and a bound at or beyond its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window<V = Value> {
    pub(super) alpha: V,
    pub(super) beta: V,
}

/// Unit of a window's ends: [`Value`] in 1/32 disc, or [`Score`] in discs.
pub(super) trait Unit: Copy + Ord + Add<Output = Self> + Sub<Output = Self> {
    /// Distance of neighbouring values.
    const UNIT: Self;
}

impl Unit for Value {
    const UNIT: Value = Value::UNIT;
}

impl Unit for Score {
    const UNIT: Score = 1;
}

impl Window {
    /// Window that contains every value.
    pub(super) const FULL: Window = Window {
        alpha: Value::NEG_INFINITY,
        beta: Value::INFINITY,
    };

    /// Returns the null window that ends at `beta`.
    #[inline]
    pub(super) fn null_below(beta: Value) -> Window {
        Window {
            alpha: beta - Value::UNIT,
            beta,
        }
    }

    /// Returns the narrowest window of whole discs that contains this window.
    #[inline]
    pub(super) fn in_discs(self) -> Window<Score> {
        Window {
            alpha: self.alpha.units().div_euclid(Value::PER_DISC),
            beta: (self.beta.units() + Value::PER_DISC - 1).div_euclid(Value::PER_DISC),
        }
    }
}

impl Window<Score> {
    /// Returns the same window in units of [`Value`].
    #[inline]
    pub(super) fn in_units(self) -> Window {
        Window {
            alpha: Value::from_score(self.alpha),
            beta: Value::from_score(self.beta),
        }
    }
}

impl<V: Unit> Window<V> {
    #[inline]
    pub(super) fn new(alpha: V, beta: V) -> Window<V> {
        Window { alpha, beta }
    }

    /// Returns the null window that begins at `alpha`.
    #[inline]
    pub(super) fn null_above(alpha: V) -> Window<V> {
        Window {
            alpha,
            beta: alpha + V::UNIT,
        }
    }

    /// Returns whether the window contains a value. Its node is then a PV node.
    #[inline]
    pub(super) fn is_open(self) -> bool {
        self.beta - self.alpha > V::UNIT
    }

    /// Returns the window for a later move, after a move with value `best`.
    #[inline]
    pub(super) fn above(self, best: V) -> Window<V> {
        Window {
            alpha: self.alpha.max(best),
            ..self
        }
    }
}

/// Returns the window as the opponent sees it.
impl<V: Neg<Output = V>> Neg for Window<V> {
    type Output = Window<V>;

    #[inline]
    fn neg(self) -> Window<V> {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }
}
