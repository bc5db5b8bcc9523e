//! Where the side to move may play: an empty square with a straight run of opponent discs, closed by an own disc,
//! in at least one of the eight directions. One module per instruction set, the same tests for each.

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(super) mod avx2;
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod portable;
#[cfg(test)]
mod tests;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(super) use avx2::legal_moves;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(super) use portable::legal_moves;

use crate::bitboard;

/// The columns b to g.
const INNER_FILES: u64 = bitboard! {
    . X X X X X X .
    . X X X X X X .
    . X X X X X X .
    . X X X X X X .
    . X X X X X X .
    . X X X X X X .
    . X X X X X X .
    . X X X X X X .
}
.0;

/// For each line the squares that a run may go through: one that steps sideways never flips a disc on the a or h column.
const THROUGH: [u64; 4] = [INNER_FILES, !0, INNER_FILES, INNER_FILES];
