//! A simple transposition table: bounds and best moves of positions, in a hash map.

use std::collections::HashMap;

use super::{Game, GameValue};

/// Transposition table of unbounded size, with bounds on values and with best moves.
pub(super) struct NodeTable<G: Game>(HashMap<G::Key, TableEntry<G::Value, G::Move>>);

/// Bounds and best move of one position. All values are for the side to move.
#[derive(Clone, Copy)]
struct TableEntry<V, M> {
    /// The search height in plies. The bounds hold for this height only.
    height: u32,
    lower: V,
    upper: V,
    best: M,
}

/// Result of probing the table with a search window.
pub(super) enum Probe<V> {
    /// The table determines the result of the search.
    Answer(V),
    /// The search must continue with this narrowed window.
    Window(V, V),
}

impl<G: Game> NodeTable<G> {
    pub(crate) fn new() -> NodeTable<G> {
        NodeTable(HashMap::new())
    }

    /// Probes the table. Returns the stored result of the search, or the narrowed window.
    pub(super) fn probe(
        &self,
        position: &G,
        height: u32,
        alpha: G::Value,
        beta: G::Value,
    ) -> Probe<G::Value> {
        let Some(entry) = self.0.get(&position.key()).filter(|e| e.height == height) else {
            return Probe::Window(alpha, beta);
        };
        if entry.lower >= beta || entry.lower == entry.upper {
            return Probe::Answer(entry.lower);
        }
        if entry.upper <= alpha {
            return Probe::Answer(entry.upper);
        }
        Probe::Window(alpha.max(entry.lower), beta.min(entry.upper))
    }

    /// The best move of the last search of this position, at any height.
    pub(crate) fn best(&self, position: &G) -> Option<G::Move> {
        self.0.get(&position.key()).map(|entry| entry.best)
    }

    /// Stores the fail-soft result of a search with the window (`alpha`, `beta`).
    /// Returns the bounds of the position that the table holds afterwards.
    pub(super) fn store(
        &mut self,
        position: &G,
        height: u32,
        (alpha, beta): (G::Value, G::Value),
        value: G::Value,
        best: G::Move,
    ) -> (G::Value, G::Value) {
        let unknown = TableEntry {
            height,
            lower: G::Value::NEG_INFINITY,
            upper: G::Value::INFINITY,
            best,
        };
        let entry = self.0.entry(position.key()).or_insert(unknown);
        // If all moves failed low, `best` is arbitrary, so the stored best move is kept.
        let best = if value <= alpha { entry.best } else { best };
        if entry.height != height {
            *entry = unknown;
        }
        entry.best = best;
        if value > alpha {
            entry.lower = value;
        }
        if value < beta {
            entry.upper = value;
        }
        (entry.lower, entry.upper)
    }
}
