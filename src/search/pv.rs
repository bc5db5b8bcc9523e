//! The principal variation as it grows: one row per ply.

use super::cut_moves::MAX_PLY;
use crate::board::Move;

/// A triangular table: row `ply` holds the best line found from that ply on.
#[derive(Debug)]
pub(super) struct PvTable {
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
    /// The line from `ply` on.
    pub(super) fn line(&self, ply: usize) -> &[Move] {
        &self.rows[ply]
    }

    /// Nothing is known from any ply on.
    pub(super) fn clear_all(&mut self) {
        self.rows.iter_mut().for_each(Vec::clear);
    }

    /// Nothing is known from `ply` on.
    pub(super) fn clear(&mut self, ply: usize) {
        self.rows[ply].clear();
    }

    /// The line at `ply` is now this one.
    pub(super) fn replace(&mut self, ply: usize, line: Vec<Move>) {
        self.rows[ply] = line;
    }

    /// The line at `ply` is now `mv` and what follows it at the next ply.
    pub(super) fn extend(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.rows.split_at_mut(ply + 1);
        let row = &mut upper[ply];
        row.clear();
        row.push(mv);
        row.extend_from_slice(&lower[0]);
    }
}
