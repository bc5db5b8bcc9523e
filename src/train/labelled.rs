//! [`SearchValue`] and [`LabelledPosition`]: values and positions as they are stored in training
//! data.

use emilia_core::board::{Bitboard, Board, Color};
use emilia_core::eval::Value;
use emilia_core::search::Line;

/// Value returned by a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchValue {
    /// Value for the side to move.
    pub value: Value,
    /// Whether the search solved the position.
    pub is_exact: bool,
}

impl SearchValue {
    /// Takes the value of a search result.
    pub fn of(line: &Line) -> SearchValue {
        SearchValue {
            value: line.value,
            is_exact: line.depth.is_solved(),
        }
    }

    /// Changes the point of view from Black to `color`, or from `color` to Black: negates the value
    /// if `color` is White.
    #[must_use]
    pub(super) fn seen_by(self, color: Color) -> SearchValue {
        let value = match color {
            Color::Black => self.value,
            Color::White => -self.value,
        };
        SearchValue { value, ..self }
    }

    /// Encodes the value as twice its number of 1/32 discs, plus 1 if it is exact.
    pub(super) fn to_i16(self) -> i16 {
        // The result is at most 2 · 64 · 32 + 1 = 4097, so it fits in 16 bits.
        2 * self.value.clamped().units() as i16 + i16::from(self.is_exact)
    }

    /// Decodes a number from [`to_i16`](Self::to_i16).
    pub(super) fn from_i16(stored: i16) -> SearchValue {
        SearchValue {
            value: Value::from_units(i32::from(stored >> 1)),
            is_exact: stored & 1 == 1,
        }
    }
}

/// Ways to sample labelled positions below a root. A root is a position of a self-play game (see
/// `roots`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RootSampling {
    /// Samples leaves of a search of the root.
    Leaf,
    /// Samples positions of a branch, also called a noisy continuation: from the root, the game is
    /// played on with many random moves.
    Branch,
}

impl RootSampling {
    /// Decodes a byte of a record. Returns `None` if it is invalid.
    pub(super) fn from_byte(byte: u8) -> Option<RootSampling> {
        let all = [RootSampling::Leaf, RootSampling::Branch];
        all.get(usize::from(byte)).copied()
    }
}

/// Position with a label: the value that a search returned for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabelledPosition {
    /// Position with at least one legal move.
    pub board: Board,
    /// Label for the side to move.
    pub label: SearchValue,
    /// Way in which the position was sampled.
    pub sampling: RootSampling,
}

impl LabelledPosition {
    const BYTES: usize = 19;

    /// Encodes the discs of the side to move, the discs of both sides, the label and the sampling.
    ///
    /// The discs of both sides compress better than the opponent's discs would, because positions
    /// below one root share most occupied squares.
    pub(super) fn to_bytes(self) -> [u8; LabelledPosition::BYTES] {
        let Board { player, opponent } = self.board;
        let mut bytes = [0; LabelledPosition::BYTES];
        bytes[..8].copy_from_slice(&player.0.to_le_bytes());
        bytes[8..16].copy_from_slice(&(player | opponent).0.to_le_bytes());
        bytes[16..18].copy_from_slice(&self.label.to_i16().to_le_bytes());
        bytes[18] = self.sampling as u8;
        bytes
    }

    /// Decodes a record. Returns `None` if it is invalid.
    pub fn from_bytes(bytes: [u8; LabelledPosition::BYTES]) -> Option<LabelledPosition> {
        let discs = |first: usize| {
            Bitboard(u64::from_le_bytes(std::array::from_fn(|at| {
                bytes[first + at]
            })))
        };
        let (player, all) = (discs(0), discs(8));
        let board = Board {
            player,
            opponent: all & !player,
        };
        let label = SearchValue::from_i16(i16::from_le_bytes([bytes[16], bytes[17]]));
        let sampling = RootSampling::from_byte(bytes[18])?;
        let is_score = Value::from_score(label.value.round_to_score()) == label.value;
        let is_valid = (player & !all).is_empty()
            && (is_score || !label.is_exact)
            && label.value.clamped() == label.value
            && board.empty_count() as usize <= MAX_EMPTIES;
        is_valid.then_some(LabelledPosition {
            board,
            label,
            sampling,
        })
    }
}

/// Maximum number of empties in a labelled position.
pub(super) const MAX_EMPTIES: usize = 60;
