//! Standard deviations for forward pruning, tabulated from the [`ProbCutModel`] of an evaluation.
//! A standard deviation σ measures how far a shallow result is from the result of a deep search.

use crate::eval::ProbCutModel;
use crate::search::horizon::TO_THE_END;

/// Returns the depth of the shallow search that predicts a search of `depth` plies.
/// The shallow depth is about half, of the same parity, because values of odd and even depths
/// differ.
pub(crate) const fn shallow_depth(depth: u32) -> u32 {
    depth / 4 * 2 + depth % 2
}

/// Standard deviations, in discs, of two predictions of a deep search: static and shallow.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sigma {
    pub(crate) of_static: f32,
    pub(crate) of_shallow: f32,
}

/// Greatest number of empties, and of plies, in the tables.
const MAX_EMPTIES: usize = 60;

/// Standard deviations of an error model for all depths and numbers of empties.
/// The tables are computed once, because every second node of a search reads an entry.
#[derive(Clone, Debug)]
pub(crate) struct Sigmas {
    model: ProbCutModel,
    /// Indexed by depth in plies, then by number of empties.
    midgame: Vec<[Sigma; MAX_EMPTIES + 1]>,
    /// For searches to the end of the game, indexed by number of empties.
    endgame: [Sigma; MAX_EMPTIES + 1],
}

impl Sigmas {
    pub(crate) fn of(model: &ProbCutModel) -> Sigmas {
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
    pub(crate) fn are_of(&self, model: &ProbCutModel) -> bool {
        self.model == *model
    }

    #[inline]
    pub(crate) fn at(&self, empties: u32, depth: u32) -> Sigma {
        let empties = (empties as usize).min(MAX_EMPTIES);
        if depth == TO_THE_END {
            self.endgame[empties]
        } else {
            self.midgame[(depth as usize).min(MAX_EMPTIES)][empties]
        }
    }
}
