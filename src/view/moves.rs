//! Formats a sequence of moves as text.

use crate::board::Move;

/// Returns the moves separated by spaces.
///
/// ```
/// use emilia::{board::Move, view::moves};
/// assert_eq!(moves(&["f5".parse().unwrap(), Move::Pass]), "f5 pass");
/// ```
pub fn moves(moves: &[Move]) -> String {
    let names: Vec<String> = moves.iter().map(Move::to_string).collect();
    names.join(" ")
}
