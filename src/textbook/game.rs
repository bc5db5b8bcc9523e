//! `Game`: the interface between a game and the search algorithms.
//! A game supplies the side to move, the moves, the outcome and an estimate.

use std::fmt;
use std::hash::Hash;
use std::ops::Neg;

use emilia_core::eval::Value;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Maximises the value.
    Max,
    /// Minimises the value.
    Min,
}

impl Side {
    /// Returns the other player.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::Max => Side::Min,
            Side::Min => Side::Max,
        }
    }

    /// Converts a value for Max into a value for this side. The conversion is its own inverse.
    pub fn from_max<V: GameValue>(self, value: V) -> V {
        match self {
            Side::Max => value,
            Side::Min => -value,
        }
    }

    /// Converts a window (α, β) for Max into the window (−β, −α) for Min, or back.
    pub fn window_from_max<V: GameValue>(self, (alpha, beta): (V, V)) -> (V, V) {
        match self {
            Side::Max => (alpha, beta),
            Side::Min => (-beta, -alpha),
        }
    }
}

/// The operations of a value: comparison, negation for the other side, and two infinities.
pub trait GameValue: Copy + Ord + Neg<Output = Self> + fmt::Debug + fmt::Display {
    /// Less than every value.
    const NEG_INFINITY: Self;
    /// Greater than every value.
    const INFINITY: Self;

    /// The value as a number, in discs or in the unit of the tree.
    fn number(self) -> f64;

    /// The next larger value.
    /// The window from `v` to `v.above()` is a *null window*: no value lies inside.
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

    fn number(self) -> f64 {
        self.discs()
    }

    fn above(self) -> Value {
        self + Value::UNIT
    }
}

impl GameValue for i32 {
    const NEG_INFINITY: i32 = -i32::MAX;
    const INFINITY: i32 = i32::MAX;

    fn number(self) -> f64 {
        f64::from(self)
    }

    fn above(self) -> i32 {
        self + 1
    }
}

/// A position of a two-player game in which the players move in turn.
///
/// A forced pass is a move like any other, so that Max and Min nodes alternate.
pub trait Game: Clone {
    /// The type of a position's value.
    type Value: GameValue;
    /// The type of a move.
    type Move: Copy + Eq + fmt::Debug;
    /// The hash key of a position. Positions with equal keys have equal values for the side to
    /// move.
    type Key: Eq + Hash;

    /// Returns the side to move.
    fn to_move(&self) -> Side;

    /// The value for Max if the game is over, otherwise `None`.
    fn outcome(&self) -> Option<Self::Value>;

    /// Static evaluation for Max, without search. The game must not be over.
    fn estimate(&self) -> Self::Value;

    /// The legal moves in board order. The list is not empty, because the game is not over.
    fn moves(&self) -> Vec<Self::Move>;

    /// Returns the position after `mv`.
    #[must_use]
    fn play(&self, mv: Self::Move) -> Self;

    /// Returns the key of the position.
    fn key(&self) -> Self::Key;

    /// Name of a move, such as `f5`.
    fn name(&self, mv: Self::Move) -> String;

    /// Cells of a square board row by row: `X` for Max, `O` for Min, `-` for an empty cell. A game
    /// without a board returns an empty string.
    fn cells(&self) -> String {
        String::new()
    }

    /// Number of plies by which a move reduces the height of the search: 1, or 0 for a pass.
    fn cost(_mv: Self::Move) -> u32 {
        1
    }

    /// Static weight of a move for move ordering. Larger is better.
    fn static_weight(&self, _mv: Self::Move) -> i32 {
        0
    }

    /// Number of replies that a move leaves, for move ordering. Fewer is better.
    fn replies(&self, _mv: Self::Move) -> u32 {
        0
    }
}

/// Returns `count` cells in the form of [`Game::cells`]. Bit n of `max` or `min` is set if cell n
/// belongs to Max or Min.
pub(super) fn cells(count: u32, max: u64, min: u64) -> String {
    let cell = |index| match (max >> index & 1, min >> index & 1) {
        (1, _) => 'X',
        (_, 1) => 'O',
        _ => '-',
    };
    (0..count).map(cell).collect()
}
