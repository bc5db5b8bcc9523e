//! What a square is worth to whoever takes it, when nothing else is known. Stands on `board`.

use crate::board::Square;

/// A rank of the square in the static order of moves, 0..=9, without unit: corners are for ever, the squares beside them
/// give them away.
#[inline]
pub const fn square_promise(square: Square) -> u8 {
    #[rustfmt::skip]
    const PROMISE: [u8; Square::COUNT] = [
        9, 2, 8, 6, 6, 8, 2, 9,
        2, 1, 3, 4, 4, 3, 1, 2,
        8, 3, 7, 5, 5, 7, 3, 8,
        6, 4, 5, 0, 0, 5, 4, 6,
        6, 4, 5, 0, 0, 5, 4, 6,
        8, 3, 7, 5, 5, 7, 3, 8,
        2, 1, 3, 4, 4, 3, 1, 2,
        9, 2, 8, 6, 6, 8, 2, 9,
    ];
    PROMISE[square.index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Symmetry;

    #[test]
    fn symmetric_squares_promise_the_same() {
        for square in Square::all() {
            for symmetry in Symmetry::all() {
                assert_eq!(
                    square_promise(symmetry.square(square)),
                    square_promise(square)
                );
            }
        }
    }
}
