//! `NegaScout`: the first move is searched, the others are only proved to be no better.

use super::observer::{cut, enter_as_mover};
use super::{Game, GameValue, Observer};

/// The value of a position for Max, looking `height` moves ahead.
///
/// With a good order the first move is the best. It is searched with the whole window (α, β); of each other move we only
/// ask whether it is better, with the null window just above the best so far, which cuts sooner. The rare move that is
/// better is searched again for its value.
///
/// ```text
///   first move    |α ----------------------- β|
///   its value          v
///   other moves        |v, v+1|                     ≤ v: no better, done
///   if better               |t ------------- β|     > v: searched again from what the null window proved
/// ```
///
/// Source: A. Reinefeld, An Improvement to the Scout Tree-Search Algorithm, ICCA Journal 6(4), 1983; in the fail-soft
/// form, without its shortcut for the last two plies.
pub fn nega_scout<G: Game>(position: &G, height: u32, observer: &mut impl Observer<G>) -> G::Value {
    let (alpha, beta) = (G::Value::NEG_INFINITY, G::Value::INFINITY);
    let value = node(position, height, alpha, beta, observer);
    position.to_move().sees(value)
}

/// The value for the side to move, fail-soft.
fn node<G: Game>(
    position: &G,
    height: u32,
    alpha: G::Value,
    beta: G::Value,
    observer: &mut impl Observer<G>,
) -> G::Value {
    if let Some(value) = enter_as_mover(position, height, observer) {
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
            value = -node(&child, below, -beta, -value, observer);
        }
        best = best.max(value);
        if best >= beta {
            cut(position, searched, moves.len(), observer);
            break;
        }
    }
    best
}
