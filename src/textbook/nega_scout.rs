//! `NegaScout`: a full window for the first move, null windows for the others.

use super::observer::{cut, enter_as_mover, report};
use super::{Game, GameValue, Observer, Step};

/// `NegaScout`: searches `height` plies ahead and returns the value of `position` for Max.
///
/// With good move ordering the first move is the best. It gets the whole window (α, β).
/// A null window above the best value tests whether another move is better, with earlier cuts.
/// A move that proves better is searched again for its exact value.
///
/// ```text
///   first move    |α ----------------------- β|
///   its value v        v
///   other moves        |v, v+1|                     ≤ v: not better, done
///   if better               |t ------------- β|     > v: re-search above the proven bound t
/// ```
///
/// Source: A. Reinefeld, An Improvement to the Scout Tree-Search Algorithm, ICCA Journal, 1983.
/// This is the fail-soft form, without the shortcut for the last two plies.
pub fn nega_scout<G: Game>(position: &G, height: u32, observer: &mut impl Observer<G>) -> G::Value {
    let (alpha, beta) = (G::Value::NEG_INFINITY, G::Value::INFINITY);
    let value = node(position, height, alpha, beta, observer);
    position.to_move().from_max(value)
}

/// Fail-soft `NegaScout` of one node. Returns the value for the side to move.
fn node<G: Game>(
    position: &G,
    height: u32,
    alpha: G::Value,
    beta: G::Value,
    observer: &mut impl Observer<G>,
) -> G::Value {
    if let Some(value) = enter_as_mover(position, height, (alpha, beta), observer) {
        return value;
    }
    let mut best = G::Value::NEG_INFINITY;
    let moves = position.moves();
    for (searched, &mv) in (1..).zip(&moves) {
        let (child, below) = (position.play(mv), height - G::cost(mv));
        let lower = alpha.max(best);
        let upper = if searched == 1 { beta } else { lower.above() };
        let mut value = -node(&child, below, -upper, -lower, observer);
        if upper <= value && value < beta {
            observer.step(position, Step::Again);
            value = -node(&child, below, -beta, -value, observer);
        }
        best = best.max(value);
        let window = (alpha.max(best), beta);
        report(position, Step::Update(value, best, window), observer);
        if best >= beta {
            cut(position, searched, moves.len(), observer);
            break;
        }
    }
    best
}
