//! State that belongs to one search thread: killer moves, history, PV, and its own small caches.
//! The engine keeps it from one search to the next, which saves allocating it again.

use super::cut_moves::CutMoves;
use super::endgame::SmallSolver;
use super::pv::PvTable;
use super::value_cache::ValueCache;

/// Private state of one search thread.
#[derive(Debug, Default)]
pub(super) struct ThreadState {
    pub(super) cut_moves: CutMoves,
    pub(super) pv: PvTable,
    pub(super) small_solver: SmallSolver,
    pub(super) values: ValueCache,
}

impl ThreadState {
    /// Reserves memory for the small table, 1.9 MiB. Returns `false` if there is none.
    pub(super) fn reserve(&mut self) -> bool {
        self.small_solver.reserve()
    }

    /// Prepares for a new search: clears killer moves, history and lines, but keeps cached values.
    pub(super) fn begin(&mut self) {
        self.cut_moves = CutMoves::default();
        self.pv.clear_all();
    }

    /// Clears all state, cached values included.
    pub(super) fn clear(&mut self) {
        self.begin();
        self.small_solver.clear();
        self.values.clear();
    }
}
