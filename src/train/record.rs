//! Games as they are kept for training: 64 bytes a game, in blocks that say where they come from and whether they are
//! whole. Files of blocks may be put one behind the other. Stands on `board`.

use std::fmt;

use crate::board::{Board, Score, Square};
use crate::eval::checksum;

/// Most squares that are ever played.
const MOST_MOVES: usize = 60;

/// Stands for no move after the last.
const NO_MOVE: u8 = 64;

/// A game from the start to its end, the passes left out: 64 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameRecord {
    moves: [u8; MOST_MOVES],
    random_plies: u8,
    score: i8,
    depth: u8,
    exact: u8,
}

impl GameRecord {
    /// Bytes of a game in a file.
    pub const BYTES: usize = 64;

    /// A game of these moves, the first `random_plies` of them drawn by lot; `score` is Black's. Moves beyond the 60th
    /// are left out, as no game has them.
    pub fn new(moves: &[Square], random_plies: usize, score: Score, origin: &Origin) -> GameRecord {
        let mut record = GameRecord {
            moves: [NO_MOVE; MOST_MOVES],
            random_plies: random_plies as u8,
            score: score as i8,
            depth: origin.depth,
            exact: origin.exact,
        };
        for (to, square) in record.moves.iter_mut().zip(moves) {
            *to = square.index() as u8;
        }
        record
    }

    /// The squares in the order they were played.
    pub fn moves(&self) -> impl Iterator<Item = Square> {
        self.moves.iter().map_while(|&index| Square::new(index))
    }

    /// How many moves at the start were drawn by lot.
    pub fn random_plies(&self) -> usize {
        self.random_plies.into()
    }

    /// Black's final score.
    pub fn score(&self) -> Score {
        self.score.into()
    }

    /// The positions after the random part in which the side to move has a move, each with the final score for that
    /// side; `None` if the moves are no game that ends so.
    pub fn positions(&self) -> Option<Vec<(Board, Score)>> {
        let mut positions = Vec::with_capacity(MOST_MOVES);
        let (mut board, mut score) = (Board::START, self.score());
        for (ply, square) in self.moves().enumerate() {
            if !board.can_move() {
                (board, score) = (board.pass(), -score);
            }
            if !board.legal_moves().contains(square) {
                return None;
            }
            if ply >= self.random_plies() {
                positions.push((board, score));
            }
            (board, score) = (board.play(square), -score);
        }
        (board.is_over() && board.final_score() == score).then_some(positions)
    }

    fn to_bytes(self) -> [u8; GameRecord::BYTES] {
        let mut bytes = [0; GameRecord::BYTES];
        bytes[..MOST_MOVES].copy_from_slice(&self.moves);
        bytes[MOST_MOVES..].copy_from_slice(&[
            self.random_plies,
            self.score as u8,
            self.depth,
            self.exact,
        ]);
        bytes
    }

    fn from_bytes(bytes: [u8; GameRecord::BYTES]) -> GameRecord {
        let mut moves = [NO_MOVE; MOST_MOVES];
        moves.copy_from_slice(&bytes[..MOST_MOVES]);
        GameRecord {
            moves,
            random_plies: bytes[60],
            score: bytes[61] as i8,
            depth: bytes[62],
            exact: bytes[63],
        }
    }
}

/// How the games of a block were played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The seed of the whole run.
    pub seed: u64,
    /// The checksum of the evaluation and of what else a game depends on.
    pub player: u64,
    /// Plies of search a move; 0 if not limited.
    pub depth: u8,
    /// Solved from so many empty squares on; 0 for not at all.
    pub exact: u8,
    /// Positions visited a move; 0 if not limited.
    pub nodes: u64,
    /// The fewest and the most moves at the start that are drawn by lot: each number as often as the others.
    pub random_plies: (u8, u8),
}

/// Games played one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// How they were played.
    pub origin: Origin,
    /// The number of the first one within its run.
    pub first: u64,
    /// The games, those of the numbers `first`, `first + 1`, and so on.
    pub games: Vec<GameRecord>,
}

/// How a block begins.
const MAGIC: [u8; 8] = *b"EmiliaG1";

/// Bytes before the games of a block.
const HEADER_BYTES: usize = 64;

/// More games than any block holds: a header that says more is none.
const MOST_GAMES: usize = 1 << 16;

impl Block {
    /// The block as it stands in a file: magic, checksum of the rest, number of games, depth, exact, fewest and most
    /// random plies, seed, player,
    /// nodes, first number (all little-endian), and zeros up to 64 bytes; then the games.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER_BYTES + self.games.len() * GameRecord::BYTES);
        bytes.extend(MAGIC);
        bytes.extend([0; 8]);
        bytes.extend((self.games.len() as u32).to_le_bytes());
        let Origin {
            depth,
            exact,
            random_plies: (fewest, most),
            ..
        } = self.origin;
        bytes.extend([depth, exact, fewest, most]);
        for number in [
            self.origin.seed,
            self.origin.player,
            self.origin.nodes,
            self.first,
        ] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.resize(HEADER_BYTES, 0);
        for game in &self.games {
            bytes.extend(game.to_bytes());
        }
        let sum = checksum(&bytes[16..]);
        bytes[8..16].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// The block at the start of `bytes`, and how many bytes it takes.
    ///
    /// # Errors
    /// If the bytes end within it, or are no whole block.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Block, usize), BadGames> {
        let magic = &bytes[..bytes.len().min(MAGIC.len())];
        if !MAGIC.starts_with(magic) {
            return Err(BadGames::Foreign);
        }
        let header: &[u8; HEADER_BYTES] = bytes.first_chunk().ok_or(BadGames::Truncated)?;
        let number = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&header[at..at + 8]);
            u64::from_le_bytes(word)
        };
        let count = number(16) as u32 as usize;
        let size = HEADER_BYTES + count * GameRecord::BYTES;
        if count > MOST_GAMES {
            return Err(BadGames::Altered);
        }
        if bytes.len() < size {
            return Err(BadGames::Truncated);
        }
        if checksum(&bytes[16..size]) != number(8) {
            return Err(BadGames::Altered);
        }
        let (records, _) = bytes[HEADER_BYTES..size].as_chunks();
        let block = Block {
            origin: Origin {
                seed: number(24),
                player: number(32),
                depth: header[20],
                exact: header[21],
                nodes: number(40),
                random_plies: (header[22], header[23]),
            },
            first: number(48),
            games: records
                .iter()
                .map(|&bytes| GameRecord::from_bytes(bytes))
                .collect(),
        };
        Ok((block, size))
    }
}

/// The blocks of a file.
///
/// # Errors
/// If a block is not whole, with the byte where it begins.
pub fn read_games(bytes: &[u8]) -> Result<Vec<Block>, (usize, BadGames)> {
    let (mut blocks, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let (block, size) = Block::from_bytes(&bytes[at..]).map_err(|error| (at, error))?;
        blocks.push(block);
        at += size;
    }
    Ok(blocks)
}

/// Why bytes are no block of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadGames {
    /// They do not begin like one.
    Foreign,
    /// They end too early.
    Truncated,
    /// The checksum is not that of the bytes.
    Altered,
}

impl fmt::Display for BadGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BadGames::Foreign => "no block of games begins there",
            BadGames::Truncated => "the last block of games is cut off",
            BadGames::Altered => "the block of games is damaged: its checksum is another",
        })
    }
}

impl std::error::Error for BadGames {}
