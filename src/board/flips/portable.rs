//! Flips in plain 64-bit arithmetic: on each ray, find the nearest square that is no opponent disc; if it is an own
//! disc, the squares before it are flipped.

use super::RAYS;
use crate::board::{Bitboard, Square};

/// The flips by `square`, an empty square.
pub(in crate::board) fn flips(square: Square, player: Bitboard, opponent: Bitboard) -> Bitboard {
    let rays = &RAYS[square.index()];
    let mut flipped = 0;
    // No branches: whether a ray ends at an own disc is as good as random.
    for ray in rays.up {
        let stops = ray & !opponent.0;
        let end = stops & stops.wrapping_neg() & player.0;
        flipped |= ray & end.wrapping_sub(u64::from(end != 0));
    }
    for ray in rays.down {
        let stops = ray & !opponent.0;
        // Without a stop it is a1, which is then no own disc of this ray.
        let nearest = (1 << 63) >> (stops | 1).leading_zeros();
        let end = nearest & stops & player.0;
        flipped |= ray & end.wrapping_neg() & !end;
    }
    Bitboard(flipped)
}
