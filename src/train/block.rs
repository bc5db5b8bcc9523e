//! File format of training data: a file is a sequence of blocks. A block has compressed games or
//! compressed labelled positions. The label of a position is the value that a search returned for
//! it. A root is a position of a self-play game, below which labelled positions are sampled (see
//! `roots`). A record is one game or one labelled position, and an item is one game or one root.
//!
//! The header of a block has checksums and the settings that the records were made with. Joining
//! two files gives a valid file.

use std::io::{self, ErrorKind, Read};

use miniz_oxide::{deflate, inflate};

use super::labelled::{LabelledPosition, RootSampling};
use super::origin::Origin;
use super::training_game::TrainingGame;
use emilia_core::eval::checksum;

/// Records of one block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Records {
    /// Complete games from the start position.
    Games(Vec<TrainingGame>),
    /// Positions with labels.
    Positions(Vec<LabelledPosition>),
}

impl Records {
    pub(super) fn len(&self) -> usize {
        match self {
            Records::Games(games) => games.len(),
            Records::Positions(positions) => positions.len(),
        }
    }
}

/// Block: consecutive records of one self-play run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Settings of the run. They determine the records.
    pub origin: Origin,
    /// Number of the block's first game or root in the run, from 0.
    pub first: u64,
    /// Number of games or roots in the block.
    pub item_count: u64,
    /// Games, or positions sampled below the roots.
    pub records: Records,
}

/// Magic bytes at the start of a block of games. The last digit is the version of the format.
const GAMES: [u8; 8] = *b"EmiliaG2";

/// Magic bytes at the start of a block of labelled positions.
const POSITIONS: [u8; 8] = *b"EmiliaP2";

const MAGICS: [[u8; 8]; 2] = [GAMES, POSITIONS];

/// Size of the header in bytes. The packed records follow.
const HEADER_BYTES: usize = 80;

/// Maximum number of records in a block. A header with a larger number is damaged.
const MAX_RECORDS: usize = 1 << 16;

/// Compression level of deflate, from 0 to 10.
const COMPRESSION_LEVEL: u8 = 6;

impl Block {
    /// Returns whether `bytes` begin with a block.
    pub fn is_at_start_of(bytes: &[u8]) -> bool {
        MAGICS.iter().any(|magic| bytes.starts_with(magic))
    }

    /// Returns the number of labelled positions in the block. In a game, these are the positions
    /// after the random opening plies.
    pub fn position_count(&self) -> u64 {
        let of_game = |game: &TrainingGame| game.moves().count() - usize::from(game.random_plies);
        match &self.records {
            Records::Games(games) => games.iter().map(of_game).sum::<usize>() as u64,
            Records::Positions(positions) => positions.len() as u64,
        }
    }

    /// Encodes the block for a file. All numbers are little-endian.
    ///
    /// | bytes | content |
    /// |---|---|
    /// | 0-7 | magic |
    /// | 8-15 | checksum of header bytes 16-79 |
    /// | 16-23 | checksum of the packed records |
    /// | 24-27 | size of the packed records in bytes |
    /// | 28-31 | number of records |
    /// | 32-35 | `depth` and `exact` of [`Origin`], minimum and maximum random plies |
    /// | 36-37 | minimum and maximum empties |
    /// | 38 | sampling plus 1; 0 if both samplings alternate, and for games |
    /// | 39 | label depth |
    /// | 40-79 | seed, engine, nodes, index of the first item, number of items: 8 bytes each |
    ///
    /// The records follow, transposed and compressed with deflate by `pack`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (magic, packed) = match &self.records {
            Records::Games(games) => (GAMES, pack(games, |game| game.to_bytes())),
            Records::Positions(positions) => (POSITIONS, pack(positions, |one| one.to_bytes())),
        };
        let Origin {
            seed,
            engine,
            depth,
            exact,
            nodes,
            random_plies,
            empties,
            sampling,
            label_depth,
        } = self.origin;
        let sampling_code = sampling.map_or(0, |sampling| sampling as u8 + 1);
        let mut rest = Vec::with_capacity(HEADER_BYTES);
        rest.extend(checksum(&packed).to_le_bytes());
        rest.extend((packed.len() as u32).to_le_bytes());
        rest.extend((self.records.len() as u32).to_le_bytes());
        rest.extend([depth, exact, random_plies.0, random_plies.1]);
        rest.extend([empties.0, empties.1, sampling_code, label_depth]);
        for number in [seed, engine, nodes, self.first, self.item_count] {
            rest.extend(number.to_le_bytes());
        }
        let mut bytes = magic.to_vec();
        bytes.extend(checksum(&rest).to_le_bytes());
        bytes.extend(rest);
        bytes.extend(packed);
        bytes
    }
}

/// Compresses records with deflate. Before that, the bytes of the records are transposed: byte 0 of
/// all records comes first, then byte 1 of all records, and so on. Similar bytes compress better.
fn pack<T, const N: usize>(records: &[T], to_bytes: impl Fn(&T) -> [u8; N]) -> Vec<u8> {
    let rows: Vec<[u8; N]> = records.iter().map(to_bytes).collect();
    let planes: Vec<u8> = (0..N)
        .flat_map(|at| rows.iter().map(move |row| row[at]))
        .collect();
    deflate::compress_to_vec(&planes, COMPRESSION_LEVEL)
}

/// Decompresses `count` records, the inverse of [`pack`]. Returns `None` if `packed` is damaged or
/// does not have `count` records.
fn unpack<T, const N: usize>(
    packed: &[u8],
    count: usize,
    from_bytes: impl Fn([u8; N]) -> T,
) -> Option<Vec<T>> {
    let planes = inflate::decompress_to_vec_with_limit(packed, count * N).ok()?;
    let record = |index| from_bytes(std::array::from_fn(|at| planes[at * count + index]));
    (planes.len() == count * N).then(|| (0..count).map(record).collect())
}

/// Reads blocks one by one. The file may be larger than memory.
#[derive(Debug)]
pub struct BlockReader<R> {
    source: R,
    /// Total size of the blocks read so far, in bytes.
    offset: u64,
}

impl<R: Read> BlockReader<R> {
    /// Creates a reader at the current position of `source`.
    pub fn new(source: R) -> BlockReader<R> {
        BlockReader { source, offset: 0 }
    }

    /// Returns the offset of the next block, in bytes from where the reader was created.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Reads `count` bytes, or fewer at the end of the source.
    fn take(&mut self, count: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut part = self.source.by_ref().take(count as u64);
        part.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads the next block. Returns `None` at the end of the source.
    ///
    /// # Errors
    /// `UnexpectedEof` if the source ends in the middle of a block. `InvalidData` if the source has
    /// other data, or if the block is damaged.
    pub fn read(&mut self) -> io::Result<Option<Block>> {
        let truncated = || io::Error::new(ErrorKind::UnexpectedEof, "the last block is truncated");
        let refused = |why| io::Error::new(ErrorKind::InvalidData, why);
        let damaged = || refused("checksum mismatch: the block is damaged");
        let start = self.take(HEADER_BYTES)?;
        if start.is_empty() {
            return Ok(None);
        }
        let magic = &start[..start.len().min(GAMES.len())];
        if !MAGICS.iter().any(|valid| valid.starts_with(magic)) {
            return Err(refused(
                "expected a block of training data, found other data",
            ));
        }
        let header: [u8; HEADER_BYTES] = start.try_into().map_err(|_| truncated())?;
        let number = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| header[at + byte]));
        let size = number(24) as u32 as usize;
        let count = (number(24) >> 32) as usize;
        if checksum(&header[16..]) != number(8) || count > MAX_RECORDS {
            return Err(damaged());
        }
        let packed = self.take(size)?;
        if packed.len() < size {
            return Err(truncated());
        }
        if checksum(&packed) != number(16) {
            return Err(damaged());
        }
        let records = if header.starts_with(&GAMES) {
            unpack(&packed, count, TrainingGame::from_bytes).map(Records::Games)
        } else {
            let decoded = unpack(&packed, count, LabelledPosition::from_bytes);
            let valid = decoded.and_then(|all| all.into_iter().collect());
            valid.map(Records::Positions)
        };
        let [depth, exact, fewest, most, from, to] = std::array::from_fn(|at| header[32 + at]);
        let block = Block {
            origin: Origin {
                seed: number(40),
                engine: number(48),
                depth,
                exact,
                nodes: number(56),
                random_plies: (fewest, most),
                empties: (from, to),
                sampling: header[38].checked_sub(1).and_then(RootSampling::from_byte),
                label_depth: header[39],
            },
            first: number(64),
            item_count: number(72),
            records: records.ok_or_else(damaged)?,
        };
        self.offset += (HEADER_BYTES + size) as u64;
        Ok(Some(block))
    }
}
