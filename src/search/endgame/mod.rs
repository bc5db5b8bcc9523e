//! Few empties: exact final scores by search, and no evaluation but for the order of moves.
//!
//! Every solver here has the same contract. Given a board with `alpha < beta`, it returns a score `s` (fail-soft): if
//! `s <= alpha` the true score is at most `s`; if `s >= beta` it is at least `s`; in between it is the true score.
//!
//! **Nodes.** A node is a position that is entered by placing a disc, down to positions with one empty square; and the
//! position that the search begins with. Handing the turn over by a pass makes no node of its own, and the full
//! board after the last disc is none: its score is counted without making the move.

mod five;
mod from_6;
mod last_four;
mod parity;
mod small_table;
#[cfg(test)]
mod tests;

use crate::board::{Bitboard, Board, Score, Square};

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
        // Even if all of its discs were stable, it would not be enough.
        && 64 - 2 * board.opponent.count() as Score <= alpha;
    if !likely {
        return None;
    }
    let upper = 64 - 2 * board.pass().stable_discs().count() as Score;
    (upper <= alpha).then_some(upper)
}

/// A move to try.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) square: Square,
    /// The board after it, seen by the other side.
    pub(super) child: Board,
    /// The legal moves there.
    pub(super) replies: Bitboard,
    /// The lower, the sooner it is tried.
    pub(super) cost: i32,
}

impl Candidate {
    /// The legal move `square`, without a cost yet.
    pub(super) fn new(board: &Board, square: Square) -> Candidate {
        let (child, replies) = board.advance(square);
        Candidate {
            square,
            child,
            replies,
            cost: 0,
        }
    }

    /// The mobility that the move leaves to the opponent; a corner counts twice.
    #[inline]
    pub(super) fn mobility(&self) -> i32 {
        (self.replies.count() + (self.replies & Bitboard::CORNERS).count()) as i32
    }
}

/// Moves the candidate of the least cost, the first of equals, to the front.
pub(super) fn take_cheapest(candidates: &mut [Candidate]) -> Candidate {
    let mut cheapest = 0;
    for index in 1..candidates.len() {
        if candidates[index].cost < candidates[cheapest].cost {
            cheapest = index;
        }
    }
    candidates.swap(0, cheapest);
    candidates[0]
}
