//! The weights of a feature set, and their sum for a position.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use super::features::{Features, Full, Light};
use super::reduced_index::ReducedIndex;
use super::shapes::MAX_PATTERNS;
use super::state::PatternIndices;
use crate::board::{Bitboard, Board};
use crate::eval::{Incremental, Value};

/// All weights of the pattern evaluation, for the full and for the light feature set.
#[derive(Clone, PartialEq, Eq)]
pub struct PatternWeights {
    pub(super) full: Weights<Full>,
    pub(super) light: Arc<Weights<Light>>,
    pub(super) fingerprint: u64,
}

impl fmt::Debug for PatternWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PatternWeights({:016x})", self.fingerprint)
    }
}

impl PatternWeights {
    /// A hash of the weights.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }
}

/// The weights of a feature set, which form an evaluation.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Weights<F> {
    /// A table for each stage with weights: by pattern and index, then the extras.
    pub tables: Vec<Box<[i16]>>,
    features: PhantomData<F>,
}

impl<F: Features> Weights<F> {
    /// Expands weights given by stage and reduced index to full tables.
    pub(super) fn expand(index: &ReducedIndex<F>, reduced: &[i16]) -> Weights<F> {
        Weights {
            tables: reduced
                .chunks_exact(index.count())
                .map(|reduced| index.expand(reduced))
                .collect(),
            features: PhantomData,
        }
    }

    /// The value of `board`, computed from scratch.
    pub(crate) fn evaluate(&self, board: &Board) -> Value {
        self.value(board, board.legal_moves(), &self.state(board))
    }
}

impl<F: Features> Incremental for Weights<F> {
    type State = F::State;

    #[inline]
    fn state(&self, board: &Board) -> F::State {
        F::State::of(F::DISCS, board)
    }

    #[inline]
    fn after(&self, state: &F::State, parent: &Board, child: &Board) -> F::State {
        state.after(F::DISCS, parent, child)
    }

    #[inline]
    fn passed(&self, state: &F::State) -> F::State {
        state.passed()
    }

    #[inline]
    fn value(&self, board: &Board, moves: Bitboard, state: &F::State) -> Value {
        debug_assert_eq!(
            *state,
            self.state(board),
            "the state belongs to another board"
        );
        // A slice of constant length, so that the compiler removes the bounds checks.
        let table = &self.tables[F::table(board)][..F::ROOM + F::EXTRAS];
        let extras = &F::extras(board, moves)[..F::OWN_EXTRAS];
        let sum = sum_of_patterns::<F>(table, state.lanes())
            + extras
                .iter()
                .map(|extra| i32::from(table[F::ROOM + extra]))
                .sum::<i32>();
        Value::from_units((sum + (1 << F::SHIFT >> 1)) >> F::SHIFT).clamped()
    }
}

/// The sum of the weights of all instances of all patterns.
#[inline]
fn sum_of_patterns<F: Features>(table: &[i16], lanes: &[i16]) -> i32 {
    const { assert!(MAX_PATTERNS == 14, "one term for each pattern") };
    sum_of::<F, 0>(table, lanes)
        + sum_of::<F, 1>(table, lanes)
        + sum_of::<F, 2>(table, lanes)
        + sum_of::<F, 3>(table, lanes)
        + sum_of::<F, 4>(table, lanes)
        + sum_of::<F, 5>(table, lanes)
        + sum_of::<F, 6>(table, lanes)
        + sum_of::<F, 7>(table, lanes)
        + sum_of::<F, 8>(table, lanes)
        + sum_of::<F, 9>(table, lanes)
        + sum_of::<F, 10>(table, lanes)
        + sum_of::<F, 11>(table, lanes)
        + sum_of::<F, 12>(table, lanes)
        + sum_of::<F, 13>(table, lanes)
}

/// The sum of the weights of all instances of pattern `P`.
/// `P` is constant, so that the loop is unrolled and has no bounds checks.
#[inline]
fn sum_of<F: Features, const P: usize>(table: &[i16], lanes: &[i16]) -> i32 {
    let pattern = const { F::PATTERNS[P] };
    let mut sum = 0;
    for lane in pattern.first..pattern.first + pattern.instances {
        sum += i32::from(table[pattern.start + pattern.slot(lanes[lane])]);
    }
    sum
}
