//! Move-count pruning: in null windows near the horizon, only the first moves are searched.
//! The moves are in order, and a late one seldom causes a cut-off after all before it have failed.

use crate::search::Selectivity;

/// Number of moves searched at most, by depth in plies. At all other depths every move is searched.
const MOST_MOVES: [usize; 10] = [ALL, 6, 5, ALL, 4, 4, 5, 5, 6, 6];

/// No limit.
const ALL: usize = usize::MAX;

/// Returns the number of moves to search at most in a null window of `depth` plies.
/// There is a limit with the least selectivity only.
#[inline]
pub(in crate::search) fn most_moves(depth: u32, selectivity: Selectivity) -> usize {
    match MOST_MOVES.get(depth as usize) {
        Some(&most) if selectivity == Selectivity::P73 => most,
        _ => ALL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
