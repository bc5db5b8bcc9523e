//! The numbers of all patterns on a board, kept up to date move by move. Stands on `shapes`.

use super::shapes::{MOST_SQUARES, PATTERNS, PLACES, SQUARES};
use crate::board::Board;

/// Lanes of a state: the places of the patterns, and zeros up to a whole number of AVX2 registers.
pub(super) const LANES: usize = PLACES.next_multiple_of(16);

/// The number of each place of each pattern, seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub(crate) struct State(pub(super) [i16; LANES]);

/// What a disc of the mover on each square adds to the numbers.
static DISCS: [State; 64] = {
    let mut discs = [State([0; LANES]); 64];
    let mut at = 0;
    while at < PATTERNS.len() {
        let pattern = PATTERNS[at];
        let mut lane = pattern.first;
        while lane < pattern.first + pattern.places {
            let (mut digit, mut power) = (0, 1);
            while digit < pattern.len {
                discs[SQUARES[lane][digit] as usize].0[lane] = power;
                power = power.wrapping_mul(3);
                digit += 1;
            }
            lane += 1;
        }
        at += 1;
    }
    assert!(MOST_SQUARES <= 10, "ten digits are what 16 bits hold");
    discs
};

impl State {
    /// The numbers of `board`, disc by disc.
    pub(super) fn of(board: &Board) -> State {
        let mut state = State([0; LANES]);
        for square in board.player.squares() {
            for (lane, disc) in state.0.iter_mut().zip(&DISCS[square.index()].0) {
                *lane = lane.wrapping_add(*disc);
            }
        }
        for square in board.opponent.squares() {
            for (lane, disc) in state.0.iter_mut().zip(&DISCS[square.index()].0) {
                *lane = lane.wrapping_sub(*disc);
            }
        }
        state
    }

    /// The numbers of the same discs, seen by the other side.
    #[inline]
    pub(super) fn passed(&self) -> State {
        State(self.0.map(i16::wrapping_neg))
    }

    /// The numbers of `child`, which is one move after `parent`, whose numbers these are.
    #[inline]
    pub(super) fn after(&self, parent: &Board, child: &Board) -> State {
        let placed = parent.empties() & !child.empties();
        let flips = parent.opponent & child.opponent;
        backend::after(self, placed, flips)
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
use avx2 as backend;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
use portable as backend;

/// Lane by lane.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod portable {
    use super::{DISCS, LANES, State};
    use crate::board::Bitboard;

    /// The numbers, seen by the other side, after the mover's disc on the one square of `placed` turned over `flips`.
    #[inline]
    pub(super) fn after(state: &State, placed: Bitboard, flips: Bitboard) -> State {
        let mut sum = [0_i16; LANES];
        for square in flips.squares() {
            for (lane, disc) in sum.iter_mut().zip(&DISCS[square.index()].0) {
                *lane = lane.wrapping_add(*disc);
            }
        }
        let placed = &DISCS[placed.0.trailing_zeros() as usize % 64].0;
        let mut next = State([0; LANES]);
        for lane in 0..LANES {
            // A disc turned over goes from −1 to +1.
            let mover = state.0[lane]
                .wrapping_add(placed[lane])
                .wrapping_add(sum[lane].wrapping_mul(2));
            next.0[lane] = mover.wrapping_neg();
        }
        next
    }
}

/// Sixteen lanes in a register.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi16, _mm256_load_si256, _mm256_setzero_si256, _mm256_store_si256,
        _mm256_sub_epi16,
    };

    use std::ptr;

    use super::{DISCS, LANES, State};
    use crate::board::Bitboard;

    const REGISTERS: usize = LANES / 16;

    /// The numbers, seen by the other side, after the mover's disc on the one square of `placed` turned over `flips`.
    #[inline]
    pub(super) fn after(state: &State, placed: Bitboard, flips: Bitboard) -> State {
        // SAFETY: this module is compiled only where AVX2 is enabled for the whole build; `main` asks the processor.
        unsafe { in_registers(state, placed, flips) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn in_registers(state: &State, placed: Bitboard, flips: Bitboard) -> State {
        let mut sums = [_mm256_setzero_si256(); REGISTERS];
        for square in flips.squares() {
            let disc = load(&DISCS[square.index()]);
            for (sum, disc) in sums.iter_mut().zip(disc) {
                *sum = _mm256_add_epi16(*sum, disc);
            }
        }
        let placed = load(&DISCS[placed.0.trailing_zeros() as usize % 64]);
        let before = load(state);
        let mut next = State([0; LANES]);
        for (at, sum) in sums.into_iter().enumerate() {
            // A disc turned over goes from −1 to +1.
            let mover = _mm256_add_epi16(
                _mm256_add_epi16(before[at], placed[at]),
                _mm256_add_epi16(sum, sum),
            );
            let other = _mm256_sub_epi16(_mm256_setzero_si256(), mover);
            // SAFETY: `State` is aligned to 32 bytes and holds `REGISTERS` registers; `at` is one of them.
            unsafe {
                _mm256_store_si256(ptr::from_mut(&mut next).cast::<__m256i>().add(at), other);
            };
        }
        next
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(state: &State) -> [__m256i; REGISTERS] {
        std::array::from_fn(|at| {
            // SAFETY: `State` is aligned to 32 bytes and holds `REGISTERS` registers; `at` is one of them.
            unsafe { _mm256_load_si256(ptr::from_ref(state).cast::<__m256i>().add(at)) }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bitboard, Square};

    #[test]
    fn backends_agree_on_any_numbers() {
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..20_000 {
            let state = State(std::array::from_fn(|_| random.i16(-9000..9000)));
            let placed = Bitboard::of(Square::from_low_bits(random.u32(..64)));
            let flips = Bitboard(random.u64(..) & random.u64(..) & random.u64(..)) & !placed;
            assert_eq!(
                backend::after(&state, placed, flips),
                portable::after(&state, placed, flips)
            );
        }
    }

    #[test]
    fn numbers_kept_up_to_date_are_those_counted_anew() {
        let mut random = fastrand::Rng::with_seed(4);
        for _ in 0..500 {
            let mut board = Board::START;
            let mut state = State::of(&board);
            while !board.is_over() {
                assert_eq!(state, State::of(&board), "{board:?}");
                (board, state) = match random.choice(board.legal_moves().squares()) {
                    Some(square) => {
                        let child = board.play(square);
                        (child, state.after(&board, &child))
                    }
                    None => (board.pass(), state.passed()),
                };
            }
        }
    }
}
