//! Which discs a move turns over: on each of the eight rays from the square, the run of opponent discs up to the
//! first own disc. One module per instruction set, the same laws for each.

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

/// The eight rays of a square: the squares seen from it in each direction, to the edge.
///
/// `up[i]` and `down[i]` are the two halves of line `i` (row, column, and the two diagonals, in the order of the
/// steps 1, 8, 7, 9), towards higher and towards lower squares. 64 bytes, so one ray table entry is one cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Rays {
    up: [u64; 4],
    down: [u64; 4],
}

/// Change of (file, rank) for one step up each line; the step in bits is `file + 8 * rank`.
const LINES: [(i8, i8); 4] = [(1, 0), (0, 1), (-1, 1), (1, 1)];

static RAYS: [Rays; 64] = {
    let mut rays = [Rays {
        up: [0; 4],
        down: [0; 4],
    }; 64];
    let mut square = 0;
    while square < 64 {
        let mut line = 0;
        while line < 4 {
            let (file, rank) = LINES[line];
            rays[square].up[line] = ray(square, file, rank);
            rays[square].down[line] = ray(square, -file, -rank);
            line += 1;
        }
        square += 1;
    }
    rays
};

/// The squares from `square` (left out) to the edge in steps of (`file_step`, `rank_step`).
const fn ray(square: usize, file_step: i8, rank_step: i8) -> u64 {
    let mut file = (square % 8) as i8 + file_step;
    let mut rank = (square / 8) as i8 + rank_step;
    let mut squares = 0;
    while file >= 0 && file < 8 && rank >= 0 && rank < 8 {
        squares |= 1 << (rank * 8 + file);
        file += file_step;
        rank += rank_step;
    }
    squares
}
