//! How far static values and those of shallow searches are from those of deep ones: the error model, worked out for all
//! searches that forward pruning asks about.

use super::selectivity::SOLVED;
use crate::eval::ErrorModel;

/// How many plies are looked ahead for a search of `depth`: about half, and of the same parity, as values of odd and of
/// even depth differ.
pub(super) const fn shallow_depth(depth: u32) -> u32 {
    depth / 4 * 2 + depth % 2
}

/// How far, in discs, the static value and that of the shallow search are from the value of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sigma {
    pub(super) of_static: f32,
    pub(super) of_shallow: f32,
}

/// The most empty squares, and plies, that a search has.
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
    pub(super) fn at(&self, empties: u32, depth: u32) -> Sigma {
        let empties = (empties as usize).min(MOST_EMPTIES);
        if depth == SOLVED {
            self.endgame[empties]
        } else {
            self.midgame[(depth as usize).min(MOST_EMPTIES)][empties]
        }
    }
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
