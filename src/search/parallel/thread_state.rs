//! State that belongs to one search thread: killer moves, history, PV, and its own small caches.
//! The engine keeps it from one search to the next, which saves allocating it again.

use crate::search::endgame::SmallSolver;
use crate::search::ordering::cut_moves::CutMoves;
use crate::search::table::pv::PvTable;
use crate::search::table::value_cache::ValueCache;

/// Private state of one search thread.
#[derive(Debug, Default)]
pub(in crate::search) struct ThreadState {
    pub(in crate::search) cut_moves: CutMoves,
    pub(in crate::search) pv: PvTable,
    pub(in crate::search) small_solver: SmallSolver,
    pub(in crate::search) values: ValueCache,
}

impl ThreadState {
    /// Reserves memory for the small table, 1.9 MiB. Returns `false` if it cannot be allocated.
    pub(in crate::search) fn reserve(&mut self) -> bool {
        self.small_solver.reserve()
    }

    /// Prepares for a new search: clears killer moves, history and lines, but keeps cached values.
    pub(in crate::search) fn begin(&mut self) {
        self.cut_moves = CutMoves::default();
        self.pv.clear_all();
    }

    /// Clears all state, cached values included.
    pub(in crate::search) fn clear(&mut self) {
        self.begin();
        self.small_solver.clear();
        self.values.clear();
    }
}
