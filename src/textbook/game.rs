//! What a game must tell the algorithms: whose turn it is, what can be played, and what it is worth.

use std::fmt;
use std::hash::Hash;
use std::ops::Neg;

use crate::eval::Value;

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Wants the value large.
    Max,
    /// Wants the value small.
    Min,
}

impl Side {
    /// The other player.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::Max => Side::Min,
            Side::Min => Side::Max,
        }
    }

    /// A value for Max, seen by this side; and back again.
    pub fn sees<V: GameValue>(self, value: V) -> V {
        match self {
            Side::Max => value,
            Side::Min => -value,
        }
    }
}

/// What a value must be able to do: be compared, be seen from the other side, and lie between two infinities.
pub trait GameValue: Copy + Ord + Neg<Output = Self> + fmt::Debug + fmt::Display {
    /// Below every value.
    const NEG_INFINITY: Self;
    /// Above every value.
    const INFINITY: Self;

    /// The next larger value. The window from `v` to `v.above()` has nothing inside: it is a *null window*.
    #[must_use]
    fn above(self) -> Self;

    /// The next smaller value.
    #[must_use]
    fn below(self) -> Self {
        -(-self).above()
    }
}

impl GameValue for Value {
    const NEG_INFINITY: Value = Value::NEG_INFINITY;
    const INFINITY: Value = Value::INFINITY;

    fn above(self) -> Value {
        self + Value::UNIT
    }
}

impl GameValue for i32 {
    const NEG_INFINITY: i32 = -i32::MAX;
    const INFINITY: i32 = i32::MAX;

    fn above(self) -> i32 {
        self + 1
    }
}

/// A position of a game for two, in which the players move in turn.
///
/// Where a side may have to pass, the pass is a move like any other, so that Max and Min nodes alternate.
pub trait Game: Clone {
    /// What positions are worth.
    type Value: GameValue;
    /// What a player can do.
    type Move: Copy + Eq + fmt::Debug;
    /// The hash key of a position: equal keys have equal values for the side to move.
    type Key: Eq + Hash;

    /// Whose turn it is.
    fn to_move(&self) -> Side;

    /// What the position is worth for Max if the game is over, otherwise `None`.
    fn outcome(&self) -> Option<Self::Value>;

    /// What the position seems to be worth for Max, without looking ahead. The game is not over.
    fn estimate(&self) -> Self::Value;

    /// The moves, in the order in which a reader of the board finds them. The game is not over, so there are some.
    fn moves(&self) -> Vec<Self::Move>;

    /// The position after a move.
    #[must_use]
    fn play(&self, mv: Self::Move) -> Self;

    /// The position's key.
    fn key(&self) -> Self::Key;

    /// How much height a move costs: one, but nothing for a pass.
    fn cost(_mv: Self::Move) -> u32 {
        1
    }

    /// The static weight of a move's square, larger for better: for move ordering.
    fn static_weight(&self, _mv: Self::Move) -> i32 {
        0
    }

    /// How many replies a move leaves; fewer are searched sooner.
    fn replies(&self, _mv: Self::Move) -> u32 {
        0
    }
}
