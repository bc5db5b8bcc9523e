//! The [`Window`] of a node, and the two type parameters for which the search of a node is
//! compiled: its [`Phase`] and its [`Kind`].

use std::ops::Neg;

use super::parameters::ordering::{ENDGAME, MIDGAME, MoveOrder};
use crate::eval::Value;

/// Alpha-beta window: the values above `alpha` and below `beta`.
///
/// A fail-soft search returns an exact value inside the window, and a bound at or beyond its ends.
/// The parameter `step` of the methods is the distance of neighbouring values: one unit in the
/// midgame, one disc between final scores.
/// A null window contains no value, an open window contains at least one value.
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

    /// Returns whether the window contains a value, so that its node is a PV node.
    #[inline]
    pub(super) fn is_open(self, step: Value) -> bool {
        self.beta - self.alpha > step
    }

    /// Returns the window for a later move: the part of this window above `best`, the value of an
    /// earlier move.
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

/// Constants that differ between a search to a depth and a search to the end of the game.
pub(super) trait Phase {
    /// Whether the search reaches the end of the game.
    const IS_END: bool;
    /// Distance of neighbouring values, the width of a null window.
    const STEP: Value;
    const ORDER: MoveOrder;
}

/// Search to a depth in plies, less than the number of empties.
/// Values are estimates, in units of 1/32 disc.
pub(super) enum Midgame {}

impl Phase for Midgame {
    const IS_END: bool = false;
    const STEP: Value = Value::UNIT;
    const ORDER: MoveOrder = MIDGAME;
}

/// Search to the end of the game. Values are final scores, in whole discs.
pub(super) enum Endgame {}

impl Phase for Endgame {
    const IS_END: bool = true;
    const STEP: Value = Value::from_score(1);
    const ORDER: MoveOrder = ENDGAME;
}

/// Constants that differ between the root, other PV nodes, and null-window nodes.
pub(super) trait Kind {
    /// Whether the window is open when the search of the node begins. The PV of such a node is
    /// recorded.
    const IS_PV: bool;
    /// Whether the node is the root, whose best moves are reported.
    const IS_ROOT: bool = false;
}

/// Root of the search.
pub(super) enum Root {}

impl Kind for Root {
    const IS_PV: bool = true;
    const IS_ROOT: bool = true;
}

/// Node with an open window: a node of the principal variation.
pub(super) enum Pv {}

impl Kind for Pv {
    const IS_PV: bool = true;
}

/// Node with a null window.
pub(super) enum Null {}

impl Kind for Null {
    const IS_PV: bool = false;
}
