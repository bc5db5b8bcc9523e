//! Alpha-beta in its three printed forms: two-sided, and negamax fail-hard and fail-soft.
//!
//! Each node carries a window: α is what Max has for certain elsewhere, β what Min has. A value outside does not change
//! the root, so a node that leaves the window need not be finished:
//!
//! ```text
//!              Max  α = -7
//!              /       \
//!          -7           Min  window (-7, +∞)
//!                      /   |   \
//!                     3   -9    x      after -9 the node is worth -9 ≤ α: an alpha cut
//! ```
//!
//! With the best move first everywhere, nodes are of three kinds by their window: (−∞, +∞) on the first line,
//! (−∞, β) or (α, +∞) beside it, the latter in turns where one move is enough and where all are needed. A uniform tree
//! of b moves and depth d then has b^⌈d/2⌉ + b^⌊d/2⌋ − 1 leaves to visit instead of b^d, about the square root; with the
//! worst move first there is no cut at all.
//!
//! Source: D. E. Knuth and R. W. Moore, An Analysis of Alpha-Beta Pruning, Artificial Intelligence 6, 1975.

use super::observer::{cut, enter, enter_as_mover};
use super::{Game, GameValue, Observer, Side};

/// The value of a position for Max, looking `height` moves ahead; the form with Max nodes, which raise α, and Min nodes,
/// which lower β. The rest of a node is left out when α ≥ β.
pub fn alpha_beta<G: Game>(position: &G, height: u32, observer: &mut impl Observer<G>) -> G::Value {
    let (alpha, beta) = (G::Value::NEG_INFINITY, G::Value::INFINITY);
    match position.to_move() {
        Side::Max => max_node(position, height, alpha, beta, observer),
        Side::Min => min_node(position, height, alpha, beta, observer),
    }
}

fn max_node<G: Game>(
    position: &G,
    height: u32,
    mut alpha: G::Value,
    beta: G::Value,
    observer: &mut impl Observer<G>,
) -> G::Value {
    if let Some(value) = enter(position, height, observer) {
        return value;
    }
    let moves = position.moves();
    for (searched, &mv) in (1..).zip(&moves) {
        let (child, below) = (position.play(mv), height - G::cost(mv));
        alpha = alpha.max(min_node(&child, below, alpha, beta, observer));
        if alpha >= beta {
            cut(position, searched, moves.len(), observer);
            break;
        }
    }
    alpha
}

fn min_node<G: Game>(
    position: &G,
    height: u32,
    alpha: G::Value,
    mut beta: G::Value,
    observer: &mut impl Observer<G>,
) -> G::Value {
    if let Some(value) = enter(position, height, observer) {
        return value;
    }
    let moves = position.moves();
    for (searched, &mv) in (1..).zip(&moves) {
        let (child, below) = (position.play(mv), height - G::cost(mv));
        beta = beta.min(max_node(&child, below, alpha, beta, observer));
        if alpha >= beta {
            cut(position, searched, moves.len(), observer);
            break;
        }
    }
    beta
}

/// The value of a position for Max, looking `height` moves ahead; the negamax form, fail-hard.
pub fn fail_hard<G: Game>(position: &G, height: u32, observer: &mut impl Observer<G>) -> G::Value {
    let (alpha, beta) = (G::Value::NEG_INFINITY, G::Value::INFINITY);
    let value = fail_hard_window(position, height, alpha, beta, observer);
    position.to_move().sees(value)
}

/// The value for the side to move, brought into the window [`alpha`, `beta`]: α means *at most α*, β *at least β*.
///
/// What is α to one side is −β to the other, so a child is searched in the window (−β, −α).
///
/// Source: Knuth and Moore 1975, their procedure F2.
pub fn fail_hard_window<G: Game>(
    position: &G,
    height: u32,
    mut alpha: G::Value,
    beta: G::Value,
    observer: &mut impl Observer<G>,
) -> G::Value {
    if let Some(value) = enter_as_mover(position, height, observer) {
        return value.clamp(alpha, beta);
    }
    let moves = position.moves();
    for (searched, &mv) in (1..).zip(&moves) {
        let (child, below) = (position.play(mv), height - G::cost(mv));
        let value = -fail_hard_window(&child, below, -beta, -alpha, observer);
        if value >= beta {
            cut(position, searched, moves.len(), observer);
            return beta;
        }
        alpha = alpha.max(value);
    }
    alpha
}

/// The value of a position for Max, looking `height` moves ahead; the negamax form, fail-soft.
pub fn fail_soft<G: Game>(position: &G, height: u32, observer: &mut impl Observer<G>) -> G::Value {
    let (alpha, beta) = (G::Value::NEG_INFINITY, G::Value::INFINITY);
    let value = fail_soft_window(position, height, alpha, beta, observer);
    position.to_move().sees(value)
}

/// The value for the side to move if it lies inside the window; otherwise the best bound seen: a result ≤ α says that the
/// value is at most the result, a result ≥ β that it is at least the result.
///
/// It visits what [`fail_hard_window`] visits, but says more, which pays as soon as results are remembered.
///
/// Source: J. P. Fishburn, Another Optimization of Alpha-Beta Search, SIGART Newsletter 84, 1983.
pub fn fail_soft_window<G: Game>(
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
        best = best.max(-fail_soft_window(&child, below, -beta, -lower, observer));
        if best >= beta {
            cut(position, searched, moves.len(), observer);
            break;
        }
    }
    best
}
