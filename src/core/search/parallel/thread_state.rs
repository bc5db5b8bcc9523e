//! State that belongs to one search thread: killer moves, history, PV, and its own small caches.
//! The engine keeps it from one search to the next, which saves allocating it again.

use crate::search::Techniques;
use crate::search::endgame::SmallSolver;
use crate::search::ordering::cut_moves::CutMoves;
use crate::search::table::pv::PvTable;
use crate::search::table::value_cache::ValueCache;

/// Private state of one search thread.
#[derive(Debug, Default)]
pub(crate) struct ThreadState {
    pub(crate) cut_moves: CutMoves,
    pub(crate) pv: PvTable,
    pub(crate) small_solver: SmallSolver,
    pub(crate) values: ValueCache,
}

impl ThreadState {
    /// Prepares for a new search: clears killer moves, history and lines, but keeps cached values.
    pub(crate) fn begin(&mut self, techniques: Techniques) {
        self.small_solver.techniques = techniques;
        self.cut_moves = CutMoves::default();
        self.pv.clear_all();
    }

    /// Clears all state, cached values included.
    pub(crate) fn clear(&mut self) {
        self.begin(Techniques::default());
        self.small_solver.clear();
        self.values.clear();
    }
}
