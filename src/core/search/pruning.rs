//! Forward pruning, in null windows only and below 100 % selectivity.
//!
//! Multi-ProbCut (Buro 1997): a shallow search with a value far outside the node's window (alpha,
//! beta) predicts that the deep search would be outside as well. The static value replaces the
//! shallow search one and two plies from the leaves.
//!
//! Late moves: the moves are sorted, so if the first few cause no cut-off, later moves seldom do.
//! Near the leaves of a midgame search, late moves are left out (late-move pruning). Elsewhere,
//! late moves are first searched to less depth (late-move reductions).

use super::node::Node;
use super::parameters::late_moves::{ALL, FULL_DEPTH_MOVES, MOST_MOVES, REDUCED_DEPTH, REDUCTION};
use super::parameters::probcut::{MAX_NESTED_SEARCHES, MIN_SEARCHED_DEPTH};
use super::searcher::Searcher;
use super::sigmas::shallow_depth;
use super::window::Window;
use crate::eval::{SearchEvaluator, Value};

impl<E: SearchEvaluator> Searcher<'_, E> {
    /// Static cut: returns a probable bound of the value, if the static value is far outside the
    /// window.
    ///
    /// Only nodes of 1 and 2 plies are cut. The bound is `beta` for a static value far above the
    /// window, and `alpha` for a static value far below.
    #[inline]
    pub(crate) fn static_cut(&mut self, node: &Node<&E::State>) -> Option<Value> {
        let Node { depth, window, .. } = *node;
        if depth >= MIN_SEARCHED_DEPTH {
            return None;
        }
        let interval = self.pruning.interval()?;
        let Window { alpha, beta } = window;
        let sigma = self.shared.sigmas.at(node.board.empty_count(), depth);
        let needed = margin(interval, sigma.of_static);
        let value = self.static_value(node);
        let high = (value >= beta + needed).then_some(beta);
        high.or((value <= alpha - needed).then_some(alpha))
    }

    /// Multi-ProbCut: returns a probable bound of the value at `depth`, from a shallow search.
    ///
    /// The bound is `beta` for a shallow result far above the window, and `alpha` for a shallow
    /// result far below.
    /// The shallow search is run only if the static value makes a cut-off likely.
    pub(crate) fn probcut(&mut self, node: &Node<&E::State>) -> Option<Value> {
        let Node { depth, window, .. } = *node;
        let interval = self.pruning.interval()?;
        let empties = node.board.empty_count();
        if depth < MIN_SEARCHED_DEPTH || self.pruning.nested_searches >= MAX_NESTED_SEARCHES {
            return None;
        }
        let Window { alpha, beta } = window;
        let sigma = self.shared.sigmas.at(empties, depth);
        let needed = margin(interval, sigma.of_shallow);
        let static_margin = margin(interval, sigma.of_shallow.midpoint(sigma.of_static));
        let value = self.static_value(node);

        self.pruning.nested_searches += 1;
        let mut search_above = |alpha: Value| {
            self.search(&Node {
                depth: shallow_depth(depth),
                window: Window::null_above(alpha, Value::UNIT),
                ..*node
            })
        };
        let (high, low) = (beta + needed, alpha - needed);
        let mut found = None;
        if value >= beta - static_margin && high <= Value::MAX {
            found = (search_above(high - Value::UNIT) >= high).then_some(beta);
        }
        if found.is_none() && value <= alpha + static_margin && low >= Value::MIN {
            found = (search_above(low) <= low).then_some(alpha);
        }
        self.pruning.nested_searches -= 1;
        found.filter(|_| !self.stopped)
    }
}

/// Returns the margin of a cut: `interval` standard deviations of `sigma` discs, as a [`Value`],
/// rounded up.
#[inline]
fn margin(interval: f32, sigma: f32) -> Value {
    Value::from_units((interval * sigma * Value::PER_DISC as f32).ceil() as i32)
}

/// Returns the maximum number of moves to search at a null-window node of `depth` plies.
#[inline]
pub(crate) fn move_count_limit(depth: u32) -> usize {
    MOST_MOVES.get(depth as usize).copied().unwrap_or(ALL)
}

/// Returns by how many plies to reduce the search of a move, at a null-window node of `depth`
/// plies. `tried` is the number of moves searched before the move.
#[inline]
pub(crate) fn reduction(depth: u32, tried: usize) -> u32 {
    let is_late = depth >= REDUCED_DEPTH && tried >= FULL_DEPTH_MOVES;
    if is_late { REDUCTION } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_are_even_and_leave_a_ply() {
        for (depth, tried) in (1..=60).flat_map(|depth| (0..30).map(move |at| (depth, at))) {
            let less = reduction(depth, tried);
            assert!(less < depth && less.is_multiple_of(2));
        }
    }
}
