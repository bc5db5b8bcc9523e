//! `Position`: a board with the colour of the side to move, and checked moves.

use std::fmt;

use super::{Bitboard, Board, Color, Move, Score, Sentence, Square};

/// A board and the colour of the side to move.
///
/// ```
/// use emilia_core::board::{Color, Move, Position, Square};
/// let next = Position::START.play(Square::F5).unwrap();
/// assert_eq!(next.turn(), Color::White);
/// assert_eq!(next.discs(Color::Black).count(), 4);
/// assert_eq!(next.legal_moves().count(), 3);
/// assert_eq!(next.final_score(), -62);
/// assert!(Position::START.play(Move::Pass).is_err());
/// println!("{next:#}");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// The discs, seen from the side to move.
    pub board: Board,
    /// The side to move.
    pub mover: Color,
}

/// The start of the game.
impl Default for Position {
    fn default() -> Position {
        Position::START
    }
}

impl AsRef<Board> for Position {
    fn as_ref(&self) -> &Board {
        &self.board
    }
}

impl Position {
    /// The start of the game, Black to move.
    pub const START: Position = Position {
        board: Board::START,
        mover: Color::Black,
    };

    /// Makes the position with these discs and this side to move.
    pub const fn new(black: Bitboard, white: Bitboard, mover: Color) -> Position {
        let board = match mover {
            Color::Black => Board {
                player: black,
                opponent: white,
            },
            Color::White => Board {
                player: white,
                opponent: black,
            },
        };
        Position { board, mover }
    }

    /// The side to move.
    pub const fn turn(&self) -> Color {
        self.mover
    }

    /// The discs of `color`.
    pub fn discs(&self, color: Color) -> Bitboard {
        if color == self.mover {
            self.board.player
        } else {
            self.board.opponent
        }
    }

    /// The colour of the disc on `square`, or `None` if the square is empty.
    pub fn disc_on(&self, square: Square) -> Option<Color> {
        if self.board.player.contains(square) {
            Some(self.mover)
        } else if self.board.opponent.contains(square) {
            Some(!self.mover)
        } else {
            None
        }
    }

    /// The legal squares of the side to move. The set is empty if that side must pass or the game
    /// is over.
    pub fn legal_moves(&self) -> Bitboard {
        self.board.legal_moves()
    }

    /// The legal moves in a1..h8 order.
    /// The list is a single pass if the side to move must pass, and empty if the game is over.
    pub fn moves(&self) -> Vec<Move> {
        let squares = self.board.legal_moves();
        if squares.is_empty() && self.board.pass().can_move() {
            vec![Move::Pass]
        } else {
            squares.squares().map(Move::Place).collect()
        }
    }

    /// Returns whether the side to move has no legal square but the other side has one.
    pub fn must_pass(&self) -> bool {
        !self.board.can_move() && self.board.pass().can_move()
    }

    /// Returns whether neither side can move.
    pub fn is_over(&self) -> bool {
        self.board.is_over()
    }

    /// Plays `mv` and returns the position after it, or an error if the move is illegal.
    pub fn play(&self, mv: impl Into<Move>) -> Result<Position, IllegalMove> {
        let mv = mv.into();
        let is_legal = match mv {
            Move::Place(square) => self.board.legal_moves().contains(square),
            Move::Pass => self.must_pass(),
        };
        if is_legal {
            Ok(Position {
                board: self.board.play_or_pass(mv),
                mover: !self.mover,
            })
        } else {
            Err(IllegalMove {
                mv,
                mover: self.mover,
                legal: Some(self.board.legal_moves()),
            })
        }
    }

    /// The final score for the side to move if the game ended here. See [`Board::final_score`].
    pub const fn final_score(&self) -> Score {
        self.board.final_score()
    }

    /// The final score for `color` if the game ended here. See [`Board::final_score`].
    pub fn final_score_for(&self, color: Color) -> Score {
        let score = self.board.final_score();
        if color == self.mover { score } else { -score }
    }

    /// The same discs with `mover` to move.
    #[must_use]
    pub fn with_mover(&self, mover: Color) -> Position {
        if mover == self.mover {
            *self
        } else {
            Position {
                board: self.board.pass(),
                mover,
            }
        }
    }
}

/// Error: the move is illegal in the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// The rejected move.
    pub mv: Move,
    /// The side that tried to play the move.
    pub mover: Color,
    /// The legal squares, or `None` if it was not the turn of `mover`.
    pub legal: Option<Bitboard>,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "illegal move: {} for {}", self.mv, self.mover)?;
        let Some(legal) = self.legal else {
            return write!(f, " (it is the turn of {})", !self.mover);
        };
        if legal.is_empty() {
            return f.write_str(" (no square is legal)");
        }
        f.write_str(" (legal:")?;
        legal
            .squares()
            .try_for_each(|square| write!(f, " {square}"))?;
        f.write_str(")")
    }
}

impl std::error::Error for IllegalMove {}

impl From<IllegalMove> for Sentence {
    fn from(illegal: IllegalMove) -> Sentence {
        let code = match illegal.legal {
            None => "not-turn",
            Some(legal) if legal.is_empty() => "no-move",
            Some(_) => "illegal",
        };
        let legal = illegal.legal.unwrap_or_default().squares();
        let legal: Vec<String> = legal.map(|square| square.to_string()).collect();
        let sentence = Sentence::new(code, illegal.to_string());
        let sentence = sentence
            .with("move", illegal.mv)
            .with("side", illegal.mover);
        sentence.with("legal", legal.join(" "))
    }
}
