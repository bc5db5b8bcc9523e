//! A move and its legal replies, computed in AVX2 registers throughout.

#![allow(unsafe_code, reason = "AVX2 intrinsics")]

use std::arch::x86_64::{
    _mm_cvtsi128_si64, _mm256_castsi256_si128, _mm256_or_si256, _mm256_set1_epi64x,
    _mm256_xor_si256,
};

use crate::board::{Bitboard, Board, Square, flips, legal_moves};

/// Plays `square`. Returns the next board and its legal moves.
#[inline]
pub(super) fn advance(board: &Board, square: Square) -> (Board, Bitboard) {
    // SAFETY: `cfg(target_feature)` leaves this module out of builds without AVX2.
    unsafe { in_registers(board, square) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn in_registers(board: &Board, square: Square) -> (Board, Bitboard) {
    let own = _mm256_set1_epi64x(board.player.0 as i64);
    let other = _mm256_set1_epi64x(board.opponent.0 as i64);
    let disc = Bitboard::of(square);
    let flipped = flips::vector::in_all_lanes(square, own, other);
    let next_own = _mm256_xor_si256(other, flipped);
    let next_other = _mm256_xor_si256(
        own,
        _mm256_or_si256(flipped, _mm256_set1_epi64x(disc.0 as i64)),
    );
    let reached = legal_moves::avx2::reached(next_own, next_other);
    let flipped = Bitboard(_mm_cvtsi128_si64(_mm256_castsi256_si128(flipped)) as u64);
    // Uses the empty squares before the move, which do not depend on the flips, so that the
    // processor does not wait for the flips.
    let moves = Bitboard(reached) & board.empties() & !disc;
    (board.play_flips(square, flipped), moves)
}
