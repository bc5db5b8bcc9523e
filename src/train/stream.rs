//! [`PositionStream`]: labelled positions from files that may be larger than memory. The label of a
//! position is the value that the evaluation is trained to return.
//!
//! Each epoch reads the blocks of the files in random order. A block is a part of a file, with
//! games or with labelled positions (see `block`). Several blocks together are a pool, and the
//! positions of a pool are shuffled in memory.

use std::fs::File;
use std::io::{BufReader, Seek, SeekFrom};
use std::num::NonZero;
use std::path::PathBuf;

use super::block::{Block, BlockReader, Records};
use super::labelled::MAX_EMPTIES;
use super::origin::split_mix64;
use super::training_game::TrainingGame;
use emilia_core::board::Board;
use emilia_core::eval::{NO_BYTES, checksum_after};
use emilia_core::work;
use emilia_files::FileError;

/// Position with its label and its weight in the loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelledBoard {
    /// Position, in the view of the side to move.
    pub board: Board,
    /// Label for the side to move, in discs.
    pub label: f32,
    /// Weight of the position in the loss.
    pub weight: f32,
}

/// Location of a block: index of the file and offset in bytes.
type BlockLocation = (usize, u64);

/// One block in `HELD_OUT` is held out for validation: blocks 0, 50, 100 and so on, counted over
/// all files.
const HELD_OUT: u64 = 50;

/// Approximate number of positions in a pool. A pool consists of whole blocks.
const POOL: usize = 1 << 22;

/// Kinds of training positions, by the way in which they were sampled: positions of self-play
/// games, leaves of the search of a root (a position of a game), and positions of branches, in
/// which the game is played on from a root with many random moves
/// ([`RootSampling`](super::RootSampling)).
pub const KINDS: [&str; 3] = ["games", "leaves", "branches"];

/// Number of training positions by number of empties and by the index of their kind in [`KINDS`].
type KindCounts = [[u64; KINDS.len()]; MAX_EMPTIES + 1];

/// Maximum weight of a position. Without this limit, a position of a very rare kind would have a
/// huge weight.
const MAX_WEIGHT: f32 = 4.0;

/// Training data in files, with an index of the blocks.
#[derive(Debug)]
pub struct PositionStream {
    files: Vec<PathBuf>,
    lambda: f32,
    pub(super) seed: u64,
    training: Vec<BlockLocation>,
    held_out: Vec<BlockLocation>,
    counts: KindCounts,
    /// Checksum over the origins and item numbers of all blocks.
    checksum: u64,
}

impl PositionStream {
    /// Reads the files once and indexes their blocks. `lambda` is the λ of
    /// [`TrainingGame::labelled`], and `seed` determines the order of the positions. `on_block`
    /// receives the number of bytes read so far.
    ///
    /// # Errors
    /// If a file cannot be read or is not training data.
    pub fn open(
        files: Vec<PathBuf>,
        lambda: f32,
        seed: u64,
        on_block: &dyn Fn(u64),
    ) -> Result<PositionStream, FileError> {
        let (mut training, mut held_out) = (Vec::new(), Vec::new());
        let mut counts: KindCounts = [[0; KINDS.len()]; MAX_EMPTIES + 1];
        let (mut checksum, mut number) = (NO_BYTES, 0_u64);
        for_each_block(&files, on_block, |location, block| {
            // Blocks with equal origins and item numbers have equal records, so the records need no
            // checksum.
            let (items, records) = (block.item_count, block.records.len());
            let identity = (block.origin, block.first, items, records);
            checksum = checksum_after(checksum, format!("{identity:?}").as_bytes());
            if number.is_multiple_of(HELD_OUT) {
                held_out.push(location);
            } else {
                training.push(location);
                for_each_position(&block, lambda, |board, kind, _| {
                    counts[board.empty_count() as usize][kind] += 1;
                });
            }
            number += 1;
        })?;
        Ok(PositionStream {
            files,
            lambda,
            seed,
            training,
            held_out,
            counts,
            checksum,
        })
    }

    /// Returns the properties of the data that determine the result of a training: number of
    /// positions, checksum, seed, λ.
    pub(super) fn facts(&self) -> (u64, u64, u64, f32) {
        (self.position_count(), self.checksum, self.seed, self.lambda)
    }

    /// Returns the number of training positions in one epoch.
    pub fn position_count(&self) -> u64 {
        self.kind_counts().iter().sum()
    }

    /// Returns the number of training positions of each kind, in the order of [`KINDS`].
    pub fn kind_counts(&self) -> [u64; KINDS.len()] {
        std::array::from_fn(|kind| self.counts.iter().map(|counts| counts[kind]).sum())
    }

    /// Returns the number of pools in an epoch.
    pub fn pool_count(&self) -> usize {
        self.training.len().div_ceil(self.blocks_of_a_pool())
    }

    fn blocks_of_a_pool(&self) -> usize {
        let pools = (self.position_count() as usize).div_ceil(POOL).max(1);
        self.training.len().div_ceil(pools).max(1)
    }

    /// Reads a pool and shuffles its positions. `number` is the index of the pool in the epoch.
    pub fn pool(
        &self,
        epoch: u64,
        number: usize,
        threads: NonZero<usize>,
    ) -> Result<Vec<LabelledBoard>, FileError> {
        let mut random = fastrand::Rng::with_seed(split_mix64(!self.seed, epoch));
        let mut order = self.training.clone();
        random.shuffle(&mut order);
        let chunks = order.chunks(self.blocks_of_a_pool());
        let mut pools = chunks.map(|locations| (locations, random.u64(..)));
        let Some((locations, seed)) = pools.nth(number) else {
            return Ok(Vec::new());
        };
        let mut positions = self.read(locations, threads)?;
        fastrand::Rng::with_seed(seed).shuffle(&mut positions);
        Ok(positions)
    }

    /// Reads all training positions, in the order of the files.
    pub fn training(&self, threads: NonZero<usize>) -> Result<Vec<LabelledBoard>, FileError> {
        self.read(&self.training, threads)
    }

    /// Reads the held-out positions.
    pub fn held_out(&self, threads: NonZero<usize>) -> Result<Vec<LabelledBoard>, FileError> {
        self.read(&self.held_out, threads)
    }

    fn read(
        &self,
        locations: &[BlockLocation],
        threads: NonZero<usize>,
    ) -> Result<Vec<LabelledBoard>, FileError> {
        let weights = self.counts.map(balanced_weights);
        let mut workers = vec![(); threads.get()];
        let block = |(): &mut (), &location| Some(self.block(location, &weights));
        let read = work::parallel_map("reader", &mut workers, locations, &|_| (), block);
        let blocks: Result<Vec<_>, FileError> = read.unwrap_or_default().into_iter().collect();
        Ok(blocks?.concat())
    }

    fn block(
        &self,
        (file, offset): BlockLocation,
        weights: &[[f32; KINDS.len()]; MAX_EMPTIES + 1],
    ) -> Result<Vec<LabelledBoard>, FileError> {
        let path = &self.files[file];
        let wrong = |error| FileError::new(path, error);
        let mut file = File::open(path).map_err(wrong)?;
        file.seek(SeekFrom::Start(offset)).map_err(wrong)?;
        let read = BlockReader::new(BufReader::new(file)).read();
        let changed = || FileError::refused(path, "the file has changed during the fit");
        let block = read.ok().flatten().ok_or_else(changed)?;
        let mut positions = Vec::new();
        for_each_position(&block, self.lambda, |board, kind, label| {
            positions.push(LabelledBoard {
                board,
                label,
                weight: weights[board.empty_count() as usize][kind],
            });
        });
        Ok(positions)
    }
}

/// Calls `visit` with each position of a block, the index of its kind in [`KINDS`], and its label
/// in discs. Games for which [`TrainingGame::plies`] returns `None` are skipped.
fn for_each_position(block: &Block, lambda: f32, mut visit: impl FnMut(Board, usize, f32)) {
    match &block.records {
        Records::Games(games) => {
            let labelled = games.iter().filter_map(|game| game.labelled(lambda));
            for (board, label) in labelled.flatten() {
                visit(board, 0, label);
            }
        }
        Records::Positions(positions) => {
            for one in positions {
                let label = one.label.value.discs() as f32;
                visit(one.board, 1 + one.sampling as usize, label);
            }
        }
    }
}

/// Returns the weight of one position of each kind at one number of empties. `counts` has the
/// number of positions of each kind.
///
/// All kinds get the same total weight, but no position gets more than [`MAX_WEIGHT`].
pub(super) fn balanced_weights(counts: [u64; KINDS.len()]) -> [f32; KINDS.len()] {
    let sizes = counts.map(|count| count as f32);
    let kinds = sizes.iter().filter(|&&size| size > 0.0).count() as f32;
    let total: f32 = sizes.iter().sum();
    sizes.map(|own| (total / (kinds * own).max(1.0)).min(MAX_WEIGHT))
}

/// Calls `visit` with each block of the files and its location. After each block, `on_block`
/// receives the number of bytes read so far.
fn for_each_block(
    files: &[PathBuf],
    on_block: &dyn Fn(u64),
    mut visit: impl FnMut(BlockLocation, Block),
) -> Result<(), FileError> {
    let mut before = 0;
    for (file, path) in files.iter().enumerate() {
        let source = File::open(path).map_err(|error| FileError::new(path, error))?;
        let mut reader = BlockReader::new(BufReader::new(source));
        let mut offset = 0;
        while let Some(block) = reader
            .read()
            .map_err(|error| FileError::refused(path, format!("at byte {offset}: {error}")))?
        {
            visit((file, offset), block);
            offset = reader.offset();
            on_block(before + offset);
        }
        before += offset;
    }
    Ok(())
}

/// Reads all games in the files. Labelled positions are skipped.
pub fn read_games(files: &[PathBuf]) -> Result<Vec<TrainingGame>, FileError> {
    let mut games = Vec::new();
    for_each_block(files, &|_| (), |_, block| {
        if let Records::Games(more) = block.records {
            games.extend(more);
        }
    })?;
    Ok(games)
}
