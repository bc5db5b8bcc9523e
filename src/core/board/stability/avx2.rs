//! Stable discs by AVX2: each lane of a register holds one of the four lines.

#![allow(unsafe_code, reason = "AVX2 intrinsics")]

use std::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm256_and_si256, _mm256_castsi256_si128, _mm256_or_si256,
    _mm256_permute2x128_si256, _mm256_set1_epi64x, _mm256_shuffle_epi32, _mm256_sllv_epi64,
    _mm256_srlv_epi64, _mm256_testc_si256,
};

use super::{ENDS, OFF_DOWN, OFF_UP};
use crate::board::Bitboard;
use crate::board::avx2::{distances, lanes};

/// Extends `seed` by each disc of `player` whose four lines are all safe. The [module](super)
/// defines a safe line.
#[inline]
pub(crate) fn grow(player: Bitboard, occupied: Bitboard, seed: Bitboard) -> Bitboard {
    // SAFETY: `cfg(target_feature)` leaves this module out of builds without AVX2.
    unsafe { in_four_lanes(player, occupied, seed) }
}

/// Number of rounds before the first test whether a round still adds a disc. A round adds each disc
/// whose four lines are safe, given the stable discs of the round before.
/// A round that adds no disc costs less than a branch that is hard to predict.
const ROUNDS_BEFORE_TEST: u32 = 3;

#[inline]
#[target_feature(enable = "avx2")]
fn in_four_lanes(player: Bitboard, occupied: Bitboard, seed: Bitboard) -> Bitboard {
    let held = _mm256_or_si256(full(occupied), lanes(ENDS));
    let step = lanes(const { distances(1) });
    let player = _mm256_set1_epi64x(player.0 as i64);
    // `stable` is repeated in all four lanes, so that the loop stays in the vector registers.
    let mut stable = _mm256_set1_epi64x(seed.0 as i64);
    let round = |stable: __m256i| {
        // Bits shifted across the edge of the board land on line ends. `held` has all line ends, so
        // that these bits change nothing.
        let beside = _mm256_or_si256(
            _mm256_sllv_epi64(stable, step),
            _mm256_srlv_epi64(stable, step),
        );
        _mm256_and_si256(player, and_in_all_lanes(_mm256_or_si256(held, beside)))
    };
    for _ in 0..ROUNDS_BEFORE_TEST {
        stable = _mm256_or_si256(stable, round(stable));
    }
    loop {
        let more = round(stable);
        if _mm256_testc_si256(stable, more) != 0 {
            return Bitboard(_mm_cvtsi128_si64(_mm256_castsi256_si128(stable)) as u64);
        }
        stable = _mm256_or_si256(stable, more);
    }
}

/// One lane for each line direction: the squares whose line in this direction has no empty square.
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

/// The bitwise AND of the four lanes, repeated in all four lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn and_in_all_lanes(lanes: __m256i) -> __m256i {
    let halves = _mm256_and_si256(lanes, _mm256_permute2x128_si256::<1>(lanes, lanes));
    _mm256_and_si256(halves, _mm256_shuffle_epi32::<0b01_00_11_10>(halves))
}
