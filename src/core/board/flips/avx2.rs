//! Flips along the four lines with AVX2, one line in each lane of a register.
//! AVX2 cannot count leading zeros. On downward rays, shifts therefore copy each own disc to all
//! squares of the ray beyond the disc.
//! `avx512` has the same function for processors with AVX-512.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi64, _mm256_and_si256, _mm256_andnot_si256, _mm256_cmpeq_epi64,
    _mm256_cmpgt_epi64, _mm256_or_si256, _mm256_set1_epi64x, _mm256_setzero_si256,
    _mm256_srlv_epi64, _mm256_sub_epi64,
};

use super::RAYS;
use crate::board::Square;
use crate::board::avx2::{distances, lanes};

/// Returns the flips of `square`, one line in each lane.
/// `own` and `other` hold the discs of each side, repeated in all four lanes.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn by_line(square: Square, own: __m256i, other: __m256i) -> __m256i {
    let rays = &RAYS[square.index()];
    let zero = _mm256_setzero_si256();

    // A stop is a square without an opponent disc.
    // Upward rays: the nearest stop is the lowest set bit.
    // `nearest - 1` covers the squares before the nearest stop.
    let up = lanes(rays.up);
    let stops = _mm256_andnot_si256(other, up);
    let nearest = _mm256_and_si256(stops, _mm256_sub_epi64(zero, stops));
    let before = _mm256_and_si256(up, _mm256_add_epi64(nearest, _mm256_set1_epi64x(-1)));
    let open = _mm256_cmpeq_epi64(_mm256_and_si256(nearest, own), zero);
    let up_flips = _mm256_andnot_si256(open, before);

    // Downward rays: the nearest stop is the highest set bit.
    // This stop is an own disc if `own_stops` is a greater number than `empty_stops`: the greater
    // number has the higher bit. No downward ray holds bit 63, so the signed comparison is correct.
    // `covered` holds the own discs and all squares of the ray beyond them. The squares that stay
    // uncovered lie before the nearest own disc.
    let down = lanes(rays.down);
    let stops = _mm256_andnot_si256(other, down);
    let own_stops = _mm256_and_si256(down, own);
    let empty_stops = _mm256_andnot_si256(own, stops);
    let closed = _mm256_cmpgt_epi64(own_stops, empty_stops);
    let mut covered = own_stops;
    covered = _mm256_or_si256(
        covered,
        _mm256_srlv_epi64(covered, lanes(const { distances(1) })),
    );
    covered = _mm256_or_si256(
        covered,
        _mm256_srlv_epi64(covered, lanes(const { distances(2) })),
    );
    covered = _mm256_or_si256(
        covered,
        _mm256_srlv_epi64(covered, lanes(const { distances(4) })),
    );
    let down_flips = _mm256_and_si256(closed, _mm256_andnot_si256(covered, down));

    _mm256_or_si256(up_flips, down_flips)
}
