//! What a search evaluates, for whoever wants to learn from it. Stands on `eval`.

use crate::board::{Bitboard, Board};
use crate::eval::{Incremental, LightPattern, Value};

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

    fn light(&self) -> Option<&LightPattern> {
        self.evaluator.light()
    }
}
