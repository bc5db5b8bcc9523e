//! The discs that a move flips, on the eight rays from its square.
//!
//! A ray has the squares from a square (excluded) to the edge in one direction. The flips on a ray
//! are the opponent discs before the first own disc, if no empty square lies before that disc.
//!
//! There is one module per instruction set, and the same tests check each of them. Read `portable`
//! first, then `vector`, which computes the four lines (row, column and two diagonals) in one
//! register. `vector` builds on `avx2` or, in builds for x86-64-v4, on `avx512`.

#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx2",
    not(target_feature = "avx512vl")
))]
mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "avx512vl"))]
mod avx512;
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod portable;
#[cfg(test)]
mod tests;
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(super) mod vector;

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(super) use portable::flips;
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(super) use vector::flips;

use super::lines::rays;

/// The squares from a square to the edge in each of the eight directions.
///
/// `up[i]` and `down[i]` are the halves of line `i` of [`LINES`](super::lines::LINES).
/// `up` has the squares with greater indices, `down` the squares with smaller indices.
/// The rays of one square take 64 bytes, which is one cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Rays {
    up: [u64; 4],
    down: [u64; 4],
}

static RAYS: [Rays; 64] = {
    let mut all = [Rays {
        up: [0; 4],
        down: [0; 4],
    }; 64];
    let mut square = 0;
    while square < 64 {
        let mut line = 0;
        while line < 4 {
            let [up, down] = rays(square, line);
            all[square].up[line] = up.0;
            all[square].down[line] = down.0;
            line += 1;
        }
        square += 1;
    }
    all
};
