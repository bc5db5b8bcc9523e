//! Which discs a move turns over: on each of the eight rays from the square, the run of opponent discs up to the
//! first own disc. One module per instruction set, the same tests for each.

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(super) mod avx2;
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod portable;
#[cfg(test)]
mod tests;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(super) use avx2::flips;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(super) use portable::flips;

use super::lines::rays;

/// The eight rays of a square: the squares seen from it in each direction, to the edge.
///
/// `up[i]` and `down[i]` are the two halves of line `i` (see [`LINES`](super::lines::LINES)), towards higher and towards
/// lower squares. 64 bytes, so one ray table entry is one cache line.
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
