//! Perft: counts the positions a given number of plies ahead, to verify move generation.
//!
//! Reading order: `plain` has the recursion in its simplest form. `convention` defines how passes
//! and finished games count. `count` has the fast algorithm, and `tasks` shares the work among
//! threads and shards. `suite` reads expected counts, and `unique` counts positions up to symmetry.

mod convention;
mod count;
mod plain;
mod suite;
mod tasks;
#[cfg(test)]
mod tests;
mod unique;

use std::num::NonZero;

pub use convention::Convention;
pub use plain::perft;
pub use suite::{Case, parse_suite};
pub use unique::unique;

use super::{Board, Move, Position};
use crate::work::Shard;

/// Maximum depth in plies. No game has more moves and passes together.
pub const MAX_DEPTH: u32 = 120;

/// Parameters of a perft count.
///
/// ```
/// use emilia_core::board::Board;
/// use emilia_core::board::perft::Perft;
/// assert_eq!(Perft::default().count(&Board::START, 6, &|_, _| ()), 8200);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Perft {
    /// The convention for passes and finished games.
    pub convention: Convention,
    /// Number of threads. The count does not depend on it.
    pub threads: NonZero<usize>,
    /// The part of the count that this process does. The counts of all shards add up to the whole
    /// count.
    pub shard: Shard,
}

/// Convention A, one thread, the whole work.
impl Default for Perft {
    fn default() -> Perft {
        Perft {
            convention: Convention::A,
            threads: NonZero::<usize>::MIN,
            shard: Shard::WHOLE,
        }
    }
}

/// Progress callback `(done, total)`: the number of finished parts of the count, and the number of
/// all parts.
/// A part is a task in [`Perft::count`], a legal move in [`Perft::divide`], and a board of the
/// current ply in [`unique()`].
/// Any thread may call the callback.
pub type ProgressFn<'a> = dyn Fn(usize, usize) + Sync + 'a;

impl Perft {
    /// Number of positions `depth` plies after `board`.
    pub fn count(&self, board: &Board, depth: u32, progress: &ProgressFn<'_>) -> u64 {
        tasks::count(self, board, depth, progress)
    }

    /// Counts the positions after each legal move, in a1..h8 order.
    /// The list is empty at depth 0 and after the end of the game.
    /// Otherwise the counts add up to [`count`](Self::count).
    pub fn divide(
        &self,
        position: &Position,
        depth: u32,
        progress: &ProgressFn<'_>,
    ) -> Vec<(Move, u64)> {
        let moves = if depth == 0 {
            Vec::new()
        } else {
            position.moves()
        };
        let parts = moves.iter().enumerate().map(|(done, &mv)| {
            progress(done, moves.len());
            let left = match mv {
                Move::Place(_) => depth - 1,
                Move::Pass => self.convention.after_pass(depth),
            };
            let child = position.board.play_or_pass(mv);
            (mv, self.count(&child, left, &|_, _| ()))
        });
        parts.collect()
    }
}
