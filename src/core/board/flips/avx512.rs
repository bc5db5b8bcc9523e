//! Flips along the four lines with AVX-512, which can count leading zeros and has mask registers.
//! The code uses registers of 256 bits: four lanes of 64 bits, one for each line.
//! `avx2` has the same function for processors without AVX-512.

#![allow(unsafe_code, reason = "AVX-512 intrinsics")]

use std::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_cmpgt_epi64_mask, _mm256_lzcnt_epi64,
    _mm256_mask_ternarylogic_epi64, _mm256_maskz_andnot_epi64, _mm256_set1_epi64x,
    _mm256_srlv_epi64, _mm256_sub_epi64, _mm256_ternarylogic_epi64, _mm256_test_epi64_mask,
};

use super::RAYS;
use crate::board::Square;
use crate::board::avx2::lanes;

/// Truth tables of three inputs `a`, `b` and `c` for the ternary-logic instruction.
/// Bit `4 * a + 2 * b + c` of a table is the result for these inputs.
mod logic {
    /// `a | !b`
    pub(super) const OR_NOT: i32 = 0b1111_0011;
    /// `a & !b & !c`
    pub(super) const AND_NEITHER: i32 = 0b0001_0000;
    /// `a | (b & !c)`
    pub(super) const OR_AND_NOT: i32 = 0b1111_0100;
}

/// Returns the flips of `square`, one line in each lane.
/// `own` and `other` hold the discs of each side, repeated in all four lanes.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn by_line(square: Square, own: __m256i, other: __m256i) -> __m256i {
    // SAFETY: `cfg(target_feature)` leaves this module out of builds without AVX-512VL, and every
    // processor with AVX-512VL has AVX-512CD.
    unsafe { by_masks(square, own, other) }
}

#[inline]
#[target_feature(enable = "avx2,avx512f,avx512vl,avx512cd")]
fn by_masks(square: Square, own: __m256i, other: __m256i) -> __m256i {
    let rays = &RAYS[square.index()];
    let ones = _mm256_set1_epi64x(-1);

    // A stop is a square without an opponent disc.
    // Upward rays: `filled` has every square except the stops of the ray. Adding 1 to `filled`
    // gives `carried`. The carry sets the bit of the nearest stop, which is the lowest one, and
    // clears all lower bits. The higher bits of the ray in `carried` are opponent discs, as in
    // `filled`. If `carried` has an own disc of the ray, this disc is therefore the nearest stop.
    // The flips are then the opponent discs of the ray that are not in `carried`.
    let up = lanes(rays.up);
    let filled = _mm256_ternarylogic_epi64::<{ logic::OR_NOT }>(other, up, up);
    let carried = _mm256_sub_epi64(filled, ones);
    let closed_up = _mm256_test_epi64_mask(carried, _mm256_and_si256(own, up));

    // Downward rays: the nearest stop is the highest set bit. This stop is an own disc if
    // `own_down` is a greater number than `empty_down`. No downward ray holds bit 63, so the signed
    // comparison is correct. The flips are the squares above the highest own disc.
    let down = lanes(rays.down);
    let own_down = _mm256_and_si256(own, down);
    let empty_down = _mm256_ternarylogic_epi64::<{ logic::AND_NEITHER }>(down, other, own);
    let closed_down = _mm256_cmpgt_epi64_mask(own_down, empty_down);
    let past = _mm256_srlv_epi64(ones, _mm256_lzcnt_epi64(own_down));
    let down_flips = _mm256_maskz_andnot_epi64(closed_down, past, down);

    _mm256_mask_ternarylogic_epi64::<{ logic::OR_AND_NOT }>(
        down_flips,
        closed_up,
        _mm256_and_si256(other, up),
        carried,
    )
}
