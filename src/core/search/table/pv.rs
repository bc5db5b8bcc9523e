//! Triangular PV table: collects the principal variation during the search, one row for each ply.

use crate::board::Move;
use crate::search::ordering::cut_moves::MAX_PLY;

/// Triangular PV table. Row `ply` holds the best line from that ply on.
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
    /// Returns the best line from `ply` on.
    pub(crate) fn line(&self, ply: usize) -> &[Move] {
        &self.rows[ply]
    }

    /// Empties the rows of all plies.
    pub(crate) fn clear_all(&mut self) {
        self.rows.iter_mut().for_each(Vec::clear);
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
