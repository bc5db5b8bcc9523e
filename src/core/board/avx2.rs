//! Helpers shared by the AVX2 routines of the board. A register has four lanes of 64 bits, one for
//! each of the four [`LINES`](super::lines::LINES) through a square: row, column and two diagonals.
//! The helpers fill the lanes and combine them.

use std::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_castsi256_si128,
    _mm256_extracti128_si256, _mm256_setr_epi64x,
};

use super::lines::STEPS;

/// For each of the four lines, the difference of the square indices after `steps` steps.
pub(super) const fn distances(steps: u64) -> [u64; 4] {
    let mut distances = [0; 4];
    let mut line = 0;
    while line < 4 {
        distances[line] = STEPS[line] as u64 * steps;
        line += 1;
    }
    distances
}

/// Loads four words into one register, `words[0]` in the lowest lane.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn lanes(words: [u64; 4]) -> __m256i {
    _mm256_setr_epi64x(
        words[0] as i64,
        words[1] as i64,
        words[2] as i64,
        words[3] as i64,
    )
}

/// Returns the bitwise OR of the four lanes.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn or_lanes(lanes: __m256i) -> u64 {
    let halves = _mm_or_si128(
        _mm256_castsi256_si128(lanes),
        _mm256_extracti128_si256::<1>(lanes),
    );
    _mm_cvtsi128_si64(_mm_or_si128(halves, _mm_unpackhi_epi64(halves, halves))) as u64
}
