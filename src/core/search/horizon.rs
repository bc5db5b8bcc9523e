//! Horizon of a search: a number of plies, or the end of the game.
//! The interior node is compiled for both. [`Horizon`] holds what differs.

use crate::eval::Value;
use crate::search::parameters::ordering;

/// Depth of a search to the end of the game, greater than any other depth.
pub(crate) const TO_THE_END: u32 = 64;

/// What differs between a search to a depth and one to the end of the game.
pub(crate) trait Horizon {
    /// Whether the depth is [`TO_THE_END`].
    const IS_END: bool;
    /// Distance of neighbouring values, the width of a null window.
    const STEP: Value;
    const ORDER: MoveOrder;
}

/// Search to a depth in plies, less than the number of empties.
/// Values are estimates, in units of 1/32 disc.
pub(crate) enum Plies {}

impl Horizon for Plies {
    const IS_END: bool = false;
    const STEP: Value = Value::UNIT;
    const ORDER: MoveOrder = ordering::PLIES;
}

/// Search to the end of the game. Values are final scores, in whole discs.
pub(crate) enum End {}

impl Horizon for End {
    const IS_END: bool = true;
    const STEP: Value = Value::from_score(1);
    const ORDER: MoveOrder = ordering::END;
}

/// Parameters of move ordering. Weights are in points: moves with more points come first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveOrder {
    /// Least draft, in plies, of a table entry whose moves are tried first.
    pub(crate) table_moves_from: u32,
    /// Least sizes of nodes for values of moves by a search of 0, 1, 2 and 3 plies.
    /// Sizes are depths in plies, or numbers of empties in a search to the end of the game.
    /// A search of 0 plies is the static value.
    pub(crate) evaluated_from: [u32; 4],
    /// Deducted for each legal reply of the opponent.
    pub(crate) reply: i32,
    /// Deducted in addition for each corner among the opponent's replies.
    pub(crate) corner_reply: i32,
    /// Deducted for each disc of the child's value for the opponent.
    pub(crate) disc: i32,
    /// Weight of each step of [`static_square_weight`](crate::eval::static_square_weight).
    pub(crate) square: i32,
    /// Bonuses of the two killer moves of the ply, the latest first.
    pub(crate) killers: [i32; 2],
    /// Weight of each point of a history counter.
    pub(crate) history: i32,
}

/// Returns the distance of neighbouring values in a search of `depth` plies.
pub(crate) fn step(depth: u32) -> Value {
    if depth == TO_THE_END {
        End::STEP
    } else {
        Plies::STEP
    }
}

/// Returns the depth one ply below a node of `depth` plies.
#[inline]
pub(crate) fn below(depth: u32) -> u32 {
    if depth == TO_THE_END {
        depth
    } else {
        depth - 1
    }
}
