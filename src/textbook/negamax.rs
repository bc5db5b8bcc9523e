//! Negamax: minimax with one rule for both sides.

use super::observer::{enter_as_mover, report};
use super::{Game, GameValue, Observer, Step};

/// Negamax: searches `height` plies ahead and returns the value of `position` for Max.
///
/// The value for the side to move is the largest negated value of the children.
/// This follows from min(a, b) = −max(−a, −b).
/// The visited nodes are the same as in [`minimax`](super::minimax), with half the code.
///
/// Source: D. E. Knuth and R. W. Moore, An Analysis of Alpha-Beta Pruning, 1975, section 2.
pub fn negamax<G: Game>(position: &G, height: u32, observer: &mut impl Observer<G>) -> G::Value {
    position
        .to_move()
        .from_max(node(position, height, observer))
}

/// Returns the value of a node for the side to move.
fn node<G: Game>(position: &G, height: u32, observer: &mut impl Observer<G>) -> G::Value {
    let window = (G::Value::NEG_INFINITY, G::Value::INFINITY);
    if let Some(value) = enter_as_mover(position, height, window, observer) {
        return value;
    }
    let mut best = G::Value::NEG_INFINITY;
    for mv in position.moves() {
        let value = -node(&position.play(mv), height - G::cost(mv), observer);
        best = best.max(value);
        report(position, Step::Update(value, best, window), observer);
    }
    best
}
