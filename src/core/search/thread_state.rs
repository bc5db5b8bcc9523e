//! State that belongs to one search thread: killer moves, history, PV, and its own small caches.
//! The engine keeps this state from one search to the next, so that it is allocated only once.

use super::endgame::SmallTable;
use super::ordering::history::{History, MAX_PLY};
use super::table::value_cache::ValueCache;
use crate::board::Move;

/// Private state of one search thread.
#[derive(Debug, Default)]
pub(crate) struct ThreadState {
    pub(crate) history: History,
    pub(crate) pv: PvTable,
    pub(crate) small_table: SmallTable,
    pub(crate) values: ValueCache,
}

impl ThreadState {
    /// Prepares for a new search: clears killer moves, history and PVs. The small table and the
    /// cached values are kept, because they are valid in every search.
    pub(crate) fn begin(&mut self) {
        self.history = History::default();
        self.pv = PvTable::default();
    }
}

/// Triangular PV table. Row `ply` holds the moves of the PV from that ply on.
#[derive(Debug)]
pub(crate) struct PvTable {
    rows: Vec<Vec<Move>>,
}

impl Default for PvTable {
    fn default() -> PvTable {
        PvTable {
            rows: vec![Vec::new(); MAX_PLY + 1],
        }
    }
}

impl PvTable {
    /// Returns the moves of the PV from `ply` on.
    pub(crate) fn line(&self, ply: usize) -> &[Move] {
        &self.rows[ply]
    }

    /// Empties the row of `ply`.
    pub(crate) fn clear(&mut self, ply: usize) {
        self.rows[ply].clear();
    }

    /// Sets row `ply` to `line`.
    pub(crate) fn replace(&mut self, ply: usize, line: Vec<Move>) {
        self.rows[ply] = line;
    }

    /// Sets row `ply` to `mv` followed by row `ply + 1`.
    pub(crate) fn extend(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.rows.split_at_mut(ply + 1);
        let row = &mut upper[ply];
        row.clear();
        row.push(mv);
        row.extend_from_slice(&lower[0]);
    }
}
