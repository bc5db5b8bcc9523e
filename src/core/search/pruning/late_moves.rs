//! Late moves of null-window nodes: move-count pruning and late-move reductions.
//! Moves are in order: where the first few cause no cut-off, the others seldom do.
//! Near the horizon the others are left out, which chess programs call late-move pruning.
//! Farther from it they are searched to less depth first.
//!
//! Both apply to searches to a depth, below 100 % selectivity.

use crate::search::parameters::late_moves::{
    ALL, FULL_DEPTH_MOVES, MOST_MOVES, REDUCED_DEPTH, REDUCTION,
};

/// Returns the number of moves to search at most at a null-window node of `depth` plies.
#[inline]
pub(crate) fn most_moves(depth: u32) -> usize {
    MOST_MOVES.get(depth as usize).copied().unwrap_or(ALL)
}

/// Returns the reduction, in plies, of a move of a null-window node of `depth` plies.
/// `tried` is the number of moves searched before it.
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
