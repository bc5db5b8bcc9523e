//! The legal moves of the side to move. A legal square is empty and starts a run of opponent discs
//! that an own disc closes. There is one module per instruction set, and the same tests check each
//! of them. Read `portable` first, then `avx2`, which computes the four lines through each square
//! (row, column and two diagonals) in one register.

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

use crate::board::Bitboard;

/// The files b to g.
const INNER_FILES: u64 = !(Bitboard::FILE_A.0 | Bitboard::FILE_H.0);

/// For each line, the squares that can hold a flipped disc of this line.
/// A disc on file a or h is at the end of its row and of its diagonals, and so never flips along
/// them. The mask also stops shifts that would continue in the next row.
/// Ranks 1 and 8 need no mask: a shift beyond them drops the bit.
const THROUGH: [u64; 4] = [INNER_FILES, !0, INNER_FILES, INNER_FILES];
