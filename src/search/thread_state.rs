//! What one thread of the search learns and writes, and nobody else sees. The engine keeps it from search to search, so that
//! no search begins with allocating it.

use super::cut_moves::CutMoves;
use super::endgame::SmallSolver;
use super::pv::PvTable;
use super::value_cache::ValueCache;

/// The memory of one thread.
#[derive(Debug, Default)]
pub(super) struct ThreadState {
    pub(super) cut_moves: CutMoves,
    pub(super) pv: PvTable,
    pub(super) small_solver: SmallSolver,
    pub(super) values: ValueCache,
}

impl ThreadState {
    /// Reserves the memory that a search is going to need: 1.9 MiB, once. Whether there is any.
    pub(super) fn reserve(&mut self) -> bool {
        self.small_solver.reserve()
    }

    /// A search begins: killers, history and lines of the last one mean nothing in it. What was proved stays true.
    pub(super) fn begin(&mut self) {
        self.cut_moves = CutMoves::default();
        self.pv.clear_all();
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.begin();
        self.small_solver.clear();
        self.values.clear();
    }
}
