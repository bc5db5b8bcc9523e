//! Few empties: exact final scores by search, and no evaluation but for the order of moves.
//!
//! Every solver here has the same contract. It searches the null window between `alpha` and `alpha + 1` and returns a
//! score `s`, fail-soft: if `s <= alpha` the true score is at most `s`, otherwise it is at least `s`. Open windows are the
//! business of the search above.
//!
//! **Nodes.** A node is a position that is entered by placing a disc, down to positions with one empty square; and the
//! position that the search begins with. Handing the turn over by a pass makes no node of its own, and the full
//! board after the last disc is none: its score is counted without making the move.

mod candidates;
mod five;
mod from_10;
mod from_6;
mod last_four;
mod parity;
mod small_table;
#[cfg(test)]
mod tests;
pub(super) mod weights;

use crate::board::{Board, Score};

pub(super) use candidates::Candidate;
pub(super) use from_6::SmallSolver;

/// The best of no moves: below every score.
pub(super) const NONE: Score = -65;

/// A score of at most `alpha` that the stable discs of the opponent leave: nothing is searched then. It is tried where `alpha`
/// is high enough for it to be likely. With 4 and 5 empties it saves 26% of the nodes and 7% of the time of FFO
/// #40-49; with 6 to 13, 9% and 5% on positions with 14.
#[inline]
fn stable_bound(board: &Board, empties: u32, alpha: Score) -> Option<Score> {
    /// With few empties and a lower alpha it costs what it saves.
    const LEAST_ALPHA: Score = 6;
    let likely = alpha >= LEAST_ALPHA.max(empties as Score)
        // If all of its discs were stable, it would be enough.
        && 64 - 2 * board.opponent.count() as Score <= alpha;
    if !likely {
        return None;
    }
    score_by_stable_discs(board.pass(), alpha)
}

/// [`stable_bound`] without the look whether it is likely, seen by the side with the stable discs.
#[inline(never)]
fn score_by_stable_discs(board: Board, alpha: Score) -> Option<Score> {
    /// Fewer stable discs on the edges hardly ever hold enough of the others.
    const LEAST_ON_EDGES: u32 = 6;
    /// Hardly ever do they hold more others than this. Of the cuts of FFO #40-44 and #47 both limits miss one percent; of the
    /// looks at the whole board they save a third.
    const MOST_HELD: i32 = 15;
    let upper = |stable: u32| 64 - 2 * stable as Score;
    let on_edges = board.stable_edge_discs();
    let count = on_edges.count();
    if upper(count) <= alpha {
        return Some(upper(count));
    }
    if count < LEAST_ON_EDGES || upper(count) - 2 * MOST_HELD > alpha {
        return None;
    }
    let upper = upper(board.discs_held_by(on_edges).count());
    (upper <= alpha).then_some(upper)
}
