//! Minimax, with Max nodes and Min nodes.

use super::observer::enter;
use super::{Game, GameValue, Observer, Side};

/// The value of a position for Max, looking `height` moves ahead.
///
/// A leaf has its value; a Max node has the value of its largest child, a Min node that of its smallest. It visits every
/// leaf: b^d of them where every node has b moves, to depth d.
///
/// Source: C. E. Shannon, Programming a Computer for Playing Chess, 1950, his "type A" strategy.
pub fn minimax<G: Game>(position: &G, height: u32, observer: &mut impl Observer<G>) -> G::Value {
    match position.to_move() {
        Side::Max => max_node(position, height, observer),
        Side::Min => min_node(position, height, observer),
    }
}

fn max_node<G: Game>(position: &G, height: u32, observer: &mut impl Observer<G>) -> G::Value {
    if let Some(value) = enter(position, height, observer) {
        return value;
    }
    let mut best = G::Value::NEG_INFINITY;
    for mv in position.moves() {
        let value = min_node(&position.play(mv), height - G::cost(mv), observer);
        best = best.max(value);
    }
    best
}

fn min_node<G: Game>(position: &G, height: u32, observer: &mut impl Observer<G>) -> G::Value {
    if let Some(value) = enter(position, height, observer) {
        return value;
    }
    let mut best = G::Value::INFINITY;
    for mv in position.moves() {
        let value = max_node(&position.play(mv), height - G::cost(mv), observer);
        best = best.min(value);
    }
    best
}
