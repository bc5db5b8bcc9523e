//! Stable discs: discs of the side to move that no further play can flip.
//!
//! The result is a lower bound: every disc in it is stable, and on the edges none is missing. The
//! algorithm starts from the stable edge discs, and adds each disc whose four lines are all safe. A
//! line is safe for a disc if the line is full, if it ends at the disc, or if a stable disc of the
//! same side is next to the disc on the line.
//!
//! There is one module per instruction set, and the same tests check each of them. Read `edges`
//! first, then `portable`, then `avx2`.

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod avx2;
mod edges;
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod portable;
#[cfg(test)]
mod tests;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(super) use avx2::grow;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(super) use portable::grow;

pub(super) use edges::stable_on_edges;

use super::lines::LINES;

/// For each line direction, the squares where its lines begin or end. A disc on such a square
/// cannot be flipped along that direction.
const ENDS: [u64; 4] = {
    let (up, down) = (off_board(1), off_board(-1));
    [
        up[0] | down[0],
        up[1] | down[1],
        up[2] | down[2],
        up[3] | down[3],
    ]
};

/// `OFF_UP[i][line]` has the squares from which 2^i steps (1, 2 or 4) up the line leave the board.
/// Up means towards greater square indices.
const OFF_UP: [[u64; 4]; 3] = [off_board(1), off_board(2), off_board(4)];

/// Same as [`OFF_UP`], for steps down: towards smaller square indices.
const OFF_DOWN: [[u64; 4]; 3] = [off_board(-1), off_board(-2), off_board(-4)];

/// For each line direction, the squares from which `distance` steps leave the board. A negative
/// distance goes towards smaller square indices.
const fn off_board(distance: i8) -> [u64; 4] {
    let mut off = [0; 4];
    let mut line = 0;
    while line < 4 {
        let mut square = 0;
        while square < 64 {
            let (file_step, rank_step) = LINES[line];
            let file = square % 8 + file_step * distance;
            let rank = square / 8 + rank_step * distance;
            if file < 0 || file > 7 || rank < 0 || rank > 7 {
                off[line] |= 1 << square;
            }
            square += 1;
        }
        line += 1;
    }
    off
}
