//! What a search evaluates, for whoever wants to learn from it.

use crate::board::{Bitboard, Board};
use crate::eval::{ErrorModel, Incremental, SearchEvaluator, Value};

/// An evaluation that tells of each position whose value it is asked for.
pub(super) struct Heard<'a, E> {
    pub(super) evaluator: &'a E,
    pub(super) hear: &'a (dyn Fn(&Board) + Sync),
}

impl<E: Incremental> Incremental for Heard<'_, E> {
    type State = E::State;

    fn state(&self, board: &Board) -> E::State {
        self.evaluator.state(board)
    }

    fn after(&self, state: &E::State, parent: &Board, child: &Board) -> E::State {
        self.evaluator.after(state, parent, child)
    }

    fn passed(&self, state: &E::State) -> E::State {
        self.evaluator.passed(state)
    }

    fn value(&self, board: &Board, moves: Bitboard, state: &E::State) -> Value {
        (self.hear)(board);
        self.evaluator.value(board, moves, state)
    }
}

impl<E: SearchEvaluator> SearchEvaluator for Heard<'_, E> {
    fn ordering(&self) -> Option<impl Incremental> {
        self.evaluator.ordering()
    }

    fn error_model(&self) -> &ErrorModel {
        self.evaluator.error_model()
    }
}
