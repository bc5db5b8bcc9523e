//! Formats a sequence of moves as text.

use emilia_core::board::Move;

/// Returns the moves separated by spaces.
///
/// ```
/// use emilia_core::board::Move;
/// use emilia_view::moves;
/// assert_eq!(moves(&["f5".parse().unwrap(), Move::Pass]), "f5 pass");
/// ```
pub fn moves(moves: &[Move]) -> String {
    let names: Vec<String> = moves.iter().map(Move::to_string).collect();
    names.join(" ")
}
