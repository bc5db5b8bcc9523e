//! Perft: how many positions lie a given number of plies ahead, the proof of a move generator.
//!
//! There are four ways to count, with the same result: leaf by leaf, with bulk counting, with a hash table, and by several
//! threads.

mod convention;
mod count;
mod suite;
mod table;
mod tasks;
#[cfg(test)]
mod tests;
mod unique;

use std::num::NonZero;

pub use convention::{Convention, UnknownConvention};
pub use suite::{Case, SuiteError, parse_suite};
pub use unique::unique;

use super::{Board, Move, Position};
use crate::work::Shard;
use count::{Counter, Walk};
use table::{CountTable, Hashed};

/// The greatest depth that makes sense, in plies: no game has more moves and passes together.
pub const MAX_DEPTH: u32 = 120;

/// How to count.
///
/// ```
/// use emilia::board::Board;
/// use emilia::board::perft::Perft;
/// assert_eq!(Perft::default().count(&Board::START, 6, &|_, _| ()), 8200);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Perft {
    /// What a pass and a finished game count.
    pub convention: Convention,
    /// How the last plies are counted.
    pub counting: Counting,
    /// How many threads share the work. The numbers do not depend on it.
    pub threads: NonZero<usize>,
    /// Of which part of the work. What the shards of one way to count find adds up to the whole; a hash table of any size is one
    /// way, no table is another.
    pub shard: Shard,
}

/// How the last plies are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// No bulk counting: every leaf is made on the board.
    Plain,
    /// Bulk counting: the last ply is the number of legal moves.
    Bulk,
    /// Bulk counting with a hash table of this many MiB, up to symmetry.
    Hashed(usize),
}

/// Convention A, bulk, one thread, all of it.
impl Default for Perft {
    fn default() -> Perft {
        Perft {
            convention: Convention::A,
            counting: Counting::Bulk,
            threads: NonZero::<usize>::MIN,
            shard: Shard::WHOLE,
        }
    }
}

/// Told how many parts of the work are done, and of how many; from any thread.
pub type PartsDone<'a> = dyn Fn(usize, usize) + Sync + 'a;

impl Perft {
    /// The number of positions `depth` plies after `board`.
    pub fn count(&self, board: &Board, depth: u32, progress: &PartsDone<'_>) -> u64 {
        self.with_counter(|counter| self.count_by(counter, board, depth, progress))
    }

    /// [`count`](Self::count) for each move on its own, in a1..h8 order. The sum is the whole, except that a finished
    /// game has no moves, and so has depth 0.
    pub fn divide(
        &self,
        position: &Position,
        depth: u32,
        progress: &PartsDone<'_>,
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
                self.count_by(counter, &board.make(mv), left, &|_, _| ())
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
        progress: &PartsDone<'_>,
    ) -> u64 {
        tasks::count(counter, self.threads, self.shard, board, depth, progress)
    }

    /// Calls `job` with the counter that `counting` asks for.
    fn with_counter<T>(&self, job: impl FnOnce(&dyn Counter) -> T) -> T {
        let convention = self.convention;
        match self.counting {
            Counting::Plain => job(&Walk::<true> { convention }),
            Counting::Bulk => job(&Walk::<false> { convention }),
            Counting::Hashed(mib) => job(&Hashed::new(convention, CountTable::new(mib))),
        }
    }
}
