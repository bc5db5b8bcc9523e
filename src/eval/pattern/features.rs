//! The sets of patterns that an evaluation reads, and what follows from them.

use std::fmt::Debug;

use super::shapes::{self, MOST_PATTERNS, Pattern, patterns};
use super::state::{PatternIndices, State, discs};
use crate::board::{Bitboard, Board};
use crate::eval::Value;

/// The game has this many stages of two discs each, with weights of their own.
pub const STAGES: usize = 30;

/// The stage of a position with so many empty squares.
#[inline]
pub const fn stage(empties: u32) -> usize {
    let stage = 60_usize.saturating_sub(empties as usize) / 2;
    if stage < STAGES { stage } else { STAGES - 1 }
}

/// More moves than this hardly ever are to choose from, and count as this many.
const MOST_MOVES: usize = 31;

/// What an evaluation reads: patterns, whether the number of empty squares is even or odd, and the number of moves that
/// the mover has and that the opponent would have.
pub(crate) trait Features: Copy + Debug + Eq + Send + Sync + 'static {
    /// The patterns, one instance of each.
    const SHAPES: &'static [Bitboard];

    /// Whether the opponent's moves are counted too; they have to be found first.
    const OPPONENT_MOVES: bool;

    /// Weights are in units of 1 / (32 · 2^`SHIFT`) disc.
    const SHIFT: u32;

    /// The first stage with weights. What comes before is judged by these, too.
    const FIRST_STAGE: usize;

    /// The pattern indices of a board.
    type State: PatternIndices + Send + Sync;

    /// What a disc of the mover on each square adds to the pattern indices.
    const DISCS: &'static [Self::State; 64];

    /// The patterns with all that follows from their shapes.
    const PATTERNS: [Pattern; MOST_PATTERNS] = patterns(Self::SHAPES);

    /// Instances of all patterns.
    const INSTANCES: usize = {
        let last = Self::PATTERNS[MOST_PATTERNS - 1];
        last.first + last.instances
    };

    /// Weights of all patterns, the gaps included.
    const ROOM: usize = {
        let last = Self::PATTERNS[MOST_PATTERNS - 1];
        last.start + last.room
    };

    /// Units of a weight in one disc.
    const PER_DISC: i32 = Value::PER_DISC << Self::SHIFT;

    /// How many stages have weights.
    const STAGES: usize = STAGES - Self::FIRST_STAGE;

    /// Weights besides those of patterns.
    const EXTRAS: usize = 2 + (MOST_MOVES + 1) * (Self::OPPONENT_MOVES as usize + 1);

    /// How many of these extras a position has.
    const OWN_EXTRAS: usize = 2 + Self::OPPONENT_MOVES as usize;

    /// The tables of weights before this one are of earlier stages.
    #[inline]
    fn table(board: &Board) -> usize {
        stage(board.empty_count()).saturating_sub(Self::FIRST_STAGE)
    }

    /// Which of the extras a board with these legal moves has: the first [`OWN_EXTRAS`](Self::OWN_EXTRAS) of these.
    #[inline]
    fn extras(board: &Board, moves: Bitboard) -> [usize; 3] {
        let count = |moves: Bitboard| (moves.count() as usize).min(MOST_MOVES);
        let opponent = if Self::OPPONENT_MOVES {
            2 + MOST_MOVES + 1 + count(board.pass().legal_moves())
        } else {
            0
        };
        [board.empty_count() as usize % 2, 2 + count(moves), opponent]
    }
}

/// Everything that pays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl Features for Full {
    const SHAPES: &'static [Bitboard] = &[
        shapes::CORNER,
        shapes::ELBOW,
        shapes::TRIANGLE,
        shapes::BLOCK,
        shapes::EDGE,
        shapes::BAY,
        shapes::LINE_2,
        shapes::LINE_3,
        shapes::LINE_4,
        shapes::DIAGONAL_8,
        shapes::DIAGONAL_7,
        shapes::DIAGONAL_6,
        shapes::DIAGONAL_5,
        shapes::DIAGONAL_4,
    ];
    const OPPONENT_MOVES: bool = true;
    const SHIFT: u32 = 2;
    const FIRST_STAGE: usize = 0;
    type State = State<4>;
    const DISCS: &'static [State<4>; 64] = {
        static DISCS: [State<4>; 64] = discs(&Full::PATTERNS);
        &DISCS
    };
}

/// What fits one register, for the order of moves where the end is near.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Light;

impl Features for Light {
    const SHAPES: &'static [Bitboard] = &[shapes::CORNER, shapes::EDGE, shapes::BLOCK];
    const OPPONENT_MOVES: bool = false;
    const SHIFT: u32 = 0;
    const FIRST_STAGE: usize = stage(30);
    type State = State<1>;
    const DISCS: &'static [State<1>; 64] = {
        static DISCS: [State<1>; 64] = discs(&Light::PATTERNS);
        &DISCS
    };
}
