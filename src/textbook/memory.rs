//! A transposition table without the tricks: bounds and best moves of positions, for when they come again.

use std::collections::HashMap;

use super::{Game, GameValue};

/// Bounds on the values of positions, and their best moves. It grows as it must.
pub(super) struct Memory<G: Game>(HashMap<G::Key, MemoryEntry<G::Value, G::Move>>);

/// All values are for the side to move.
#[derive(Clone, Copy)]
struct MemoryEntry<V, M> {
    /// The height of the search that the bounds come from. They say nothing about any other height.
    height: u32,
    lower: V,
    upper: V,
    best: M,
}

/// What the memory makes of a window.
pub(super) enum Recalled<V> {
    /// The answer is known.
    Answer(V),
    /// The search is to be done with this window.
    Window(V, V),
}

impl<G: Game> Memory<G> {
    pub(super) fn new() -> Memory<G> {
        Memory(HashMap::new())
    }

    /// The answer to a search with this window, or what is left of the window.
    pub(super) fn recall(
        &self,
        position: &G,
        height: u32,
        alpha: G::Value,
        beta: G::Value,
    ) -> Recalled<G::Value> {
        let Some(entry) = self.0.get(&position.key()).filter(|e| e.height == height) else {
            return Recalled::Window(alpha, beta);
        };
        if entry.lower >= beta || entry.lower == entry.upper {
            return Recalled::Answer(entry.lower);
        }
        if entry.upper <= alpha {
            return Recalled::Answer(entry.upper);
        }
        Recalled::Window(alpha.max(entry.lower), beta.min(entry.upper))
    }

    /// The best move of the last search of this position, to whatever height.
    pub(super) fn best(&self, position: &G) -> Option<G::Move> {
        self.0.get(&position.key()).map(|entry| entry.best)
    }

    /// Keeps the fail-soft result of a search with this window.
    pub(super) fn store(
        &mut self,
        position: &G,
        height: u32,
        (alpha, beta): (G::Value, G::Value),
        value: G::Value,
        best: G::Move,
    ) {
        let unknown = MemoryEntry {
            height,
            lower: G::Value::NEG_INFINITY,
            upper: G::Value::INFINITY,
            best,
        };
        let entry = self.0.entry(position.key()).or_insert(unknown);
        // When all moves failed low, the best of them is no better than chance; an older one is.
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
    }
}
