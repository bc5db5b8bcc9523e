//! The weights of the pattern evaluation, and the sum of those that a position has. Stands on `shapes` and `state`.

use super::Pattern;
use super::fold::{EXTRAS, Folding, extras};
use super::shapes::{PATTERNS, ROOM};
use super::state::State;
use crate::board::{Bitboard, Board};
use crate::eval::{Incremental, Value};

/// The game has this many stages of two discs each, with weights of their own.
pub const STAGES: usize = 30;

/// The stage of a position with so many empty squares.
#[inline]
pub const fn stage(empties: u32) -> usize {
    let stage = 60_usize.saturating_sub(empties as usize) / 2;
    if stage < STAGES { stage } else { STAGES - 1 }
}

/// Weights are in units of 1 / (32 · 2^`SHIFT`) disc.
const SHIFT: u32 = 2;

/// The weights of a stage, by pattern and number.
pub(super) type Table = [i16; ROOM + EXTRAS];

/// The weights of all stages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternWeights {
    tables: Vec<Box<Table>>,
    fingerprint: u64,
}

impl PatternWeights {
    /// Units of a weight in one disc.
    pub const PER_DISC: i32 = Value::PER_DISC << SHIFT;

    /// The weights whose classes, stage by stage, are worth this.
    pub(super) fn unfold(folding: &Folding, folded: &[i16], fingerprint: u64) -> PatternWeights {
        let tables = folded
            .chunks_exact(folding.len())
            .map(|folded| folding.unfold(folded))
            .collect();
        PatternWeights {
            tables,
            fingerprint,
        }
    }

    /// A number that other weights hardly have.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The expected score, given the legal moves and the numbers of the board.
    #[inline]
    pub(super) fn value(&self, board: &Board, moves: Bitboard, state: &State) -> Value {
        let table = &self.tables[stage(board.empty_count())];
        let sum = sum_of::<0>(table, state)
            + sum_of::<1>(table, state)
            + sum_of::<2>(table, state)
            + sum_of::<3>(table, state)
            + sum_of::<4>(table, state)
            + sum_of::<5>(table, state)
            + sum_of::<6>(table, state)
            + sum_of::<7>(table, state)
            + sum_of::<8>(table, state)
            + sum_of::<9>(table, state)
            + sum_of::<10>(table, state)
            + sum_of::<11>(table, state)
            + sum_of::<12>(table, state)
            + sum_of::<13>(table, state)
            + extras(board, moves)
                .map(|extra| i32::from(table[ROOM + extra]))
                .iter()
                .sum::<i32>();
        Value::from_units((sum + (1 << SHIFT >> 1)) >> SHIFT).clamped()
    }
}

/// The weights of all places of pattern `P`. A constant, so that the loop is unrolled and no index needs a check.
#[inline]
fn sum_of<const P: usize>(table: &Table, state: &State) -> i32 {
    const { assert!(P < PATTERNS.len()) };
    let pattern = const { PATTERNS[P] };
    let mut sum = 0;
    for lane in pattern.first..pattern.first + pattern.places {
        let number = state.0[lane] as u16 as usize & (pattern.room - 1);
        sum += i32::from(table[pattern.start + number]);
    }
    sum
}

impl Incremental for Pattern {
    type State = State;

    #[inline]
    fn state(&self, board: &Board) -> State {
        State::of(board)
    }

    #[inline]
    fn after(&self, state: &State, parent: &Board, child: &Board) -> State {
        state.after(parent, child)
    }

    #[inline]
    fn passed(&self, state: &State) -> State {
        state.passed()
    }

    #[inline]
    fn value(&self, board: &Board, moves: Bitboard, state: &State) -> Value {
        debug_assert_eq!(
            *state,
            State::of(board),
            "numbers that belong to another board"
        );
        self.weights.value(board, moves, state)
    }
}
