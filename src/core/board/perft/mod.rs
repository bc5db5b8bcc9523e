//! Perft: counts the positions a given number of plies ahead, to verify move generation.
//!
//! Reading order: `plain` has the recursion in its simplest form, `convention` how passes and finished
//! games count, `count` the algorithms without a table.
//! `table` adds a hash table, `tasks` shares the work among threads and shards.
//! `suite` reads expected counts, and `unique` counts positions up to symmetry.

mod convention;
mod count;
mod plain;
mod suite;
mod table;
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
use count::{Bulk, Counter};
use table::{CountTable, Hashed};

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
    /// Size in MiB of a hash table of positions up to symmetry, or `None` to count without one.
    pub hash_mib: Option<usize>,
    /// Number of threads. The count does not depend on it.
    pub threads: NonZero<usize>,
    /// The part of the work to count. The counts of all shards add up to the whole count.
    /// All shards must count with a hash table (of any size), or all without one.
    pub shard: Shard,
}

/// Convention A, no hash table, one thread, the whole work.
impl Default for Perft {
    fn default() -> Perft {
        Perft {
            convention: Convention::A,
            hash_mib: None,
            threads: NonZero::<usize>::MIN,
            shard: Shard::WHOLE,
        }
    }
}

/// Progress callback `(done, total)`, in parts of the work. Any thread may call it.
pub type ProgressFn<'a> = dyn Fn(usize, usize) + Sync + 'a;

impl Perft {
    /// Number of positions `depth` plies after `board`.
    pub fn count(&self, board: &Board, depth: u32, progress: &ProgressFn<'_>) -> u64 {
        self.with_counter(|counter| self.count_by(counter, board, depth, progress))
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
        self.with_counter(|counter| {
            let board = &position.board;
            let count_after = |mv| {
                let left = match mv {
                    Move::Place(_) => depth - 1,
                    Move::Pass => self.convention.after_pass(depth),
                };
                self.count_by(counter, &board.play_or_pass(mv), left, &|_, _| ())
            };
            let parts = moves.iter().enumerate().map(|(done, &mv)| {
                progress(done, moves.len());
                (mv, count_after(mv))
            });
            parts.collect()
        })
    }

    fn count_by(
        &self,
        counter: &dyn Counter,
        board: &Board,
        depth: u32,
        progress: &ProgressFn<'_>,
    ) -> u64 {
        tasks::count(counter, self.threads, self.shard, board, depth, progress)
    }

    /// Calls `job` with the counter that `hash_mib` selects.
    fn with_counter<T>(&self, job: impl FnOnce(&dyn Counter) -> T) -> T {
        let convention = self.convention;
        match self.hash_mib {
            None => job(&Bulk { convention }),
            Some(mib) => job(&Hashed::new(convention, CountTable::new(mib))),
        }
    }
}
