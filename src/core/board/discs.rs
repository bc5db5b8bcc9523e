//! `Board`: the discs seen from the side to move, and the rules that act on them.

use super::{Bitboard, Move, Score, Square, flips, legal_moves, stability};
use crate::bitboard;

/// The discs of both sides, seen from the side to move. A board takes 16 bytes.
///
/// A board has no colours: [`Position`](super::Position) adds them.
/// Moves are not checked. Playing an illegal square gives a board that cannot occur in a game.
///
/// ```
/// use emilia_core::board::{Board, Square};
/// let board = Board::START;
/// assert_eq!(board.legal_moves().count(), 4);
/// let next = board.play(Square::F5);
/// assert_eq!((next.opponent.count(), next.player.count()), (4, 1));
/// assert_eq!(next.to_string().parse(), Ok(next));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    /// Discs of the side to move.
    pub player: Bitboard,
    /// Discs of the side that is not to move.
    pub opponent: Bitboard,
}

/// The start of the game.
impl Default for Board {
    fn default() -> Board {
        Board::START
    }
}

impl AsRef<Board> for Board {
    fn as_ref(&self) -> &Board {
        self
    }
}

impl Board {
    /// The start of the game, seen from Black, who moves first.
    pub const START: Board = Board {
        player: bitboard! {
            . . . . . . . .
            . . . . . . . .
            . . . . . . . .
            . . . . X . . .
            . . . X . . . .
            . . . . . . . .
            . . . . . . . .
            . . . . . . . .
        },
        opponent: bitboard! {
            . . . . . . . .
            . . . . . . . .
            . . . . . . . .
            . . . X . . . .
            . . . . X . . .
            . . . . . . . .
            . . . . . . . .
            . . . . . . . .
        },
    };

    /// The empty squares.
    #[inline]
    pub const fn empties(&self) -> Bitboard {
        Bitboard(!(self.player.0 | self.opponent.0))
    }

    /// Number of empty squares, 0..=64.
    #[inline]
    pub const fn empty_count(&self) -> u32 {
        self.empties().count()
    }

    /// The legal squares of the side to move.
    /// The set is empty if that side must pass or the game is over.
    #[inline]
    pub fn legal_moves(&self) -> Bitboard {
        legal_moves::legal_moves(self.player, self.opponent)
    }

    /// Returns whether the side to move has a legal square.
    #[inline]
    pub fn can_move(&self) -> bool {
        !self.legal_moves().is_empty()
    }

    /// The opponent's discs that a disc on the empty square `square` flips.
    /// The set is empty if the move is illegal.
    #[inline]
    pub fn flips(&self, square: Square) -> Bitboard {
        flips::flips(square, self.player, self.opponent)
    }

    /// Plays the legal square `square` and returns the board seen from the other side.
    #[inline]
    #[must_use]
    pub fn play(&self, square: Square) -> Board {
        self.play_flips(square, self.flips(square))
    }

    /// Plays the legal square `square`, which flips the discs `flips`, and returns the board seen
    /// from the other side. Unlike [`play`](Self::play), does not compute the flips.
    #[inline]
    #[must_use]
    pub const fn play_flips(&self, square: Square, flips: Bitboard) -> Board {
        Board {
            player: Bitboard(self.opponent.0 ^ flips.0),
            opponent: Bitboard(self.player.0 ^ flips.0 | 1 << square.index()),
        }
    }

    /// Plays a legal move: [`play`](Self::play) for a square, [`pass`](Self::pass) for a pass.
    #[inline]
    #[must_use]
    pub fn play_or_pass(&self, mv: Move) -> Board {
        match mv {
            Move::Place(square) => self.play(square),
            Move::Pass => self.pass(),
        }
    }

    /// The same discs with the other side to move.
    #[inline]
    #[must_use]
    pub const fn pass(&self) -> Board {
        Board {
            player: self.opponent,
            opponent: self.player,
        }
    }

    /// Stable discs of the side to move: discs that no further play can flip.
    /// The result is a lower bound: every disc in it is stable, but stable discs may be missing.
    /// For the opponent's stable discs, call this on the board that [`pass`](Self::pass) returns.
    ///
    /// Stable discs bound the score: if the opponent has `n` of them, the score of the side to move
    /// is at most `64 - 2 * n`.
    ///
    /// ```
    /// use emilia_core::board::Board;
    /// assert!(Board::START.stable_discs().is_empty());
    /// ```
    #[inline]
    pub fn stable_discs(&self) -> Bitboard {
        self.extend_stable(self.stable_edge_discs())
    }

    /// The stable discs of the side to move that lie on the four edges.
    #[inline]
    pub(crate) fn stable_edge_discs(&self) -> Bitboard {
        stability::stable_on_edges(self.player, self.opponent)
    }

    /// Adds discs of the side to move to its stable discs `stable`, until every disc whose four
    /// lines are all safe is included. The module `stability` defines a safe line.
    /// If `stable` holds the stable edge discs, the result is [`stable_discs`](Self::stable_discs).
    #[inline]
    pub(crate) fn extend_stable(&self, stable: Bitboard) -> Bitboard {
        stability::grow(
            self.player,
            Bitboard(self.player.0 | self.opponent.0),
            stable,
        )
    }

    /// Returns whether neither side can move.
    pub fn is_over(&self) -> bool {
        !self.can_move() && !self.pass().can_move()
    }

    /// The score if the game ended here: disc difference for the side to move.
    /// Empty squares count for the winner.
    #[inline]
    pub const fn final_score(&self) -> Score {
        let player = self.player.count() as Score;
        let opponent = self.opponent.count() as Score;
        let empties = 64 - player - opponent;
        let difference = player - opponent;
        difference + empties * difference.signum()
    }
}
