//! Feature sets of the pattern evaluation: their patterns, extra features and derived constants.

use std::fmt::Debug;

use super::shapes::{self, MAX_PATTERNS, PatternShape, patterns};
use super::state::{PatternIndices, State, discs};
use crate::board::{Bitboard, Board};
use crate::eval::Value;

/// Number of game stages, of two discs each. Each stage has its own weights.
pub const GAME_STAGES: usize = 30;

/// The stage of a position with `empties` empty squares, less than [`GAME_STAGES`].
#[inline]
pub const fn stage(empties: u32) -> usize {
    let stage = 60_usize.saturating_sub(empties as usize) / 2;
    if stage < GAME_STAGES {
        stage
    } else {
        GAME_STAGES - 1
    }
}

/// Largest move count with its own weight or row. Greater counts share it.
pub(crate) const MAX_MOBILITY: usize = 31;

/// A feature set: patterns, the parity of the empty squares, and the number of legal moves.
/// The set may include the number of moves that the opponent would have.
pub trait Features: Copy + Debug + Eq + Send + Sync + 'static {
    /// The patterns, each as one of its instances.
    const SHAPES: &'static [Bitboard];

    /// Whether the number of the opponent's moves is a feature, which must be computed first.
    const OPPONENT_MOVES: bool;

    /// Binary scale of the weights, which are in units of 1 / (32 · 2^`SHIFT`) disc.
    const SHIFT: u32;

    /// The first stage with weights. Earlier stages use the same weights.
    const FIRST_STAGE: usize;

    /// The type that holds the pattern indices of a board.
    type State: PatternIndices + Send + Sync;

    /// For each square, the change of the pattern indices by a disc of the mover there.
    const DISCS: &'static [Self::State; 64];

    /// The patterns with the values derived from their shapes.
    const PATTERNS: [PatternShape; MAX_PATTERNS] = patterns(Self::SHAPES);

    /// Number of instances of all patterns.
    const INSTANCES: usize = {
        let last = Self::PATTERNS[MAX_PATTERNS - 1];
        last.first + last.instances
    };

    /// Number of weights of all patterns in one table, including gaps.
    const ROOM: usize = {
        let last = Self::PATTERNS[MAX_PATTERNS - 1];
        last.start + last.room
    };

    /// Weight units per disc.
    const WEIGHT_UNITS_PER_DISC: i32 = Value::PER_DISC << Self::SHIFT;

    /// Number of stages that have weights.
    const STAGES: usize = GAME_STAGES - Self::FIRST_STAGE;

    /// Number of extra weights (parity and move counts), besides the pattern weights.
    const EXTRAS: usize = 2 + (MAX_MOBILITY + 1) * (Self::OPPONENT_MOVES as usize + 1);

    /// Number of extra weights that apply to one position.
    const OWN_EXTRAS: usize = 2 + Self::OPPONENT_MOVES as usize;

    /// The index of the weight table for the stage of `board`.
    #[inline]
    fn table(board: &Board) -> usize {
        stage(board.empty_count()).saturating_sub(Self::FIRST_STAGE)
    }

    /// The indices of the extra weights of a board with these legal moves.
    /// The first [`OWN_EXTRAS`](Self::OWN_EXTRAS) of them are valid.
    #[inline]
    fn extras(board: &Board, moves: Bitboard) -> [usize; 3] {
        let count = |moves: Bitboard| (moves.count() as usize).min(MAX_MOBILITY);
        let opponent = if Self::OPPONENT_MOVES {
            2 + MAX_MOBILITY + 1 + count(board.pass().legal_moves())
        } else {
            0
        };
        [board.empty_count() as usize % 2, 2 + count(moves), opponent]
    }
}

/// The full feature set, used by the pattern evaluation and the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

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

/// The light feature set, for move ordering in the endgame. Its indices fit one AVX2 register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Light;

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
