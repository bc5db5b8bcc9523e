//! Legal moves in plain 64-bit arithmetic: a parallel prefix along each line, in both directions.

use super::THROUGH;
use crate::board::Bitboard;
use crate::board::lines::STEPS;

/// The empty squares where `player` flips at least one disc of `opponent`.
pub(crate) fn legal_moves(player: Bitboard, opponent: Bitboard) -> Bitboard {
    let mut moves = 0;
    for (step, through) in STEPS.into_iter().zip(THROUGH) {
        moves |= reached(player.0, opponent.0 & through, step);
    }
    Bitboard(moves & !(player.0 | opponent.0))
}

/// The squares just past a run of one to six squares of `through` that starts next to a disc of
/// `from`, in both directions of a line. `from` are the mover's discs. `through` are the opponent's
/// discs that can flip along the line. `step` is the difference of the indices of neighbours on it.
fn reached(from: u64, through: u64, step: u32) -> u64 {
    let mut up = through & from << step;
    let mut down = through & from >> step;
    up |= through & up << step;
    down |= through & down >> step;
    // The runs now have up to two squares. Each round appends a pair of squares, so that two rounds
    // extend the runs to six squares.
    let pairs_up = through & through << step;
    let pairs_down = pairs_up >> step;
    for _ in 0..2 {
        up |= pairs_up & up << (2 * step);
        down |= pairs_down & down >> (2 * step);
    }
    up << step | down >> step
}
