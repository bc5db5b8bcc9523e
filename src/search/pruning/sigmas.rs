//! Standard deviations for forward pruning, tabulated from the [`ErrorModel`] of an evaluation.
//! A standard deviation σ measures how far a shallow result is from the result of a deep search.

use crate::eval::ErrorModel;
use crate::search::pruning::selectivity::SOLVED;

/// Returns the depth of the shallow search that predicts a search of `depth` plies.
/// The shallow depth is about half, of the same parity, because values of odd and even depths
/// differ.
pub(in crate::search) const fn shallow_depth(depth: u32) -> u32 {
    depth / 4 * 2 + depth % 2
}

/// Standard deviations, in discs, of two predictions of a deep search: static and shallow.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::search) struct Sigma {
    pub(in crate::search) of_static: f32,
    pub(in crate::search) of_shallow: f32,
}

/// Greatest number of empties, and of plies, in the tables.
const MAX_EMPTIES: usize = 60;

/// Standard deviations of an error model for all depths and numbers of empties.
/// The tables are computed once, because every second node of a search reads an entry.
#[derive(Clone, Debug)]
pub(in crate::search) struct Sigmas {
    model: ErrorModel,
    /// Indexed by depth in plies, then by number of empties.
    midgame: Vec<[Sigma; MAX_EMPTIES + 1]>,
    /// For searches to the end of the game, indexed by number of empties.
    endgame: [Sigma; MAX_EMPTIES + 1],
}

impl Sigmas {
    pub(in crate::search) fn of(model: &ErrorModel) -> Sigmas {
        let pair = |plies: u32, sigma: &dyn Fn(u32) -> f32| {
            let shallow = shallow_depth(plies);
            // A search predicts a search of the same depth without error.
            let sigma = |depth| if depth < plies { sigma(depth) } else { 0.0 };
            Sigma {
                of_static: sigma(0),
                of_shallow: sigma(shallow),
            }
        };
        let by_empties = |sigma: &dyn Fn(u32) -> Sigma| std::array::from_fn(|at| sigma(at as u32));
        let midgame = (0..=MAX_EMPTIES as u32).map(|depth| {
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

    /// Returns whether the table was computed from `model`.
    pub(in crate::search) fn are_of(&self, model: &ErrorModel) -> bool {
        self.model == *model
    }

    #[inline]
    pub(in crate::search) fn at(&self, empties: u32, depth: u32) -> Sigma {
        let empties = (empties as usize).min(MAX_EMPTIES);
        if depth == SOLVED {
            self.endgame[empties]
        } else {
            self.midgame[(depth as usize).min(MAX_EMPTIES)][empties]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Classic, Evaluator};

    #[test]
    fn tabulated_sigmas_equal_those_of_the_model() {
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

    /// Asserts that `pair` holds the σ of the static value and of the shallow search for `plies`.
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
