//! [`Replay`] plays the moves of a game, with forced passes. Unlike [`Game`](super::Game), it
//! stores only the current position.

use std::mem;

use arrayvec::ArrayVec;
use emilia_core::board::{Bitboard, Color, Position, Square};

use super::tokens::{Before, Token};

/// Squares of the moves of a game, without passes.
pub(crate) type Squares = ArrayVec<Square, { Square::COUNT }>;

/// Current position of a game, and its legal moves. A forced pass is played at once, so the side to
/// move has a legal move unless the game is over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Replay {
    pub position: Position,
    legal: Bitboard,
    /// Whether the last move was a forced pass. The record may still write this pass as a move.
    has_passed: bool,
}

impl Replay {
    /// Starts at `start`, or after the pass if its side to move must pass.
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

    /// Consumes the forced pass, for a record that writes it as a move. Returns whether there was
    /// one.
    pub(crate) fn take_pass(&mut self) -> bool {
        mem::take(&mut self.has_passed)
    }

    /// Returns whether the side to move can place a disc on `square`.
    pub(crate) fn is_legal(&self, square: Square) -> bool {
        self.legal.contains(square)
    }

    /// Plays a move, and a forced pass after it. Returns whether the move is legal. An illegal move
    /// changes nothing.
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

/// Checks the move numbers of a game, which number either single moves or pairs of moves.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    /// Move number that the record has before the first move, or `None` before it is read.
    first: Option<i32>,
    /// Number of passes so far, which records may count as moves.
    pub passes: i32,
}

impl Numbers {
    pub(crate) fn new(start: &Position) -> Numbers {
        Numbers {
            first: None,
            // If White moves first, its first move is the second half of turn 1 (`1...`), as if
            // Black had passed.
            passes: i32::from(start.mover == Color::White),
        }
    }

    /// Returns whether the move number of `token` fits the move after `squares`. A token without a
    /// number always fits.
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
