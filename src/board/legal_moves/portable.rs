//! Legal moves in plain 64-bit arithmetic: a parallel prefix along each of the four lines, both ways.

use super::THROUGH;
use crate::board::Bitboard;
use crate::board::lines::STEPS;

/// The legal moves of `player`.
pub(in crate::board) fn legal_moves(player: Bitboard, opponent: Bitboard) -> Bitboard {
    let mut moves = 0;
    for (step, through) in STEPS.into_iter().zip(THROUGH) {
        moves |= reached(player.0, opponent.0 & through, step);
    }
    Bitboard(moves & !(player.0 | opponent.0))
}

/// The squares just past a run of one to six `through` squares that starts beside a disc of `from`, in steps
/// of `step` bits up and down.
fn reached(from: u64, through: u64, step: u32) -> u64 {
    let mut up = through & from << step;
    let mut down = through & from >> step;
    up |= through & up << step;
    down |= through & down >> step;
    // Two neighbours at once from here on: pairs of `through` squares let runs of up to six be covered in two steps.
    let pairs_up = through & through << step;
    let pairs_down = pairs_up >> step;
    for _ in 0..2 {
        up |= pairs_up & up << (2 * step);
        down |= pairs_down & down >> (2 * step);
    }
    up << step | down >> step
}
