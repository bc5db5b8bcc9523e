//! Multi-ProbCut (Buro 1997): where a shallow search is so far outside the window that the deep one will hardly come back
//! in, it decides.

use super::searcher::{Node, Searcher};
use super::selectivity::SOLVED;
use super::window::Window;
use crate::board::Bitboard;
use crate::eval::{SearchEvaluator, Value};

/// Searches of fewer plies are not cut: the shallow one would cost as much.
const LEAST_DEPTH: u32 = 3;

/// Shallow searches within shallow searches, at most.
const MOST_PROBES: u32 = 2;

/// How many plies are looked ahead for a search of `depth`: about half, and of the same parity, as values of odd and of
/// even depth differ.
const fn shallow_depth(depth: u32) -> u32 {
    depth / 4 * 2 + depth % 2
}

impl<E: SearchEvaluator> Searcher<'_, E> {
    /// A bound for the value at `depth` ([`SOLVED`] for the final score) in the null window below `beta`, if a shallow
    /// search gives one with enough confidence.
    ///
    /// Before the shallow search, the static value is asked whether that has a chance.
    pub(super) fn probcut(
        &mut self,
        node: Node<E::State>,
        squares: Bitboard,
        depth: u32,
        beta: Value,
    ) -> Option<Value> {
        let interval = self.pruning.selectivity.interval()?;
        let empties = node.board.empty_count();
        let plies = if depth == SOLVED { empties } else { depth };
        if plies < LEAST_DEPTH || self.pruning.probes >= MOST_PROBES {
            return None;
        }
        let alpha = beta - Value::UNIT;
        let shallow = shallow_depth(plies);
        let margin = |sigma: f32| {
            Value::from_units((interval * sigma * Value::PER_DISC as f32).ceil() as i32)
        };
        let model = self.shared.evaluator.error_model();
        let sigma = |shallow| {
            if depth == SOLVED {
                model.endgame_sigma(empties, shallow)
            } else {
                model.midgame_sigma(empties, shallow, depth)
            }
        };
        let (shallow_sigma, static_sigma) = (sigma(shallow), sigma(0));
        let needed = margin(shallow_sigma);
        let hoped = margin(shallow_sigma.midpoint(static_sigma));
        let value = self.shared.evaluator.value(node.board, squares, node.state);

        self.pruning.probes += 1;
        let mut found = None;
        let high = beta + needed;
        if value >= beta - hoped && high <= Value::MAX {
            let value = self.midgame(node, shallow, Window::null_below(high));
            found = (value >= high).then_some(beta);
        }
        let low = alpha - needed;
        if found.is_none() && value <= alpha + hoped && low >= Value::MIN {
            let value = self.midgame(node, shallow, Window::null_above(low));
            found = (value <= low).then_some(alpha);
        }
        self.pruning.probes -= 1;
        found.filter(|_| !self.stopped)
    }
}
