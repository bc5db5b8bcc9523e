//! Evaluation wrapper that passes every evaluated position to a callback.
//! Used by [`Engine::search_observed`](super::Engine::search_observed) for training positions.

use crate::board::{Bitboard, Board};
use crate::eval::{ErrorModel, Incremental, SearchEvaluator, Value};

/// Evaluation that calls `observe` for each board before it evaluates it.
pub(super) struct Observed<'a, E> {
    pub(super) evaluator: &'a E,
    pub(super) observe: &'a (dyn Fn(&Board) + Sync),
}

impl<E: Incremental> Incremental for Observed<'_, E> {
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
        (self.observe)(board);
        self.evaluator.value(board, moves, state)
    }
}

impl<E: SearchEvaluator> SearchEvaluator for Observed<'_, E> {
    fn ordering(&self) -> Option<impl Incremental> {
        self.evaluator.ordering()
    }

    fn error_model(&self) -> &ErrorModel {
        self.evaluator.error_model()
    }
}
