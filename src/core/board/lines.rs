//! Geometry of the lines through a square (its row, its column and its two diagonals): directions,
//! rays to the edge, files as bytes.

use super::Bitboard;

/// One step along each of the four lines through a square, as (file, rank). Each step leads to a
/// square with a greater index.
/// The order is row, column, diagonal towards a8, diagonal towards h8.
pub(super) const LINES: [(i8, i8); 4] = [(1, 0), (0, 1), (-1, 1), (1, 1)];

/// Difference of the indices of neighbouring squares along each of [`LINES`]: 1, 8, 7 and 9.
pub(super) const STEPS: [u32; 4] = {
    let mut steps = [0; 4];
    let mut line = 0;
    while line < 4 {
        let (file, rank) = LINES[line];
        steps[line] = (file + 8 * rank) as u32;
        line += 1;
    }
    steps
};

/// The squares from `square` (excluded) to the edge in steps of (`file_step`, `rank_step`).
pub(super) const fn ray(square: usize, (file_step, rank_step): (i8, i8)) -> Bitboard {
    let mut file = (square % 8) as i8 + file_step;
    let mut rank = (square / 8) as i8 + rank_step;
    let mut squares = 0;
    while 0 <= file && file < 8 && 0 <= rank && rank < 8 {
        squares |= 1 << (rank * 8 + file);
        file += file_step;
        rank += rank_step;
    }
    Bitboard(squares)
}

/// The two rays from `square` along line `line` of [`LINES`]: towards greater indices, then towards
/// smaller indices.
pub(super) const fn rays(square: usize, line: usize) -> [Bitboard; 2] {
    let (file, rank) = LINES[line];
    [ray(square, (file, rank)), ray(square, (-file, -rank))]
}

/// Gathers file a into a byte: a1 becomes bit 0, a8 becomes bit 7.
/// The multiplication collects the squares in the top byte of the product.
#[inline]
pub(super) const fn gather_file(bits: u64) -> u64 {
    (bits & Bitboard::FILE_A.0).wrapping_mul(0x0102_0408_1020_4080) >> 56
}
