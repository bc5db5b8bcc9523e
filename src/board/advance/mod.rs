//! A move and the legal moves after it in one step: what loops over moves want, and faster than one after the
//! other, for the flips need not leave the vector registers.

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod avx2;
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod portable;
#[cfg(test)]
mod tests;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
use avx2::advance;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
use portable::advance;

use super::{Bitboard, Board, Square};

impl Board {
    /// [`play`](Self::play), and the legal moves on the board after it: faster than one after the other.
    #[inline]
    pub fn advance(&self, square: Square) -> (Board, Bitboard) {
        advance(self, square)
    }
}
