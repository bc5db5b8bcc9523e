//! `Board`: the discs as the side to move sees them, and what a move does to them.

use super::{Bitboard, Move, Score, Square, flips, legal_moves, stability};
use crate::bitboard;

/// The discs of both sides, seen from the side to move; 16 bytes.
///
/// It does not know colours: [`Position`](super::Position) does. Moves are not checked here; playing an illegal
/// square gives a board that cannot occur.
///
/// ```
/// use emilia::board::{Board, Square};
/// let board = Board::START;
/// assert_eq!(board.legal_moves().count(), 4);
/// let next = board.play(Square::F5);
/// assert_eq!((next.opponent.count(), next.player.count()), (4, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    /// Discs of the side to move.
    pub player: Bitboard,
    /// Discs of the other side.
    pub opponent: Bitboard,
}

impl Board {
    /// The start of the game, Black to move.
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

    /// How many squares are empty, 0..=64.
    #[inline]
    pub const fn empty_count(&self) -> u32 {
        self.empties().count()
    }

    /// The squares where the side to move may play. Empty: it must pass, or the game is over.
    #[inline]
    pub fn legal_moves(&self) -> Bitboard {
        legal_moves::legal_moves(self.player, self.opponent)
    }

    /// Whether the side to move has a legal square.
    #[inline]
    pub fn can_move(&self) -> bool {
        !self.legal_moves().is_empty()
    }

    /// The opponent's discs that a disc on the empty square `square` turns over; none means it is no legal move.
    #[inline]
    pub fn flips(&self, square: Square) -> Bitboard {
        flips::flips(square, self.player, self.opponent)
    }

    /// The board after the side to move plays the legal square `square`, seen by the other side.
    #[inline]
    #[must_use]
    pub fn play(&self, square: Square) -> Board {
        self.play_flips(square, self.flips(square))
    }

    /// [`play`](Self::play) for callers that know the flips already.
    #[inline]
    #[must_use]
    pub const fn play_flips(&self, square: Square, flips: Bitboard) -> Board {
        Board {
            player: Bitboard(self.opponent.0 ^ flips.0),
            opponent: Bitboard(self.player.0 ^ flips.0 | 1 << square.index()),
        }
    }

    /// The board after a legal move: [`play`](Self::play) for a square, [`pass`](Self::pass) for a pass.
    #[inline]
    #[must_use]
    pub fn make(&self, mv: Move) -> Board {
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

    /// The discs of the side to move that no further play can turn over: all of these are stable, and not always are
    /// these all that are stable. For the other side, ask [`pass`](Self::pass).
    ///
    /// With `n` stable discs of the opponent the score is at most `64 - 2 * n`.
    ///
    /// ```
    /// use emilia::board::Board;
    /// assert!(Board::START.stable_discs().is_empty());
    /// ```
    #[inline]
    pub fn stable_discs(&self) -> Bitboard {
        self.discs_held_by(self.stable_edge_discs())
    }

    /// Those of the [`stable_discs`](Self::stable_discs) that lie on the edges.
    #[inline]
    pub(crate) fn stable_edge_discs(&self) -> Bitboard {
        stability::stable_on_edges(self.player, self.opponent)
    }

    /// `stable` discs of the side to move and the others that they hold: all [`stable_discs`](Self::stable_discs), given
    /// those on the edges.
    #[inline]
    pub(crate) fn discs_held_by(&self, stable: Bitboard) -> Bitboard {
        stability::grow(
            self.player,
            Bitboard(self.player.0 | self.opponent.0),
            stable,
        )
    }

    /// Whether neither side can move.
    pub fn is_over(&self) -> bool {
        !self.can_move() && !self.pass().can_move()
    }

    /// The score if the game ended here: disc difference for the side to move, empty squares to the winner.
    #[inline]
    pub const fn final_score(&self) -> Score {
        let player = self.player.count() as Score;
        let opponent = self.opponent.count() as Score;
        let empties = 64 - player - opponent;
        let difference = player - opponent;
        difference + empties * difference.signum()
    }
}
