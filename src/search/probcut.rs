//! Multi-ProbCut (Buro 1997): where a shallow search is so far outside the window that the deep one will hardly come back
//! in, it decides. Stands on `searcher` and `selectivity`.

use super::midgame::Node;
use super::searcher::Searcher;
use super::selectivity::SOLVED;
use crate::board::Bitboard;
use crate::eval::{Incremental, Value};

/// Searches of fewer plies are not cut: the shallow one would cost as much.
const LEAST_DEPTH: u32 = 3;

/// Shallow searches within shallow searches, at most.
const MOST_PROBES: u32 = 2;

/// How many plies are looked ahead for a search of `depth`: about half, and of the same parity, as values of odd and of
/// even depth differ.
const fn shallow_depth(depth: u32) -> u32 {
    depth / 4 * 2 + depth % 2
}

impl<E: Incremental> Searcher<'_, E> {
    /// A bound for the value at `depth` ([`SOLVED`] for the final score) in the null window below `beta`, if a shallow
    /// search is sure enough of one.
    ///
    /// Before the shallow search, the static value is asked whether that has a chance.
    pub(super) fn probcut(
        &mut self,
        node: Node<E::State>,
        squares: Bitboard,
        depth: u32,
        beta: Value,
        ply: usize,
    ) -> Option<Value> {
        let deviations = self.pruning.selectivity.deviations()?;
        let empties = node.0.empty_count();
        let plies = if depth == SOLVED { empties } else { depth };
        if plies < LEAST_DEPTH || self.pruning.probes >= MOST_PROBES {
            return None;
        }
        let alpha = beta - Value::UNIT;
        let shallow = shallow_depth(plies);
        let margin = |sigma: f32| {
            Value::from_units((deviations * sigma * Value::PER_DISC as f32).ceil() as i32)
        };
        let shallow_sigma = self.spread.sigma(empties, shallow, depth);
        let static_sigma = self.spread.sigma(empties, 0, depth);
        let needed = margin(shallow_sigma);
        let hoped = margin(shallow_sigma.midpoint(static_sigma));
        let value = self.evaluator.value(node.0, squares, node.1);

        self.pruning.probes += 1;
        let mut found = None;
        let high = beta + needed;
        if value >= beta - hoped && high <= Value::MAX {
            let value = self.midgame(node, shallow, high - Value::UNIT, high, ply);
            found = (value >= high).then_some(beta);
        }
        let low = alpha - needed;
        if found.is_none() && value <= alpha + hoped && low >= Value::MIN {
            let value = self.midgame(node, shallow, low, low + Value::UNIT, ply);
            found = (value <= low).then_some(alpha);
        }
        self.pruning.probes -= 1;
        found.filter(|_| !self.stopped)
    }
}
