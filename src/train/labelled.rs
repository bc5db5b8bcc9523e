//! Single positions with their labels, as they are stored for training.

use super::search_value::SearchValue;
use crate::board::{Bitboard, Board, Score};
use crate::eval::Value;

/// How labelled positions are sampled from a root, which is a position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RootSampling {
    /// They are leaves of a search of the root.
    Leaf,
    /// They are met in a noisy continuation of the game from the root on.
    Branch,
}

impl RootSampling {
    /// The sampling that is stored as this byte.
    pub(super) fn from_byte(byte: u8) -> Option<RootSampling> {
        [RootSampling::Leaf, RootSampling::Branch]
            .into_iter()
            .find(|&sampling| sampling as u8 == byte)
    }
}

/// A position and what a search found of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabelledPosition {
    /// The position, in which the side to move has a move.
    pub board: Board,
    /// Its value for the side to move: the final score under best play where it is exact, an estimate elsewhere.
    pub label: SearchValue,
    /// How it was sampled.
    pub sampling: RootSampling,
}

impl LabelledPosition {
    const BYTES: usize = 19;

    /// The discs of the side to move, all discs, the label, and the sampling. All discs pack better than those of the other
    /// side: positions of one root have most of them in common.
    pub(super) fn to_bytes(self) -> [u8; LabelledPosition::BYTES] {
        let Board { player, opponent } = self.board;
        let mut bytes = [0; LabelledPosition::BYTES];
        bytes[..8].copy_from_slice(&player.0.to_le_bytes());
        bytes[8..16].copy_from_slice(&(player | opponent).0.to_le_bytes());
        bytes[16..18].copy_from_slice(&self.label.to_i16().to_le_bytes());
        bytes[18] = self.sampling as u8;
        bytes
    }

    /// `None` if the bytes are no valid position.
    pub(super) fn from_bytes(bytes: [u8; LabelledPosition::BYTES]) -> Option<LabelledPosition> {
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

    /// Whether a game can have such a position, and a position such a value.
    fn is_possible(&self) -> bool {
        let value = self.label.value;
        self.board.empty_count() as usize <= MOST_EMPTIES && value.clamped() == value
    }
}

/// Most empty squares of a position with a label.
pub(super) const MOST_EMPTIES: usize = 60;

/// The eight bytes of a record from this one on, as a set of squares.
fn discs(record: &[u8], at: usize) -> Bitboard {
    Bitboard(u64::from_le_bytes(std::array::from_fn(|byte| {
        record[at + byte]
    })))
}

/// A solved position of version 1: the discs of both sides, the score, and the sampling.
#[derive(Clone, Copy, Debug)]
pub(super) struct PositionV1(pub(super) [u8; PositionV1::BYTES]);

impl PositionV1 {
    const BYTES: usize = 18;

    /// `None` if the bytes are no valid position.
    pub(super) fn labelled(self) -> Option<LabelledPosition> {
        let PositionV1(bytes) = self;
        let [player, opponent] = [0, 8].map(|at| discs(&bytes, at));
        let value = Value::from_score(Score::from(bytes[16] as i8));
        let position = LabelledPosition {
            board: Board { player, opponent },
            label: SearchValue {
                value,
                is_exact: true,
            },
            sampling: RootSampling::from_byte(bytes[17])?,
        };
        let is_valid = (player & opponent).is_empty() && position.is_possible();
        is_valid.then_some(position)
    }
}
