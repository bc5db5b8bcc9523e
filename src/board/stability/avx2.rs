//! Stability with the four lines in the four lanes of an AVX2 register.

use std::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm256_and_si256, _mm256_castsi256_si128, _mm256_or_si256,
    _mm256_permute4x64_epi64, _mm256_set1_epi64x, _mm256_shuffle_epi32, _mm256_sllv_epi64,
    _mm256_srlv_epi64,
};

use super::{ENDS, OFF_DOWN, OFF_UP};
use crate::board::Bitboard;
use crate::board::avx2::{distances, lanes};

/// `seed` and all discs of `player` that are held in each of the four lines: the line is full, or the disc ends it, or
/// one of its two neighbours on it is stable.
#[inline]
pub(in crate::board) fn grow(player: Bitboard, occupied: Bitboard, seed: Bitboard) -> Bitboard {
    // SAFETY: this module is compiled only where AVX2 is enabled for the whole build; `main` asks the processor.
    unsafe { in_four_lanes(player, occupied, seed) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn in_four_lanes(player: Bitboard, occupied: Bitboard, seed: Bitboard) -> Bitboard {
    let held = _mm256_or_si256(full(occupied), lanes(ENDS));
    let step = lanes(const { distances(1) });
    let mut stable = seed.0;
    loop {
        let all = _mm256_set1_epi64x(stable as i64);
        // What a shift carries round the edge of the board lands on an end of the line, held anyway.
        let beside = _mm256_or_si256(_mm256_sllv_epi64(all, step), _mm256_srlv_epi64(all, step));
        let next = player.0 & and_lanes(_mm256_or_si256(held, beside)) | stable;
        if next == stable {
            return Bitboard(stable);
        }
        stable = next;
    }
}

/// In each lane the squares whose line in this direction has no empty square.
#[inline]
#[target_feature(enable = "avx2")]
fn full(occupied: Bitboard) -> __m256i {
    let mut up = _mm256_set1_epi64x(occupied.0 as i64);
    let mut down = up;
    for doubling in 0..3 {
        let distance = lanes(distances(1 << doubling));
        let next_up = _mm256_or_si256(lanes(OFF_UP[doubling]), _mm256_srlv_epi64(up, distance));
        let next_down =
            _mm256_or_si256(lanes(OFF_DOWN[doubling]), _mm256_sllv_epi64(down, distance));
        up = _mm256_and_si256(up, next_up);
        down = _mm256_and_si256(down, next_down);
    }
    _mm256_and_si256(up, down)
}

/// The intersection of the four lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn and_lanes(lanes: __m256i) -> u64 {
    let pairs = _mm256_and_si256(lanes, _mm256_permute4x64_epi64::<0b01_00_11_10>(lanes));
    let all = _mm256_and_si256(pairs, _mm256_shuffle_epi32::<0b01_00_11_10>(pairs));
    _mm_cvtsi128_si64(_mm256_castsi256_si128(all)) as u64
}
