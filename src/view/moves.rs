//! Moves in a row.

use crate::board::Move;

/// The moves with spaces between them.
///
/// ```
/// use emilia::{board::Move, view::moves};
/// assert_eq!(moves(&["f5".parse().unwrap(), Move::Pass]), "f5 pass");
/// ```
pub fn moves(moves: &[Move]) -> String {
    let names: Vec<String> = moves.iter().map(Move::to_string).collect();
    names.join(" ")
}
