//! Othello as a [`Game`] for the textbook algorithms.

use super::game::cells;
use super::{Game, Side};
use emilia_core::board::{Board, Move};
use emilia_core::eval::{Evaluator, Value, static_square_weight};

/// An Othello position. Max is the side to move at the root.
/// A pass is a move that costs no height. The game is over if neither side can move.
#[derive(Clone, Copy, Debug)]
pub struct Othello<'e> {
    board: Board,
    side: Side,
    evaluator: &'e dyn Evaluator,
}

impl<'e> Othello<'e> {
    /// Makes the position `board` with Max to move.
    pub const fn new(board: Board, evaluator: &'e dyn Evaluator) -> Othello<'e> {
        Othello {
            board,
            side: Side::Max,
            evaluator,
        }
    }
}

impl Game for Othello<'_> {
    type Value = Value;
    type Move = Move;
    /// The board from the view of the side to move, without the colours. Two positions that differ
    /// only in the colours have equal values for the side to move, and share an entry of the
    /// transposition table.
    type Key = Board;

    fn to_move(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Value> {
        let score = || Value::from_score(self.board.final_score());
        self.board.is_over().then(|| self.side.from_max(score()))
    }

    /// The evaluation for Max.
    /// If the side to move must pass, the board after the pass is evaluated.
    fn estimate(&self) -> Value {
        let value = if self.board.can_move() {
            self.evaluator.evaluate(&self.board)
        } else {
            -self.evaluator.evaluate(&self.board.pass())
        };
        self.side.from_max(value)
    }

    fn moves(&self) -> Vec<Move> {
        let squares = self.board.legal_moves();
        if squares.is_empty() {
            vec![Move::Pass]
        } else {
            squares.squares().map(Move::Place).collect()
        }
    }

    fn play(&self, mv: Move) -> Self {
        Othello {
            board: self.board.play_or_pass(mv),
            side: self.side.other(),
            ..*self
        }
    }

    fn key(&self) -> Board {
        self.board
    }

    fn name(&self, mv: Move) -> String {
        mv.to_string()
    }

    fn cells(&self) -> String {
        let [max, min] = match self.side {
            Side::Max => [self.board.player, self.board.opponent],
            Side::Min => [self.board.opponent, self.board.player],
        };
        cells(64, max.0, min.0)
    }

    fn cost(mv: Move) -> u32 {
        u32::from(mv != Move::Pass)
    }

    fn static_weight(&self, mv: Move) -> i32 {
        mv.square()
            .map_or(0, |square| static_square_weight(square).into())
    }

    fn replies(&self, mv: Move) -> u32 {
        self.play(mv).board.legal_moves().count()
    }
}
