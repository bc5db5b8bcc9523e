//! Legal moves by AVX2: the parallel prefix of `portable` for all four lines at once.
//! Each lane of the register holds one line.

#![allow(unsafe_code, reason = "AVX2 intrinsics")]

use std::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_or_si256, _mm256_set1_epi64x, _mm256_sllv_epi64,
    _mm256_srlv_epi64,
};

use super::THROUGH;
use crate::board::Bitboard;
use crate::board::avx2::{distances, lanes, or_lanes};

/// The empty squares where `player` flips at least one disc of `opponent`.
#[inline]
pub(crate) fn legal_moves(player: Bitboard, opponent: Bitboard) -> Bitboard {
    // SAFETY: `cfg(target_feature)` leaves this module out of builds without AVX2.
    unsafe { in_four_lanes(player, opponent) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn in_four_lanes(player: Bitboard, opponent: Bitboard) -> Bitboard {
    let reached = reached(
        _mm256_set1_epi64x(player.0 as i64),
        _mm256_set1_epi64x(opponent.0 as i64),
    );
    Bitboard(reached & !(player.0 | opponent.0))
}

/// Returns the squares just past a run of `other` discs that starts next to an `own` disc.
/// The squares returned may be empty or occupied.
/// `own` and `other` hold the discs of each side, repeated in all four lanes.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn reached(own: __m256i, other: __m256i) -> u64 {
    let step = lanes(const { distances(1) });
    let step2 = lanes(const { distances(2) });
    let through = _mm256_and_si256(other, lanes(THROUGH));

    let mut up = _mm256_and_si256(through, _mm256_sllv_epi64(own, step));
    let mut down = _mm256_and_si256(through, _mm256_srlv_epi64(own, step));
    up = _mm256_or_si256(up, _mm256_and_si256(through, _mm256_sllv_epi64(up, step)));
    down = _mm256_or_si256(
        down,
        _mm256_and_si256(through, _mm256_srlv_epi64(down, step)),
    );
    let pairs_up = _mm256_and_si256(through, _mm256_sllv_epi64(through, step));
    let pairs_down = _mm256_srlv_epi64(pairs_up, step);
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, step2)));
    down = _mm256_or_si256(
        down,
        _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, step2)),
    );
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, step2)));
    down = _mm256_or_si256(
        down,
        _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, step2)),
    );

    let reached = _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
    or_lanes(reached)
}
