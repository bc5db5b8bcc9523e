//! Othello as a [`Game`].

use super::{Game, Side};
use crate::board::{Board, Move, Square};
use crate::eval::{Evaluator, Value};

/// An Othello position; Max is the side that moves at the root. A pass is a move that costs no height, and a position
/// where neither side can move is final.
#[derive(Clone, Copy, Debug)]
pub struct Othello<'e> {
    board: Board,
    side: Side,
    evaluator: &'e dyn Evaluator,
}

impl<'e> Othello<'e> {
    /// The position with Max to move.
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
    /// The board alone: it is seen by the side to move, as the values in a memory are.
    type Key = Board;

    fn to_move(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Value> {
        let score = || Value::from_score(self.board.final_score());
        self.board.is_over().then(|| self.side.sees(score()))
    }

    /// The evaluation; a side that must pass has handed the turn over first, as a pass costs no height.
    fn estimate(&self) -> Value {
        let value = if self.board.can_move() {
            self.evaluator.evaluate(&self.board)
        } else {
            -self.evaluator.evaluate(&self.board.pass())
        };
        self.side.sees(value)
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
        let board = match mv {
            Move::Place(square) => self.board.play(square),
            Move::Pass => self.board.pass(),
        };
        Othello {
            board,
            side: self.side.other(),
            ..*self
        }
    }

    fn key(&self) -> Board {
        self.board
    }

    fn cost(mv: Move) -> u32 {
        u32::from(mv != Move::Pass)
    }

    fn promise(&self, mv: Move) -> i32 {
        mv.square().map_or(0, promise)
    }

    fn replies(&self, mv: Move) -> u32 {
        self.play(mv).board.legal_moves().count()
    }
}

/// What a square is worth to whoever takes it, in steps that have no unit: corners for ever, the squares beside a corner
/// give it away.
fn promise(square: Square) -> i32 {
    #[rustfmt::skip]
    const QUARTER: [[i32; 4]; 4] = [
    //   a  b  c  d
        [9, 2, 8, 6],
        [2, 1, 3, 4],
        [8, 3, 7, 5],
        [6, 4, 5, 0],
    ];
    let fold = |line: u8| usize::from(line.min(7 - line));
    QUARTER[fold(square.rank())][fold(square.file())]
}
