//! Forward pruning. Multi-ProbCut (Buro 1997): where a shallow search is so far outside the window that the deep one will
//! hardly come back in, it decides. Near the leaves the static value decides in its place.

use super::searcher::{Node, Searcher};
use super::selectivity::SOLVED;
use super::sigmas::shallow_depth;
use super::window::Window;
use crate::board::Bitboard;
use crate::eval::{SearchEvaluator, Value};

/// Searches of fewer plies are cut by the static value alone: a shallow search would cost as much as they do.
const LEAST_SEARCHED_DEPTH: u32 = 3;

/// Shallow searches within shallow searches, at most.
const MOST_PROBES: u32 = 2;

impl<E: SearchEvaluator> Searcher<'_, E> {
    /// A bound for the value at `depth` in the null window below `beta`, if this is near the leaves and the static value
    /// gives one with enough confidence.
    #[inline]
    pub(super) fn static_cut(
        &mut self,
        node: Node<E::State>,
        squares: Bitboard,
        depth: u32,
        beta: Value,
    ) -> Option<Value> {
        if depth >= LEAST_SEARCHED_DEPTH {
            return None;
        }
        let interval = self.pruning.selectivity.interval()?;
        let alpha = beta - Value::UNIT;
        let sigma = self.shared.sigmas.at(node.board.empty_count(), depth);
        let needed = margin(interval, sigma.of_static);
        let value = self.static_value(node, squares);
        let high = (value >= beta + needed).then_some(beta);
        high.or((value <= alpha - needed).then_some(alpha))
    }

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
        if plies < LEAST_SEARCHED_DEPTH || self.pruning.probes >= MOST_PROBES {
            return None;
        }
        let alpha = beta - Value::UNIT;
        let sigma = self.shared.sigmas.at(empties, depth);
        let needed = margin(interval, sigma.of_shallow);
        let hoped = margin(interval, sigma.of_shallow.midpoint(sigma.of_static));
        let value = self.static_value(node, squares);
        let node = Node {
            value: Some(value),
            ..node
        };

        self.pruning.probes += 1;
        let shallow = shallow_depth(plies);
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

/// So many σ, rounded up.
#[inline]
fn margin(interval: f32, sigma: f32) -> Value {
    Value::from_units((interval * sigma * Value::PER_DISC as f32).ceil() as i32)
}
