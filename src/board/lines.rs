//! The geometry of lines: the four directions through a square, the rays to the edge, and a column read as a row.

use super::Bitboard;

/// The four lines through a square, row, column and the two diagonals, by the change of (file, rank) for one step up.
pub(super) const LINES: [(i8, i8); 4] = [(1, 0), (0, 1), (-1, 1), (1, 1)];

/// The same steps as distances between the bits of neighbours.
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

/// The squares from `square` (left out) to the edge in steps of (`file_step`, `rank_step`).
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

/// The two rays of a line: up, to higher squares, and down.
pub(super) const fn rays(square: usize, line: usize) -> [Bitboard; 2] {
    let (file, rank) = LINES[line];
    [ray(square, (file, rank)), ray(square, (-file, -rank))]
}

/// The squares a1, a2, …, a8 as bits 0, …, 7: they come together in the top byte of the product, lowest rank first.
#[inline]
pub(super) const fn gather_file(bits: u64) -> u64 {
    (bits & Bitboard::FILE_A.0).wrapping_mul(0x0102_0408_1020_4080) >> 56
}
