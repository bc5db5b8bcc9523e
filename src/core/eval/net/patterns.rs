//! The patterns of the network.

use super::super::patterns::ReducedIndex;
use super::super::patterns::shapes::{self, PatternShape, instances_of, patterns, room_of};
use super::super::patterns::state::{State, discs};
use crate::board::{Bitboard, Board};

/// The patterns, each given by the squares of one of its instances.
pub(super) const SHAPES: [Bitboard; 14] = [
    shapes::CORNER,
    shapes::ELBOW,
    shapes::TRIANGLE,
    shapes::BLOCK,
    shapes::EDGE,
    shapes::BAY,
    shapes::row(2),
    shapes::row(3),
    shapes::row(4),
    shapes::diagonal(8),
    shapes::diagonal(7),
    shapes::diagonal(6),
    shapes::diagonal(5),
    shapes::diagonal(4),
];

/// The patterns with the values derived from their shapes.
pub(super) static PATTERNS: [PatternShape; SHAPES.len()] = patterns(SHAPES);

/// Number of instances of all patterns.
pub const INSTANCES: usize = instances_of(&patterns(SHAPES));

/// Number of slots for pattern rows in a phase. Each configuration has a slot. The number of slots
/// of a pattern is a power of two, so some slots belong to no configuration.
pub(super) const ROWS: usize = room_of(&patterns(SHAPES));

/// Pattern indices of a board, in four registers of 16 lanes.
pub(crate) type Indices = State<4>;

/// For each square, the change of the pattern indices when a disc of the mover is put on it.
pub(super) static DISCS: [Indices; 64] = discs(&patterns(SHAPES));

/// Returns the map from pattern indices to reduced indices, for the patterns of the network.
pub fn reduced_index() -> ReducedIndex {
    ReducedIndex::new(&PATTERNS)
}

/// Returns the reduced index of the configuration of each pattern instance on `board`.
/// `index` is the result of [`reduced_index`].
pub fn configurations(index: &ReducedIndex, board: &Board) -> [u32; INSTANCES] {
    let state = State::of(&DISCS, board);
    let mut configurations = [0; INSTANCES];
    for (configuration, reduced) in configurations.iter_mut().zip(index.of_lanes(state.lanes())) {
        *configuration = reduced;
    }
    configurations
}
