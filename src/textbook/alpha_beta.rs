//! Alpha-beta in three forms: with Max and Min nodes, negamax fail-hard, and negamax fail-soft.
//!
//! Each node has a window (α, β): α is the value that Max can already get by another move nearer
//! the root, β the value that Min can get. A value outside the window cannot change the value of
//! the root, so such a node is cut off:
//!
//! ```text
//!              Max  α = -7
//!              /       \
//!          -7           Min  window (-7, +∞)
//!                      /   |   \
//!                     3   -9    x      after -9 the value is at most -9 ≤ α: an alpha cut
//! ```
//!
//! If every node has its best move first, the tree has PV nodes, cut nodes and all nodes.
//! A cut node needs one move, an all node needs every move.
//! In a uniform tree of b moves and depth d, b^⌈d/2⌉ + b^⌊d/2⌋ − 1 leaves are then visited.
//! For even d this is about twice the square root of the b^d leaves of minimax.
//! If every node has its worst move first, there is no cut at all.
//!
//! Source: D. E. Knuth and R. W. Moore, An Analysis of Alpha-Beta Pruning, 1975.

use super::observer::{cut, enter, enter_as_mover, report};
use super::{Game, GameValue, Observer, Side, Step};

/// Alpha-beta with Max nodes, which raise α, and Min nodes, which lower β.
/// Searches `height` plies ahead and returns the value of `position` for Max.
/// A node is cut off when α ≥ β.
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
    if let Some(value) = enter(position, height, (alpha, beta), observer) {
        return value;
    }
    let moves = position.moves();
    for (searched, &mv) in (1..).zip(&moves) {
        let (child, below) = (position.play(mv), height - G::cost(mv));
        let value = min_node(&child, below, alpha, beta, observer);
        alpha = alpha.max(value);
        observer.step(position, Step::Update(value, alpha, (alpha, beta)));
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
    if let Some(value) = enter(position, height, (alpha, beta), observer) {
        return value;
    }
    let moves = position.moves();
    for (searched, &mv) in (1..).zip(&moves) {
        let (child, below) = (position.play(mv), height - G::cost(mv));
        let value = max_node(&child, below, alpha, beta, observer);
        beta = beta.min(value);
        observer.step(position, Step::Update(value, beta, (alpha, beta)));
        if alpha >= beta {
            cut(position, searched, moves.len(), observer);
            break;
        }
    }
    beta
}

/// Fail-hard alpha-beta in negamax form.
/// Searches `height` plies ahead and returns the value of `position` for Max.
pub fn fail_hard<G: Game>(position: &G, height: u32, observer: &mut impl Observer<G>) -> G::Value {
    let (alpha, beta) = (G::Value::NEG_INFINITY, G::Value::INFINITY);
    let value = fail_hard_window(position, height, alpha, beta, observer);
    position.to_move().from_max(value)
}

/// Returns the value for the side to move, clamped to the window [`alpha`, `beta`].
/// A result α means *at most α*, a result β means *at least β*.
///
/// The α of one side is the −β of the other, so a child has the window (−β, −α).
///
/// Source: Knuth and Moore 1975, procedure F2.
pub fn fail_hard_window<G: Game>(
    position: &G,
    height: u32,
    mut alpha: G::Value,
    beta: G::Value,
    observer: &mut impl Observer<G>,
) -> G::Value {
    if let Some(value) = enter_as_mover(position, height, (alpha, beta), observer) {
        return value.clamp(alpha, beta);
    }
    let moves = position.moves();
    for (searched, &mv) in (1..).zip(&moves) {
        let (child, below) = (position.play(mv), height - G::cost(mv));
        let value = -fail_hard_window(&child, below, -beta, -alpha, observer);
        alpha = alpha.max(value);
        report(
            position,
            Step::Update(value, alpha, (alpha, beta)),
            observer,
        );
        if alpha >= beta {
            cut(position, searched, moves.len(), observer);
            break;
        }
    }
    alpha
}

/// Fail-soft alpha-beta in negamax form.
/// Searches `height` plies ahead and returns the value of `position` for Max.
pub fn fail_soft<G: Game>(position: &G, height: u32, observer: &mut impl Observer<G>) -> G::Value {
    let (alpha, beta) = (G::Value::NEG_INFINITY, G::Value::INFINITY);
    let value = fail_soft_window(position, height, alpha, beta, observer);
    position.to_move().from_max(value)
}

/// Returns the value for the side to move if it lies inside the window, otherwise a bound.
/// A result ≤ α is an upper bound of the value, a result ≥ β is a lower bound.
///
/// Fail-soft visits the same nodes as [`fail_hard_window`], but its bounds can be tighter.
/// Tighter bounds help once they are stored in a table.
///
/// Source: J. P. Fishburn, Another Optimization of Alpha-Beta Search, SIGART Newsletter 84, 1983.
pub fn fail_soft_window<G: Game>(
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
        let value = -fail_soft_window(&child, below, -beta, -lower, observer);
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
