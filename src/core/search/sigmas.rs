//! Standard deviations for forward pruning, tabulated from the [`ProbCutModel`] of an evaluation.
//! A standard deviation σ measures how far a shallow result is from the result of a deep search.

use crate::eval::ProbCutModel;

/// Returns the depth, in plies, of the shallow search that predicts a search of `depth` plies. The
/// result is about half of `depth`. It has the parity of `depth`, because values of odd and even
/// depths differ.
pub(crate) const fn shallow_depth(depth: u32) -> u32 {
    depth / 4 * 2 + depth % 2
}

/// Standard deviations, in discs, of the errors of two predictions of a deep search: the static
/// value, and the result of a shallow search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sigma {
    pub(crate) of_static: f32,
    pub(crate) of_shallow: f32,
}

/// Greatest number of empties, and greatest depth in plies, in the table.
const MAX_EMPTIES: usize = 60;

/// Standard deviations of an error model for all depths and numbers of empties.
/// The table is computed in advance, once for each evaluation function, because about half of all
/// nodes read an entry.
#[derive(Clone, Debug)]
pub(crate) struct Sigmas {
    /// Model from which the table was computed.
    pub(crate) model: ProbCutModel,
    /// Standard deviations, indexed by the depth of the deep search in plies, then by the number of
    /// empties. For a search to the end of the game, the depth is the number of empties.
    sigmas: Vec<[Sigma; MAX_EMPTIES + 1]>,
}

impl Sigmas {
    pub(crate) fn of(model: &ProbCutModel) -> Sigmas {
        let sigma = |empties: u32, shallow: u32, depth: u32| {
            if shallow == depth {
                // A search predicts a search of the same depth without error.
                0.0
            } else if depth == empties {
                model.endgame_sigma(empties, shallow)
            } else {
                model.midgame_sigma(empties, shallow, depth)
            }
        };
        let pair = |empties, depth| Sigma {
            of_static: sigma(empties, 0, depth),
            of_shallow: sigma(empties, shallow_depth(depth), depth),
        };
        let rows = (0..=MAX_EMPTIES as u32)
            .map(|depth| std::array::from_fn(|empties| pair(empties as u32, depth)));
        Sigmas {
            model: *model,
            sigmas: rows.collect(),
        }
    }

    #[inline]
    pub(crate) fn at(&self, empties: u32, depth: u32) -> Sigma {
        self.sigmas[(depth as usize).min(MAX_EMPTIES)][(empties as usize).min(MAX_EMPTIES)]
    }
}
