//! Horizon of a search: a number of plies, or the end of the game.
//! The interior node is compiled for both. [`Horizon`] holds what differs.

use crate::eval::Value;
use crate::search::ordering::move_list::Weights;

/// Depth of a search to the end of the game, greater than any other depth.
pub(crate) const TO_THE_END: u32 = 64;

/// Parameters that differ between a search to a depth and one to the end of the game.
///
/// Sizes of nodes are depths in plies, or numbers of empties in a search to the end.
pub(crate) trait Horizon {
    /// Whether the depth is [`TO_THE_END`].
    const IS_END: bool;
    /// Distance of neighbouring values, the width of a null window.
    const STEP: Value;
    /// Least draft, in plies, of a table entry whose moves are tried first.
    const TABLE_MOVES_FROM: u32;
    /// Least sizes for move ordering by a search of 0, 1, 2 and 3 plies.
    /// A search of 0 plies is the static value.
    const EVALUATED_FROM: [u32; 4];
    /// Weights of move ordering.
    const WEIGHTS: Weights;
}

/// Search to a depth in plies, less than the number of empties.
/// Values are estimates, in units of 1/32 disc.
pub(crate) enum Plies {}

/// Search to the end of the game. Values are final scores, in whole discs.
pub(crate) enum End {}

/// Size of no node.
const NEVER: u32 = u32::MAX;

impl Horizon for Plies {
    const IS_END: bool = false;
    const STEP: Value = Value::UNIT;
    const TABLE_MOVES_FROM: u32 = 0;
    const EVALUATED_FROM: [u32; 4] = [4, NEVER, NEVER, NEVER];
    const WEIGHTS: Weights = Weights {
        reply: 150,
        corner_reply: 150,
        disc: 300,
        square: 25,
        killers: [100, 60],
        history: 1,
    };
}

impl Horizon for End {
    const IS_END: bool = true;
    const STEP: Value = Value::from_score(1);
    const TABLE_MOVES_FROM: u32 = 6;
    const EVALUATED_FROM: [u32; 4] = [14, 18, 21, 24];
    const WEIGHTS: Weights = Weights {
        reply: 15,
        corner_reply: 15,
        disc: 6,
        square: 0,
        killers: [0, 0],
        history: 0,
    };
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
