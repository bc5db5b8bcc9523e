//! Late moves of null-window nodes: move-count pruning and late-move reductions.
//! Moves are in order: where the first few cause no cut-off, the others seldom do.
//! Near the horizon the others are left out, which chess programs call late-move pruning.
//! Farther from it they are searched to less depth first.
//!
//! Both apply to the lowest level of selectivity only, 73 %.

use crate::search::Selectivity;

/// Number of moves searched at most, by depth in plies. Other depths have no limit.
///
/// Moves at depth 3 are ordered without their static values, and a limit of 6 gains nothing there.
/// The limits save 40 % of the nodes to depth 20, with values as good as without them.
/// They win +60 ± 26 Elo at 20,000 nodes a move.
const MOST_MOVES: [usize; 10] = [ALL, 6, 5, ALL, 4, 4, 5, 5, 6, 6];

/// No limit.
const ALL: usize = usize::MAX;

/// Least depth, in plies, of a node with late-move reductions.
const REDUCED_DEPTH: u32 = 6;

/// Number of moves at the front of the order that are searched without a reduction.
const FULL_DEPTH_MOVES: usize = 3;

/// Number of plies by which a late move is reduced. Wins +8 ± 7 Elo at 20,000 to 100,000 nodes.
/// The number is even: values of odd and even depths differ.
const REDUCTION: u32 = 2;

/// Returns the number of moves to search at most at a null-window node of `depth` plies.
#[inline]
pub(in crate::search) fn most_moves(depth: u32, selectivity: Selectivity) -> usize {
    match MOST_MOVES.get(depth as usize) {
        Some(&most) if selectivity == Selectivity::P73 => most,
        _ => ALL,
    }
}

/// Returns the reduction, in plies, of a move of a null-window node of `depth` plies.
/// `tried` is the number of moves searched before it.
#[inline]
pub(in crate::search) fn reduction(depth: u32, tried: usize, selectivity: Selectivity) -> u32 {
    let is_late = depth >= REDUCED_DEPTH && tried >= FULL_DEPTH_MOVES;
    if is_late && selectivity == Selectivity::P73 {
        REDUCTION
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_least_selectivity_reduces_moves_and_never_to_the_horizon() {
        for selectivity in Selectivity::ALL {
            for (depth, tried) in (1..=60).flat_map(|depth| (0..30).map(move |at| (depth, at))) {
                let less = reduction(depth, tried, selectivity);
                assert!(less < depth && less.is_multiple_of(2));
                assert!(less == 0 || selectivity == Selectivity::P73);
                assert!(less <= reduction(depth + 1, tried + 1, selectivity));
            }
            let is_reduced = reduction(30, 20, selectivity) > 0;
            assert_eq!(is_reduced, selectivity == Selectivity::P73);
            assert_eq!(reduction(30, 0, selectivity), 0);
        }
    }

    #[test]
    fn only_the_least_selectivity_limits_moves_and_only_near_the_horizon() {
        for selectivity in Selectivity::ALL {
            for depth in 0..=60 {
                let is_limited = most_moves(depth, selectivity) < ALL;
                let is_near = (1..MOST_MOVES.len() as u32).contains(&depth);
                assert!(!is_limited || (is_near && selectivity == Selectivity::P73));
            }
            assert_eq!(
                most_moves(1, selectivity) < ALL,
                selectivity == Selectivity::P73
            );
        }
    }
}
