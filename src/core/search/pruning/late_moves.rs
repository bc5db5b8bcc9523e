//! Late moves of null-window nodes: move-count pruning and late-move reductions.
//! Moves are in order: where the first few cause no cut-off, the others seldom do.
//! Near the horizon the others are left out, which chess programs call late-move pruning.
//! Farther from it they are searched to less depth first.
//!
//! Both apply to searches to a depth, below 100 % selectivity.

use crate::search::horizon::TO_THE_END;

/// Number of moves searched at most, by depth in plies. Other depths have no limit.
///
/// Moves at depth 3 are ordered without their static values, and a limit of 6 gains nothing there.
/// Measured: see Forward pruning in `MEASUREMENTS.md`.
const MOST_MOVES: [usize; 10] = [ALL, 6, 5, ALL, 4, 4, 5, 5, 6, 6];

/// No limit.
const ALL: usize = usize::MAX;

/// Least depth, in plies, of a node with late-move reductions.
const REDUCED_DEPTH: u32 = 6;

/// Number of moves at the front of the order that are searched without a reduction.
const FULL_DEPTH_MOVES: usize = 3;

/// Number of plies by which a late move is reduced. Measured: see `MEASUREMENTS.md`.
/// The number is even: values of odd and even depths differ.
const REDUCTION: u32 = 2;

/// Returns the number of moves to search at most at a null-window node of `depth` plies.
#[inline]
pub(crate) fn most_moves(depth: u32) -> usize {
    MOST_MOVES.get(depth as usize).copied().unwrap_or(ALL)
}

/// Returns the reduction, in plies, of a move of a null-window node of `depth` plies.
/// `tried` is the number of moves searched before it.
#[inline]
pub(crate) fn reduction(depth: u32, tried: usize) -> u32 {
    let is_late = (REDUCED_DEPTH..TO_THE_END).contains(&depth) && tried >= FULL_DEPTH_MOVES;
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
        assert_eq!(reduction(TO_THE_END, 30), 0);
    }
}
