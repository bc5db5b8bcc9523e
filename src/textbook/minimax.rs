//! Minimax, with separate functions for Max nodes and Min nodes.

use super::observer::enter;
use super::{Game, GameValue, Observer, Side, Step};

/// Minimax: searches `height` plies ahead and returns the value of `position` for Max.
///
/// A Max node has the value of its largest child, a Min node the value of its smallest child.
/// All leaves are visited: b^d of them at depth d if every node has b moves.
///
/// Source: C. E. Shannon, Programming a Computer for Playing Chess, 1950, "type A" strategy.
pub fn minimax<G: Game>(position: &G, height: u32, observer: &mut impl Observer<G>) -> G::Value {
    match position.to_move() {
        Side::Max => max_node(position, height, observer),
        Side::Min => min_node(position, height, observer),
    }
}

fn max_node<G: Game>(position: &G, height: u32, observer: &mut impl Observer<G>) -> G::Value {
    let window = (G::Value::NEG_INFINITY, G::Value::INFINITY);
    if let Some(value) = enter(position, height, window, observer) {
        return value;
    }
    let mut best = G::Value::NEG_INFINITY;
    for mv in position.moves() {
        let value = min_node(&position.play(mv), height - G::cost(mv), observer);
        best = best.max(value);
        observer.step(position, Step::Update(value, best, window));
    }
    best
}

fn min_node<G: Game>(position: &G, height: u32, observer: &mut impl Observer<G>) -> G::Value {
    let window = (G::Value::NEG_INFINITY, G::Value::INFINITY);
    if let Some(value) = enter(position, height, window, observer) {
        return value;
    }
    let mut best = G::Value::INFINITY;
    for mv in position.moves() {
        let value = max_node(&position.play(mv), height - G::cost(mv), observer);
        best = best.min(value);
        observer.step(position, Step::Update(value, best, window));
    }
    best
}
