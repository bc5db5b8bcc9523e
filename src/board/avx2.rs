//! What the AVX2 routines share: four words in a register, and the union of its lanes.

use std::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_castsi256_si128,
    _mm256_extracti128_si256, _mm256_setr_epi64x,
};

/// Four words in one register.
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

/// The union of the four lanes.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn or_lanes(lanes: __m256i) -> u64 {
    let halves = _mm_or_si128(
        _mm256_castsi256_si128(lanes),
        _mm256_extracti128_si256::<1>(lanes),
    );
    _mm_cvtsi128_si64(_mm_or_si128(halves, _mm_unpackhi_epi64(halves, halves))) as u64
}
