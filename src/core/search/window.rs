//! Alpha-beta windows.

use std::ops::Neg;

use crate::eval::Value;

/// Alpha-beta window: the open interval between `alpha` and `beta`.
///
/// A fail-soft search returns an exact value inside it, and a bound at or beyond its ends.
/// `step` below is the distance of neighbouring values: one unit, or one disc between final scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) alpha: Value,
    pub(super) beta: Value,
}

impl Window {
    /// Window that contains every value.
    pub(super) const FULL: Window = Window {
        alpha: Value::NEG_INFINITY,
        beta: Value::INFINITY,
    };

    #[inline]
    pub(super) fn new(alpha: Value, beta: Value) -> Window {
        Window { alpha, beta }
    }

    /// Returns the null window that begins at `alpha`.
    #[inline]
    pub(super) fn null_above(alpha: Value, step: Value) -> Window {
        Window::new(alpha, alpha + step)
    }

    /// Returns whether the window contains a value. Its node is then a PV node.
    #[inline]
    pub(super) fn is_open(self, step: Value) -> bool {
        self.beta - self.alpha > step
    }

    /// Returns the window for a later move, after a move with value `best`.
    #[inline]
    pub(super) fn above(self, best: Value) -> Window {
        Window::new(self.alpha.max(best), self.beta)
    }

    /// Returns the narrowest window of whole discs that contains this window.
    #[inline]
    pub(super) fn in_discs(self) -> Window {
        let floor = |units: i32| Value::from_score(units.div_euclid(Value::PER_DISC));
        Window {
            alpha: floor(self.alpha.units()),
            beta: floor(self.beta.units() + Value::PER_DISC - 1),
        }
    }
}

/// Returns the window as the opponent sees it.
impl Neg for Window {
    type Output = Window;

    #[inline]
    fn neg(self) -> Window {
        Window::new(-self.beta, -self.alpha)
    }
}
