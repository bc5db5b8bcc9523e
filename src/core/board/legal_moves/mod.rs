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

/// For each line, the squares that a run of flipped discs may contain.
/// A row or a diagonal ends on file a or h, so that a disc there never flips along these lines.
/// The mask also stops shifts that would continue in the next row.
const THROUGH: [u64; 4] = [INNER_FILES, !0, INNER_FILES, INNER_FILES];
