//! [`Replay`]: the moves of a game on a board, with forced passes, without a record of positions.

use std::mem;

use arrayvec::ArrayVec;
use emilia_core::board::{Bitboard, Color, Position, Square};

use super::tokens::{Before, Token};

/// Squares of the moves of a game, without passes.
pub(crate) type Squares = ArrayVec<Square, { Square::COUNT }>;

/// A position of a game, and the legal moves there. A side that must pass has passed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Replay {
    pub position: Position,
    legal: Bitboard,
    /// Whether the last move was a forced pass that the record may still write as a move.
    has_passed: bool,
}

impl Replay {
    /// Starts at `start`, or after a forced pass there.
    pub(crate) fn new(start: Position) -> Replay {
        Replay::at(start, start.board.legal_moves())
    }

    fn at(position: Position, legal: Bitboard) -> Replay {
        if legal.is_empty() {
            let passed = position.with_mover(!position.mover);
            let legal = passed.board.legal_moves();
            if !legal.is_empty() {
                return Replay {
                    position: passed,
                    legal,
                    has_passed: true,
                };
            }
        }
        Replay {
            position,
            legal,
            has_passed: false,
        }
    }

    /// Returns whether the last move was a forced pass that [`take_pass`](Self::take_pass) did not
    /// consume.
    pub(crate) fn has_passed(&self) -> bool {
        self.has_passed
    }

    /// Consumes the forced pass that a record writes as a move. Returns whether there was one.
    pub(crate) fn take_pass(&mut self) -> bool {
        mem::take(&mut self.has_passed)
    }

    /// Returns whether the side to move can place a disc on `square`.
    pub(crate) fn is_legal(&self, square: Square) -> bool {
        self.legal.contains(square)
    }

    /// Plays a move, and the forced pass after it. Returns whether the move is legal.
    pub(crate) fn play(&mut self, square: Square) -> bool {
        let is_legal = self.is_legal(square);
        if is_legal {
            let (board, legal) = self.position.board.advance(square);
            let mover = !self.position.mover;
            *self = Replay::at(Position { board, mover }, legal);
        }
        is_legal
    }
}

/// Move numbers of a game: one for each move, or one for each pair of moves.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    /// Number of the first move.
    first: Option<i32>,
    /// Number of passes so far. Records may count them as moves.
    pub passes: i32,
}

impl Numbers {
    pub(crate) fn new(start: &Position) -> Numbers {
        Numbers {
            first: None,
            // `1...` is White's half of a turn.
            passes: i32::from(start.mover == Color::White),
        }
    }

    /// Returns whether the number before `token` fits the next move after `squares`.
    pub(crate) fn fit(&mut self, token: &Token, squares: &Squares) -> bool {
        let (number, placed) = (i32::from(token.number), squares.len() as i32);
        if number == 0 {
            return true;
        }
        if placed == 0 {
            self.first = self.first.or(Some(number));
        }
        let Some(first) = self.first else {
            return false;
        };
        let ahead = number - first;
        let turns = placed - 1..=placed + self.passes;
        let is_move = (placed..=placed + self.passes).contains(&ahead);
        !token.before.contains(Before::TWO) && (is_move || turns.contains(&(2 * ahead)))
    }
}
