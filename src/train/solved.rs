//! Single positions with their exact scores, as they are stored for training.

use crate::board::{Bitboard, Board, Score};

/// How solved positions are sampled from a root, which is a position of a game.
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

/// A position whose final score under best play is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolvedPosition {
    /// The position, in which the side to move has a move.
    pub board: Board,
    /// Its final score for the side to move, in discs.
    pub score: Score,
    /// How it was sampled.
    pub sampling: RootSampling,
}

impl SolvedPosition {
    const BYTES: usize = 18;

    /// The discs of both sides, the score, and the sampling.
    pub(super) fn to_bytes(self) -> [u8; SolvedPosition::BYTES] {
        let mut bytes = [0; SolvedPosition::BYTES];
        bytes[..8].copy_from_slice(&self.board.player.0.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.board.opponent.0.to_le_bytes());
        bytes[16] = self.score as i8 as u8;
        bytes[17] = self.sampling as u8;
        bytes
    }

    /// `None` if the bytes are no valid position.
    pub(super) fn from_bytes(bytes: [u8; SolvedPosition::BYTES]) -> Option<SolvedPosition> {
        let discs = |at: usize| {
            Bitboard(u64::from_le_bytes(std::array::from_fn(|byte| {
                bytes[at + byte]
            })))
        };
        let position = SolvedPosition {
            board: Board {
                player: discs(0),
                opponent: discs(8),
            },
            score: Score::from(bytes[16] as i8),
            sampling: RootSampling::from_byte(bytes[17])?,
        };
        let apart = (position.board.player & position.board.opponent).is_empty();
        let in_range = (-64..=64).contains(&position.score);
        (apart && in_range).then_some(position)
    }
}
