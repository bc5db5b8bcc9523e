//! The endgame: exact final scores by search, no evaluation.
//!
//! Every solver here has the same contract. Given a board with `alpha < beta`, it returns a score `s` (fail-soft): if
//! `s <= alpha` the true score is at most `s`; if `s >= beta` it is at least `s`; in between it is the true score.
//!
//! **Nodes.** A node is a position that is entered by placing a disc, down to positions with one empty square; and the
//! position that the search begins with. Handing the turn over by a pass makes no node of its own, and the full
//! board after the last disc is none: its score is counted without making the move.

mod deep;
mod last_four;
mod mid;
mod mid_table;
mod parity;
mod shallow;
#[cfg(test)]
mod tests;

use crate::board::Score;

pub(super) use mid::MidSolver;

/// The best of no moves: below every score.
const NONE: Score = -65;

/// Moves the candidate of the least cost, the first of equals, to the front.
fn take_cheapest<C: Copy>(candidates: &mut [C], cost: impl Fn(&C) -> i32) -> C {
    let mut cheapest = 0;
    for index in 1..candidates.len() {
        if cost(&candidates[index]) < cost(&candidates[cheapest]) {
            cheapest = index;
        }
    }
    candidates.swap(0, cheapest);
    candidates[0]
}
