//! Static square weights, for move ordering without other information.

use crate::board::Square;

/// The static weight of a square in move ordering, 0..=9, without unit. Larger is better.
/// Corners weigh most, because they can never be flipped.
/// The squares next to corners weigh little, because they give the corner away.
#[inline]
pub const fn static_square_weight(square: Square) -> u8 {
    #[rustfmt::skip]
    const WEIGHTS: [u8; Square::COUNT] = [
        9, 2, 8, 6, 6, 8, 2, 9,
        2, 1, 3, 4, 4, 3, 1, 2,
        8, 3, 7, 5, 5, 7, 3, 8,
        6, 4, 5, 0, 0, 5, 4, 6,
        6, 4, 5, 0, 0, 5, 4, 6,
        8, 3, 7, 5, 5, 7, 3, 8,
        2, 1, 3, 4, 4, 3, 1, 2,
        9, 2, 8, 6, 6, 8, 2, 9,
    ];
    WEIGHTS[square.index()]
}
