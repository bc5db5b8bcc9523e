//! The pattern indices of a board, updated from move to move.

use super::shapes::{MAX_SQUARES, PatternShape, instances};
use crate::board::Board;

/// The pattern index of each pattern instance on a board, seen from the side to move.
/// The indices fill registers of 16 lanes each, in the order of the patterns. Lanes after the last
/// instance are 0.
/// The compiler turns the loops over lanes into vector instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub(crate) struct State<const REGISTERS: usize>([[i16; 16]; REGISTERS]);

/// For each square, the change of the indices of `patterns` when a disc of the mover is put on it.
pub(crate) const fn discs<const REGISTERS: usize>(
    patterns: &[PatternShape],
) -> [State<REGISTERS>; 64] {
    let mut discs = [State([[0; 16]; REGISTERS]); 64];
    let mut at = 0;
    while at < patterns.len() {
        let pattern = patterns[at];
        let (squares, count) = instances(pattern.shape);
        let mut instance = 0;
        while instance < count {
            let lane = pattern.first + instance;
            let (mut digit, mut power) = (0, 1);
            while digit < pattern.len {
                discs[squares[instance][digit] as usize].0[lane / 16][lane % 16] = power;
                power = power.wrapping_mul(3);
                digit += 1;
            }
            instance += 1;
        }
        at += 1;
    }
    const { assert!(MAX_SQUARES <= 10, "an index of ten digits fits 16 bits") };
    discs
}

impl<const REGISTERS: usize> State<REGISTERS> {
    const ZERO: State<REGISTERS> = State([[0; 16]; REGISTERS]);

    /// Applies `join` to each lane and the same lane of `other`.
    #[inline]
    fn zip(mut self, other: &State<REGISTERS>, join: impl Fn(i16, i16) -> i16) -> State<REGISTERS> {
        let lanes = self.0.as_flattened_mut().iter_mut();
        for (lane, &other) in lanes.zip(other.lanes()) {
            *lane = join(*lane, other);
        }
        self
    }

    /// The index of each pattern instance.
    #[inline]
    pub(crate) fn lanes(&self) -> &[i16] {
        self.0.as_flattened()
    }

    /// Computes the indices of `board` from scratch, disc by disc.
    pub(crate) fn of(discs: &[State<REGISTERS>; 64], board: &Board) -> State<REGISTERS> {
        let mut state = State::ZERO;
        for square in board.player.squares() {
            state = state.zip(&discs[square.index()], i16::wrapping_add);
        }
        for square in board.opponent.squares() {
            state = state.zip(&discs[square.index()], i16::wrapping_sub);
        }
        state
    }

    /// Returns the indices of the same discs, seen from the other side.
    #[inline]
    pub(crate) fn passed(&self) -> State<REGISTERS> {
        State::ZERO.zip(self, i16::wrapping_sub)
    }

    /// Returns the indices of `child`, one move after `parent`.
    #[inline]
    pub(crate) fn after(
        &self,
        discs: &[State<REGISTERS>; 64],
        parent: &Board,
        child: &Board,
    ) -> State<REGISTERS> {
        let placed = parent.empties() & !child.empties();
        let flips = parent.opponent & child.opponent;
        let mut sum = State::ZERO;
        for square in flips.squares() {
            sum = sum.zip(&discs[square.index()], i16::wrapping_add);
        }
        let placed = &discs[placed.0.trailing_zeros() as usize % 64];
        let mover = self.zip(placed, i16::wrapping_add);
        // `sum` has the change if each flipped square turned from empty (digit 0) into a disc of
        // the mover (+1). A flip turns −1 into +1, hence the factor 2. The negation gives the
        // indices as the opponent sees them.
        mover.zip(&sum, |mover, sum| {
            mover.wrapping_add(sum.wrapping_mul(2)).wrapping_neg()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::shapes::{BLOCK, CORNER, EDGE, diagonal, patterns};
    use super::*;
    use crate::board::testing::{random_child, rounds};

    #[test]
    fn updated_indices_equal_indices_from_scratch() {
        let discs: [State<2>; 64] = discs(&patterns([CORNER, EDGE, BLOCK, diagonal(5)]));
        let mut random = fastrand::Rng::with_seed(4);
        for _ in 0..rounds(500, 1) {
            let mut board = Board::START;
            let mut state = State::of(&discs, &board);
            while let Some(child) = random_child(&board, &mut random) {
                state = if board.can_move() {
                    state.after(&discs, &board, &child)
                } else {
                    state.passed()
                };
                board = child;
                assert_eq!(state, State::of(&discs, &board), "{board:?}");
            }
        }
    }
}
