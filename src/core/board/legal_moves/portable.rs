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

/// The squares just past a run of one to six `through` squares next to a disc of `from`.
/// `step` is the bit distance of neighbours on the line. Both directions are followed.
fn reached(from: u64, through: u64, step: u32) -> u64 {
    let mut up = through & from << step;
    let mut down = through & from >> step;
    up |= through & up << step;
    down |= through & down >> step;
    // From here on each step covers two squares: pairs extend the runs to six squares in two steps.
    let pairs_up = through & through << step;
    let pairs_down = pairs_up >> step;
    for _ in 0..2 {
        up |= pairs_up & up << (2 * step);
        down |= pairs_down & down >> (2 * step);
    }
    up << step | down >> step
}
