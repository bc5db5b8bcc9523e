//! Flips in vector registers: four rays at a time, one in each lane.
//! `by_line` comes from `avx512` in builds with AVX-512, and from `avx2` in other builds.

#![allow(unsafe_code, reason = "AVX2 intrinsics")]

use std::arch::x86_64::{
    __m256i, _mm256_or_si256, _mm256_permute2x128_si256, _mm256_set1_epi64x, _mm256_shuffle_epi32,
};

#[cfg(not(target_feature = "avx512vl"))]
use super::avx2::by_line;
#[cfg(target_feature = "avx512vl")]
use super::avx512::by_line;

use crate::board::avx2::or_lanes;
use crate::board::{Bitboard, Square};

/// The discs of `opponent` that `player` flips by playing the empty square `square`.
#[inline]
pub(crate) fn flips(square: Square, player: Bitboard, opponent: Bitboard) -> Bitboard {
    // SAFETY: `cfg(target_feature)` leaves this module out of builds without AVX2.
    unsafe { in_four_lanes(square, player, opponent) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn in_four_lanes(square: Square, player: Bitboard, opponent: Bitboard) -> Bitboard {
    let flipped = by_line(
        square,
        _mm256_set1_epi64x(player.0 as i64),
        _mm256_set1_epi64x(opponent.0 as i64),
    );
    Bitboard(or_lanes(flipped))
}

/// Returns the flips of `square`, repeated in all four lanes.
/// `own` and `other` hold the discs of each side, repeated in all four lanes.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn in_all_lanes(square: Square, own: __m256i, other: __m256i) -> __m256i {
    let flipped = by_line(square, own, other);
    let halves = _mm256_or_si256(flipped, _mm256_permute2x128_si256::<1>(flipped, flipped));
    _mm256_or_si256(halves, _mm256_shuffle_epi32::<0b01_00_11_10>(halves))
}
