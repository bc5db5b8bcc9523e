//! Stable discs in plain 64-bit arithmetic.

use super::{ENDS, OFF_DOWN, OFF_UP};
use crate::board::Bitboard;
use crate::board::lines::STEPS;

/// Extends `seed` by each disc of `player` whose four lines are all safe. The [module](super)
/// defines a safe line.
pub(crate) fn grow(player: Bitboard, occupied: Bitboard, seed: Bitboard) -> Bitboard {
    let held = [0, 1, 2, 3].map(|line| full(occupied.0, line) | ENDS[line]);
    let mut stable = seed.0;
    loop {
        let mut next = player.0;
        for (held, step) in held.into_iter().zip(STEPS) {
            next &= held | stable << step | stable >> step;
        }
        next |= stable;
        if next == stable {
            return Bitboard(stable);
        }
        stable = next;
    }
}

/// The squares whose line in direction `line` has no empty square.
fn full(occupied: u64, line: usize) -> u64 {
    let (mut up, mut down) = (occupied, occupied);
    for doubling in 0..3 {
        let distance = STEPS[line] << doubling;
        up &= OFF_UP[doubling][line] | up >> distance;
        down &= OFF_DOWN[doubling][line] | down << distance;
    }
    up & down
}
