//! Flips in plain 64-bit arithmetic: on each ray, find the nearest square that is no opponent disc; if it is an own
//! disc, the squares before it are flipped.

use super::RAYS;
use crate::board::{Bitboard, Square};

/// The discs of `opponent` that `player` turns over by playing the empty square `square`.
pub(in crate::board) fn flips(square: Square, player: Bitboard, opponent: Bitboard) -> Bitboard {
    let rays = &RAYS[square.index()];
    let mut flipped = 0;
    for ray in rays.up {
        let stops = ray & !opponent.0;
        let nearest = stops & stops.wrapping_neg();
        if nearest & player.0 != 0 {
            flipped |= ray & (nearest - 1);
        }
    }
    for ray in rays.down {
        let stops = ray & !opponent.0;
        // Without a stop the shift leaves 0, which is no own disc.
        let nearest = (1_u64 << 63)
            .checked_shr(stops.leading_zeros())
            .unwrap_or(0);
        if nearest & player.0 != 0 {
            flipped |= ray & !(nearest | (nearest - 1));
        }
    }
    Bitboard(flipped)
}
