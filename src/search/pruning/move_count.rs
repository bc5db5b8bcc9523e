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
