//! Negamax: minimax with one rule for both sides.

use super::observer::enter_as_mover;
use super::{Game, GameValue, Observer};

/// The value of a position for Max, looking `height` moves ahead.
///
/// What is good for one side is bad for the other: seen by the side to move, a position is worth the largest of its
/// negated children, because min(a, b) = −max(−a, −b). The same nodes as [`minimax`](super::minimax), half the code.
///
/// Source: D. E. Knuth and R. W. Moore, An Analysis of Alpha-Beta Pruning, Artificial Intelligence 6, 1975, section 2.
pub fn negamax<G: Game>(position: &G, height: u32, observer: &mut impl Observer<G>) -> G::Value {
    position.to_move().sees(node(position, height, observer))
}

/// The value for the side to move.
fn node<G: Game>(position: &G, height: u32, observer: &mut impl Observer<G>) -> G::Value {
    if let Some(value) = enter_as_mover(position, height, observer) {
        return value;
    }
    let mut best = G::Value::NEG_INFINITY;
    for mv in position.moves() {
        let value = -node(&position.play(mv), height - G::cost(mv), observer);
        best = best.max(value);
    }
    best
}
