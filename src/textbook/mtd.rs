//! MTD(f): a sequence of null-window searches that converges on the value from a first guess.

use super::observer::{cut, enter_as_mover, report};
use super::table::{NodeTable, Probe};
use super::{Game, GameValue, Observer, Step};

/// MTD(f): searches `height` plies ahead and returns the value of `position` for Max.
/// The first guess is the static evaluation of the position.
///
/// Each null-window search gives a lower or an upper bound. The value is found when they meet.
/// The searches share a transposition table, because they visit many nodes again.
///
/// Source: A. Plaat et al., Best-First Fixed-Depth Minimax Algorithms, 1996.
/// The node search is their procedure `AlphaBetaWithMemory`.
pub fn mtd_f<G: Game>(position: &G, height: u32, observer: &mut impl Observer<G>) -> G::Value {
    let guess = position.outcome().unwrap_or_else(|| position.estimate());
    let mut table = NodeTable::new();
    let value = close_in(position.to_move().from_max(guess), |alpha, beta| {
        report(position, Step::Pass(height, (alpha, beta)), observer);
        node(position, height, alpha, beta, &mut table, observer)
    });
    position.to_move().from_max(value)
}

/// MTD driver: searches null windows (α, β), starting at `guess`, until the bounds meet.
pub(super) fn close_in<V: GameValue>(guess: V, mut search: impl FnMut(V, V) -> V) -> V {
    let (mut lower, mut upper) = (V::NEG_INFINITY, V::INFINITY);
    let mut value = guess;
    while lower < upper {
        let beta = if value == lower { value.above() } else { value };
        value = search(beta.below(), beta);
        if value < beta {
            upper = value;
        } else {
            lower = value;
        }
    }
    value
}

/// Fail-soft alpha-beta with a transposition table. Returns the value for the side to move.
fn node<G: Game>(
    position: &G,
    height: u32,
    alpha: G::Value,
    beta: G::Value,
    table: &mut NodeTable<G>,
    observer: &mut impl Observer<G>,
) -> G::Value {
    if let Some(value) = enter_as_mover(position, height, (alpha, beta), observer) {
        return value;
    }
    let (alpha, beta) = match table.probe(position, height, alpha, beta) {
        Probe::Answer(value) => {
            report(position, Step::Recall(value), observer);
            return value;
        }
        Probe::Window(alpha, beta) => (alpha, beta),
    };
    let moves = position.moves();
    let (mut best, mut best_move) = (G::Value::NEG_INFINITY, moves[0]);
    for (searched, &mv) in (1..).zip(&moves) {
        let (child, below) = (position.play(mv), height - G::cost(mv));
        let lower = alpha.max(best);
        let value = -node(&child, below, -beta, -lower, table, observer);
        if value > best {
            (best, best_move) = (value, mv);
        }
        let window = (alpha.max(best), beta);
        report(position, Step::Update(value, best, window), observer);
        if best >= beta {
            cut(position, searched, moves.len(), observer);
            break;
        }
    }
    let bounds = table.store(position, height, (alpha, beta), best, best_move);
    report(position, Step::Store(bounds), observer);
    best
}
