//! Forward pruning. Multi-ProbCut (Buro 1997): where a shallow search is so far outside the window that the deep one will
//! hardly come back in, it decides. Near the leaves the static value decides in its place.

use super::searcher::{Node, Searcher};
use super::selectivity::SOLVED;
use super::window::Window;
use crate::board::Bitboard;
use crate::eval::{ErrorModel, SearchEvaluator, Value};

/// Searches of fewer plies are cut by the static value alone: a shallow search would cost as much as they do.
const LEAST_SEARCHED_DEPTH: u32 = 3;

/// Shallow searches within shallow searches, at most.
const MOST_PROBES: u32 = 2;

/// How many plies are looked ahead for a search of `depth`: about half, and of the same parity, as values of odd and of
/// even depth differ.
const fn shallow_depth(depth: u32) -> u32 {
    depth / 4 * 2 + depth % 2
}

/// How far, in discs, the static value and that of the shallow search are from the value of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sigma {
    of_static: f32,
    of_shallow: f32,
}

/// Empty squares, or depths, of which there is one more: 0.
const MOST_EMPTIES: usize = 60;

/// The σ of an error model for all searches there are, worked out once: they are asked for at every other node.
#[derive(Clone, Debug)]
pub(super) struct Sigmas {
    model: ErrorModel,
    /// By depth and empty squares.
    midgame: Vec<[Sigma; MOST_EMPTIES + 1]>,
    /// By empty squares.
    endgame: [Sigma; MOST_EMPTIES + 1],
}

impl Sigmas {
    pub(super) fn of(model: &ErrorModel) -> Sigmas {
        let pair = |plies: u32, sigma: &dyn Fn(u32) -> f32| {
            let shallow = shallow_depth(plies);
            // A search of no plies is the static value.
            let sigma = |depth| if depth < plies { sigma(depth) } else { 0.0 };
            Sigma {
                of_static: sigma(0),
                of_shallow: sigma(shallow),
            }
        };
        let by_empties = |sigma: &dyn Fn(u32) -> Sigma| std::array::from_fn(|at| sigma(at as u32));
        let midgame = (0..=MOST_EMPTIES as u32).map(|depth| {
            by_empties(&|empties| {
                pair(depth, &|shallow| {
                    model.midgame_sigma(empties, shallow, depth)
                })
            })
        });
        Sigmas {
            model: *model,
            midgame: midgame.collect(),
            endgame: by_empties(&|empties| {
                pair(empties, &|shallow| model.endgame_sigma(empties, shallow))
            }),
        }
    }

    /// Whether this is the model they are of.
    pub(super) fn are_of(&self, model: &ErrorModel) -> bool {
        self.model == *model
    }

    #[inline]
    fn at(&self, empties: u32, depth: u32) -> Sigma {
        let empties = (empties as usize).min(MOST_EMPTIES);
        if depth == SOLVED {
            self.endgame[empties]
        } else {
            self.midgame[(depth as usize).min(MOST_EMPTIES)][empties]
        }
    }
}

impl<E: SearchEvaluator> Searcher<'_, E> {
    /// A bound for the value at `depth` in the null window below `beta`, if this is near the leaves and the static value
    /// gives one with enough confidence.
    #[inline]
    pub(super) fn static_cut(
        &self,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Classic, Evaluator};

    #[test]
    fn sigmas_are_those_of_the_model() {
        let model = Evaluator::error_model(&Classic);
        let sigmas = Sigmas::of(model);
        assert!(sigmas.are_of(model));
        for empties in 1..=60 {
            for depth in 1..empties {
                let sigma = |shallow| model.midgame_sigma(empties, shallow, depth);
                assert_pair(sigmas.at(empties, depth), depth, &sigma);
            }
            let sigma = |shallow| model.endgame_sigma(empties, shallow);
            assert_pair(sigmas.at(empties, SOLVED), empties, &sigma);
        }
    }

    /// The σ of the static value and of the shallow search for so many plies.
    fn assert_pair(pair: Sigma, plies: u32, sigma: &dyn Fn(u32) -> f32) {
        let shallow = shallow_depth(plies);
        let of_shallow = if shallow < plies { sigma(shallow) } else { 0.0 };
        let expected = Sigma {
            of_static: sigma(0),
            of_shallow,
        };
        assert_eq!(pair, expected);
    }
}
