//! Formats the result of a finished game as text.

use emilia_core::board::{Color, Position};

/// Returns the winner and the score of a finished game. Empty squares count for the winner.
///
/// ```
/// use emilia_view::outcome;
/// let position = "e6f4e3f6g5d6e7f5c5".parse().unwrap();
/// assert_eq!(
///     outcome(&position),
///     "black wins 64-0 (discs 13-0, 51 empty squares to the winner)",
/// );
/// ```
pub fn outcome(position: &Position) -> String {
    let black = position.discs(Color::Black).count();
    let white = position.discs(Color::White).count();
    let (winner, discs, others) = if black >= white {
        (Color::Black, black, white)
    } else {
        (Color::White, white, black)
    };
    let empties = position.board.empty_count();
    let plural = if empties == 1 { "" } else { "s" };
    if discs == others {
        format!("draw {discs}-{others}")
    } else if empties == 0 {
        format!("{winner} wins {discs}-{others}")
    } else {
        format!(
            "{winner} wins {}-{others} \
             (discs {discs}-{others}, {empties} empty square{plural} to the winner)",
            discs + empties
        )
    }
}
