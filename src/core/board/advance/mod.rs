//! Plays a move and generates the legal replies in one function, for loops over moves.
//! This is faster than two calls, because the flips stay in the vector registers.
//! Read `portable` first, then `avx2`. The same tests check both.

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
    /// Plays the legal square `square`. Returns the next board and its legal moves.
    /// Faster than [`play`](Self::play) followed by [`legal_moves`](Self::legal_moves).
    #[inline]
    pub fn advance(&self, square: Square) -> (Board, Bitboard) {
        advance(self, square)
    }
}
