//! Search values and labelled positions, as they are stored for training.

use emilia_core::board::{Bitboard, Board, Color};
use emilia_core::eval::Value;
use emilia_core::search::Line;

/// The value that a search returned, and whether it is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchValue {
    /// Expected final score for the side to move.
    pub value: Value,
    /// Whether the search solved the position, so that the value is exact.
    pub is_exact: bool,
}

impl SearchValue {
    /// Extracts the result from the final line of a search.
    pub fn of(line: &Line) -> SearchValue {
        SearchValue {
            value: line.value,
            is_exact: line.depth.is_solved(),
        }
    }

    /// Converts a value for Black to the value for `color`, or the other way round.
    #[must_use]
    pub(super) fn seen_by(self, color: Color) -> SearchValue {
        let value = match color {
            Color::Black => self.value,
            Color::White => -self.value,
        };
        SearchValue { value, ..self }
    }

    /// Encodes twice the value in units of 1/32 disc, plus 1 if it is exact.
    pub(super) fn to_i16(self) -> i16 {
        // At most 2 * 64 * 32 + 1 = 4097, so it fits.
        2 * self.value.clamped().units() as i16 + i16::from(self.is_exact)
    }

    /// Decodes the number that [`to_i16`](Self::to_i16) returns.
    pub(super) fn from_i16(stored: i16) -> SearchValue {
        SearchValue {
            value: Value::from_units(i32::from(stored >> 1)),
            is_exact: stored & 1 == 1,
        }
    }
}

/// How labelled positions are sampled from a root, which is a position of a self-play game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RootSampling {
    /// Sampled from the leaves of a search of the root.
    Leaf,
    /// Sampled from a noisy continuation of the game that starts at the root.
    Branch,
}

impl RootSampling {
    /// Decodes the byte of a record. Returns `None` if it is invalid.
    pub(super) fn from_byte(byte: u8) -> Option<RootSampling> {
        let all = [RootSampling::Leaf, RootSampling::Branch];
        all.get(usize::from(byte)).copied()
    }
}

/// A position and its search value, the label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabelledPosition {
    /// The position. Its side to move has a legal move.
    pub board: Board,
    /// Value for the side to move: the exact final score, or an estimate if not exact.
    pub label: SearchValue,
    /// Kind of sampling that found the position.
    pub sampling: RootSampling,
}

impl LabelledPosition {
    const BYTES: usize = 19;

    /// Encodes the player's discs, all discs, the label, and the sampling.
    ///
    /// The discs of both sides are stored instead of the opponent's discs, because they compress
    /// better: positions of one root share most of their occupied squares.
    pub(super) fn to_bytes(self) -> [u8; LabelledPosition::BYTES] {
        let Board { player, opponent } = self.board;
        let mut bytes = [0; LabelledPosition::BYTES];
        bytes[..8].copy_from_slice(&player.0.to_le_bytes());
        bytes[8..16].copy_from_slice(&(player | opponent).0.to_le_bytes());
        bytes[16..18].copy_from_slice(&self.label.to_i16().to_le_bytes());
        bytes[18] = self.sampling as u8;
        bytes
    }

    /// Decodes a record. Returns `None` if the record is not valid.
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

/// Maximum number of empties of a labelled position.
pub(super) const MAX_EMPTIES: usize = 60;
