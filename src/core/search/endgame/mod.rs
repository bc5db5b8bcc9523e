//! Endgame solvers for null windows and few empties. The solvers return final scores. They use an
//! evaluation for move ordering only.
//!
//! Reading order: [`empties_1_to_5`] and [`empties_6_to_13`] are the solvers. Both use
//! [`ordering`], the second also [`small_table`].
//!
//! **Contract.** Every solver searches the null window between `alpha` and `alpha + 1`.
//! The result is a fail-soft score `s`: if `s <= alpha`, the true score is at most `s`.
//! Otherwise the true score is at least `s`.
//! Open windows are searched by [`interior`](crate::search::interior).
//!
//! **Nodes.** The root is a node, and so is each position entered by placing a disc.
//! A pass adds no node.
//! The full board after the last disc is not a node: its score is computed without the move.

mod empties_1_to_5;
mod empties_6_to_13;
mod ordering;
mod small_table;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use crate::board::{Bitboard, Board, Score, WIPE_OUT};
use crate::search::ordering::LegalMove;
use crate::search::parameters::endgame::{
    MAX_ADDED, MAX_STABLE, MIN_ALPHA, MIN_ON_EDGES, SPARE_DISCS,
};

pub(super) use empties_6_to_13::EndgameSolver;
pub(crate) use small_table::SmallTable;

/// Best score of an empty list of moves, below every score.
const NO_SCORE: Score = -WIPE_OUT - 1;

/// Returns the upper bound that the opponent's stable discs set to the score, if the bound is at
/// most `alpha` and so cuts the node.
///
/// The stable discs are counted only if a cut-off is likely.
#[inline]
fn stable_bound(board: &Board, empties: u32, alpha: Score) -> Option<Score> {
    let holder = board.opponent;
    let likely = alpha >= MIN_ALPHA.max(empties as Score)
        && bound_by_stable(holder.count()) + 2 * SPARE_DISCS as Score <= alpha
        && holds_a_corner(holder);
    if !likely {
        return None;
    }
    score_by_stable_discs(board.pass(), alpha)
}

/// Returns the upper bound of the score of a side whose opponent has `stable` stable discs.
const fn bound_by_stable(stable: u32) -> Score {
    WIPE_OUT - 2 * stable as Score
}

/// Returns whether `discs` include a corner. Without a corner, stable discs are rare.
#[inline]
fn holds_a_corner(discs: Bitboard) -> bool {
    !(discs & Bitboard::CORNERS).is_empty()
}

/// Tests for a cut-off by the stable discs of the side to move, before any move is made.
///
/// A side with n stable discs scores at least 2n − 64, whatever it plays. Breaks with this lower
/// bound if it is above `alpha`. Otherwise continues with the moves that [`stable_child_cut`]
/// should test: the moves that may add enough stable discs for a cut-off. `empties` is the number
/// of empties before the move.
fn own_stable_cut(board: &Board, empties: u32, alpha: Score) -> ControlFlow<Score, Bitboard> {
    let below = -alpha - 1;
    let holder = board.player;
    let likely = below >= MIN_ALPHA.max(empties as Score - 1)
        && bound_by_stable(holder.count()) <= below
        && holds_a_corner(holder);
    if !likely {
        return ControlFlow::Continue(Bitboard::EMPTY);
    }
    let on_edges = board.stable_edge_discs();
    let count = on_edges.count();
    if count < MIN_ON_EDGES || bound_by_stable(count) - 2 * MAX_STABLE > below {
        return ControlFlow::Continue(Bitboard::EMPTY);
    }
    let stable = board.extend_stable(on_edges);
    let upper = bound_by_stable(stable.count());
    if upper <= below {
        return ControlFlow::Break(-upper);
    }
    ControlFlow::Continue(if upper - 2 * MAX_ADDED <= below {
        // Moves on other squares rarely add enough stable discs.
        Bitboard::EDGES | stable.dilated()
    } else {
        Bitboard::EMPTY
    })
}

/// Tests for a cut-off by the mover's stable discs after each candidate on one of the `squares`.
/// Breaks with the first lower bound above `alpha`. `empties` is the number of empties before the
/// move.
fn stable_child_cut(
    candidates: &[LegalMove],
    squares: Bitboard,
    empties: u32,
    alpha: Score,
) -> ControlFlow<Score> {
    if squares.is_empty() {
        return ControlFlow::Continue(());
    }
    let mut tested = candidates.iter().filter(|mv| squares.contains(mv.square));
    let upper = tested.find_map(|mv| stable_bound(&mv.child, empties - 1, -alpha - 1));
    upper.map_or(ControlFlow::Continue(()), |upper| {
        ControlFlow::Break(-upper)
    })
}

/// Returns the upper bound that the stable discs of `board.player` set to the opponent's score, if
/// the bound is at most `alpha`.
#[inline(never)]
fn score_by_stable_discs(board: Board, alpha: Score) -> Option<Score> {
    let on_edges = board.stable_edge_discs();
    let count = on_edges.count();
    let upper = bound_by_stable(count);
    if upper <= alpha {
        return Some(upper);
    }
    if count < MIN_ON_EDGES || upper - 2 * MAX_STABLE > alpha {
        return None;
    }
    let upper = bound_by_stable(board.extend_stable(on_edges).count());
    (upper <= alpha).then_some(upper)
}
