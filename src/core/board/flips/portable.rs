//! Flips in plain 64-bit arithmetic.
//! A stop is a square of a ray without an opponent disc.
//! If the nearest stop holds an own disc, the opponent discs before the stop flip.

use super::RAYS;
use crate::board::{Bitboard, Square};

/// The discs of `opponent` that `player` flips by playing the empty square `square`.
pub(crate) fn flips(square: Square, player: Bitboard, opponent: Bitboard) -> Bitboard {
    let rays = &RAYS[square.index()];
    let mut flipped = 0;
    // The loops have no branch on `end`: whether a ray ends at an own disc is hard to predict.
    for ray in rays.up {
        let stops = ray & !opponent.0;
        let end = stops & stops.wrapping_neg() & player.0;
        flipped |= ray & end.wrapping_sub(u64::from(end != 0));
    }
    for ray in rays.down {
        let stops = ray & !opponent.0;
        // If the ray has no stop, `nearest` is a1, which is not in `stops`: `end` is then empty.
        let nearest = (1 << 63) >> (stops | 1).leading_zeros();
        let end = nearest & stops & player.0;
        flipped |= ray & end.wrapping_neg() & !end;
    }
    Bitboard(flipped)
}
