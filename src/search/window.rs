//! The alpha-beta window.

use std::ops::Neg;

use crate::board::Score;
use crate::eval::Value;

/// The open interval between `alpha` and `beta`: inside it a search returns the value itself, at or beyond its ends a bound
/// (fail-soft).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window<V = Value> {
    pub(super) alpha: V,
    pub(super) beta: V,
}

/// What values are counted in.
pub(super) trait Unit: Copy + Ord {
    /// Whether there are values between `alpha` and `beta`.
    fn are_apart(alpha: Self, beta: Self) -> bool;

    /// The next value up.
    fn next(self) -> Self;
}

impl Unit for Value {
    #[inline]
    fn are_apart(alpha: Value, beta: Value) -> bool {
        beta - alpha > Value::UNIT
    }

    #[inline]
    fn next(self) -> Value {
        self + Value::UNIT
    }
}

impl Unit for Score {
    #[inline]
    fn are_apart(alpha: Score, beta: Score) -> bool {
        beta - alpha > 1
    }

    #[inline]
    fn next(self) -> Score {
        self + 1
    }
}

impl Window {
    /// Every value is inside.
    pub(super) const FULL: Window = Window {
        alpha: Value::NEG_INFINITY,
        beta: Value::INFINITY,
    };

    /// The null window below `beta`.
    #[inline]
    pub(super) fn null_below(beta: Value) -> Window {
        Window {
            alpha: beta - Value::UNIT,
            beta,
        }
    }

    /// The narrowest window of whole discs around it.
    #[inline]
    pub(super) fn in_discs(self) -> Window<Score> {
        Window {
            alpha: self.alpha.units().div_euclid(Value::PER_DISC),
            beta: (self.beta.units() + Value::PER_DISC - 1).div_euclid(Value::PER_DISC),
        }
    }
}

impl Window<Score> {
    /// The same window in units of the search.
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

    /// The null window above `alpha`.
    #[inline]
    pub(super) fn null_above(alpha: V) -> Window<V> {
        Window {
            alpha,
            beta: alpha.next(),
        }
    }

    /// Whether there are values inside: a node with such a window is a PV node.
    #[inline]
    pub(super) fn is_open(self) -> bool {
        V::are_apart(self.alpha, self.beta)
    }

    /// The window for a later move, where a move with the value `best` is known.
    #[inline]
    pub(super) fn above(self, best: V) -> Window<V> {
        Window {
            alpha: self.alpha.max(best),
            ..self
        }
    }
}

/// The window of the other side.
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
