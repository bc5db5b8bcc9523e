//! Where the side to move may play: an empty square with a straight run of opponent discs, closed by an own disc,
//! in at least one of the eight directions. One module per instruction set, the same laws for each.

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

/// The columns b to g: a run that steps sideways never flips a disc on the a or h column.
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
