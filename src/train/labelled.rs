//! Labelled positions, as they are stored for training.

use super::search_value::SearchValue;
use emilia_core::board::{Bitboard, Board};
use emilia_core::eval::Value;

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
        [RootSampling::Leaf, RootSampling::Branch]
            .into_iter()
            .find(|&sampling| sampling as u8 == byte)
    }
}

/// A position and its search value, the label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabelledPosition {
    /// The position. Its side to move has a legal move.
    pub board: Board,
    /// Value for the side to move: the exact final score, or an estimate if not exact.
    pub label: SearchValue,
    /// How the position was sampled.
    pub sampling: RootSampling,
}

impl LabelledPosition {
    const BYTES: usize = 19;

    /// Encodes the player's discs, all discs, the label, and the sampling.
    ///
    /// All discs compress better than the opponent's: positions of one root share most of them.
    pub(super) fn to_bytes(self) -> [u8; LabelledPosition::BYTES] {
        let Board { player, opponent } = self.board;
        let mut bytes = [0; LabelledPosition::BYTES];
        bytes[..8].copy_from_slice(&player.0.to_le_bytes());
        bytes[8..16].copy_from_slice(&(player | opponent).0.to_le_bytes());
        bytes[16..18].copy_from_slice(&self.label.to_i16().to_le_bytes());
        bytes[18] = self.sampling as u8;
        bytes
    }

    /// Decodes a record. Returns `None` if it is not a valid position.
    pub fn from_bytes(bytes: [u8; LabelledPosition::BYTES]) -> Option<LabelledPosition> {
        let [player, all] = [0, 8].map(|at| discs(&bytes, at));
        let label = SearchValue::from_i16(i16::from_le_bytes([bytes[16], bytes[17]]));
        let position = LabelledPosition {
            board: Board {
                player,
                opponent: all & !player,
            },
            label,
            sampling: RootSampling::from_byte(bytes[18])?,
        };
        let is_score = Value::from_score(label.value.round_to_score()) == label.value;
        let is_valid = (player & !all).is_empty() && (is_score || !label.is_exact);
        (is_valid && position.is_possible()).then_some(position)
    }

    /// Returns whether the number of empties and the label are within their ranges.
    fn is_possible(&self) -> bool {
        let value = self.label.value;
        self.board.empty_count() as usize <= MAX_EMPTIES && value.clamped() == value
    }
}

/// Maximum number of empties of a labelled position.
pub(super) const MAX_EMPTIES: usize = 60;

/// Reads a bitboard from the eight bytes of `record` at offset `at`.
fn discs(record: &[u8], at: usize) -> Bitboard {
    Bitboard(u64::from_le_bytes(std::array::from_fn(|byte| {
        record[at + byte]
    })))
}
