//! Stream of labelled positions from files that may be larger than memory.
//!
//! Each epoch reads the blocks in random order. Pools of blocks are shuffled together.

use std::fs::File;
use std::io::{BufReader, Seek, SeekFrom};
use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use super::block::{Block, BlockReader, Records};
use super::errors::{SampleKind, balanced_weight};
use super::labelled::MAX_EMPTIES;
use super::random::split_mix64;
use super::training_game::TrainingGame;
use emilia_core::board::Board;
use emilia_core::eval::{NO_BYTES, checksum_after};
use emilia_core::work;
use emilia_files::FileError;

/// A labelled position with its weight in the loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelledBoard {
    /// The position, seen from the side to move.
    pub board: Board,
    /// Label for the side to move, in discs.
    pub label: f32,
    /// Weight of the position in the loss.
    pub weight: f32,
}

/// Location of a block: file index and byte offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BlockLocation {
    file: usize,
    offset: u64,
}

/// Every block whose number is a multiple of this is held out, from block 0 on.
const HELD_OUT: u64 = 50;

/// Approximate number of positions of a pool. Pools consist of whole blocks.
const POOL: usize = 1 << 22;

/// Number of positions for each number of empties and kind.
type SampleCounts = [[u64; SampleKind::ALL.len()]; MAX_EMPTIES + 1];

/// Files of training data, indexed by block.
#[derive(Debug)]
pub struct PositionStream {
    files: Vec<PathBuf>,
    lambda: f32,
    /// Numbers of empties of the positions. Others are left out.
    empties: RangeInclusive<u32>,
    seed: u64,
    training: Vec<BlockLocation>,
    held_out: Vec<BlockLocation>,
    counts: SampleCounts,
    checksum: u64,
}

impl PositionStream {
    /// Reads the files once and indexes their blocks.
    /// Positions whose number of empties is not in `empties` are left out.
    ///
    /// `on_block` receives the file index and the number of bytes read of that file.
    ///
    /// # Errors
    /// If a file cannot be read or is not training data.
    pub fn open(
        files: Vec<PathBuf>,
        lambda: f32,
        empties: RangeInclusive<u32>,
        seed: u64,
        on_block: &dyn Fn(usize, u64),
    ) -> Result<PositionStream, FileError> {
        let mut stream = PositionStream {
            files,
            lambda,
            empties,
            seed,
            training: Vec::new(),
            held_out: Vec::new(),
            counts: [[0; SampleKind::ALL.len()]; MAX_EMPTIES + 1],
            checksum: NO_BYTES,
        };
        let mut number: u64 = 0;
        for_each_block(&stream.files.clone(), on_block, |location, block| {
            // Equal origins give equal records, so the records need not be hashed.
            let identity = (
                block.origin,
                block.first,
                block.item_count,
                block.records.len(),
            );
            let identity = format!("{identity:?}");
            stream.checksum = checksum_after(stream.checksum, identity.as_bytes());
            if number.is_multiple_of(HELD_OUT) {
                stream.held_out.push(location);
            } else {
                stream.training.push(location);
                stream.count(&block);
            }
            number += 1;
        })?;
        Ok(stream)
    }

    fn count(&mut self, block: &Block) {
        let mut counts = self.counts;
        self.for_each_position(block, |board, kind, _| {
            counts[board.empty_count() as usize][kind as usize] += 1;
        });
        self.counts = counts;
    }

    /// Calls `visit` with each position of a block, its kind and its label in discs.
    ///
    /// Positions with other numbers of empties are skipped, and records that are not legal games.
    fn for_each_position(&self, block: &Block, mut visit: impl FnMut(Board, SampleKind, f32)) {
        let mut visit = |board: Board, kind, label| {
            if self.empties.contains(&board.empty_count()) {
                visit(board, kind, label);
            }
        };
        match &block.records {
            Records::Games(games) => {
                for game in games {
                    for (board, label) in game.labelled(self.lambda).unwrap_or_default() {
                        visit(board, SampleKind::Game, label);
                    }
                }
            }
            Records::Positions(positions) => {
                for one in positions {
                    let label = one.label.value.discs() as f32;
                    visit(one.board, one.sampling.into(), label);
                }
            }
        }
    }

    /// Returns a checksum of the origins of all records.
    pub fn checksum(&self) -> u64 {
        self.checksum
    }

    /// Returns the number of training positions.
    pub fn len(&self) -> u64 {
        self.counts.as_flattened().iter().sum()
    }

    /// Returns whether there are no training positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of training positions of a kind.
    pub fn count_of(&self, kind: SampleKind) -> u64 {
        self.counts.iter().map(|counts| counts[kind as usize]).sum()
    }

    /// Returns the pools of an epoch, with their blocks in random order.
    pub fn pools(&self, epoch: u64) -> Vec<Pool> {
        let mut random = fastrand::Rng::with_seed(split_mix64(!self.seed, epoch));
        let mut order = self.training.clone();
        random.shuffle(&mut order);
        let pools = order.chunks(self.blocks_of_a_pool());
        let pool = |locations: &[BlockLocation]| Pool {
            locations: locations.to_vec(),
            seed: random.u64(..),
        };
        pools.map(pool).collect()
    }

    /// Returns the number of pools per epoch.
    pub fn pools_of_an_epoch(&self) -> usize {
        self.training.len().div_ceil(self.blocks_of_a_pool())
    }

    fn blocks_of_a_pool(&self) -> usize {
        let pools = (self.len() as usize).div_ceil(POOL).max(1);
        self.training.len().div_ceil(pools).max(1)
    }

    /// Reads the positions of a pool and shuffles them.
    pub fn load(
        &self,
        pool: &Pool,
        threads: NonZero<usize>,
    ) -> Result<Vec<LabelledBoard>, FileError> {
        let mut positions: Vec<LabelledBoard> = self
            .read(&pool.locations, threads)?
            .into_iter()
            .map(|(labelled, _)| labelled)
            .collect();
        fastrand::Rng::with_seed(pool.seed).shuffle(&mut positions);
        Ok(positions)
    }

    /// Reads all training positions, in the order of the files.
    pub fn training(&self, threads: NonZero<usize>) -> Result<Vec<LabelledBoard>, FileError> {
        let positions = self.read(&self.training, threads)?;
        Ok(positions.into_iter().map(|(one, _)| one).collect())
    }

    /// Reads the held-out positions, with their kinds.
    pub fn held_out(
        &self,
        threads: NonZero<usize>,
    ) -> Result<Vec<(LabelledBoard, SampleKind)>, FileError> {
        self.read(&self.held_out, threads)
    }

    fn read(
        &self,
        locations: &[BlockLocation],
        threads: NonZero<usize>,
    ) -> Result<Vec<(LabelledBoard, SampleKind)>, FileError> {
        let weights = self.weights();
        let mut workers = vec![(); threads.get()];
        let blocks = work::parallel_map(
            "reader",
            &mut workers,
            locations.iter(),
            &|_| (),
            |(), location| Some(self.block(*location, &weights)),
        );
        let blocks: Result<Vec<_>, FileError> = blocks.unwrap_or_default().into_iter().collect();
        Ok(blocks?.concat())
    }

    fn block(
        &self,
        location: BlockLocation,
        weights: &[[f32; SampleKind::ALL.len()]; MAX_EMPTIES + 1],
    ) -> Result<Vec<(LabelledBoard, SampleKind)>, FileError> {
        let path = &self.files[location.file];
        let wrong = |error| FileError::new(path, error);
        let mut file = File::open(path).map_err(wrong)?;
        file.seek(SeekFrom::Start(location.offset)).map_err(wrong)?;
        let block = BlockReader::new(BufReader::new(file)).next();
        let changed = || FileError::refused(path, "the file has changed during the fit");
        let block = block.and_then(Result::ok).ok_or_else(changed)?;
        let mut positions = Vec::new();
        self.for_each_position(&block, |board, kind, label| {
            let weight = weights[board.empty_count() as usize][kind as usize];
            positions.push((
                LabelledBoard {
                    board,
                    label,
                    weight,
                },
                kind,
            ));
        });
        Ok(positions)
    }

    /// Returns the weight of each position, by number of empties and kind.
    fn weights(&self) -> [[f32; SampleKind::ALL.len()]; MAX_EMPTIES + 1] {
        self.counts.map(|counts| {
            let sizes = counts.map(|count| count as f32);
            SampleKind::ALL.map(|kind| balanced_weight(sizes, kind))
        })
    }
}

/// Blocks whose positions are shuffled together.
#[derive(Clone, Debug)]
pub struct Pool {
    locations: Vec<BlockLocation>,
    seed: u64,
}

/// Calls `visit` with each block of the files and its location, and `on_block` after each block.
fn for_each_block(
    files: &[PathBuf],
    on_block: &dyn Fn(usize, u64),
    mut visit: impl FnMut(BlockLocation, Block),
) -> Result<(), FileError> {
    for (file, path) in files.iter().enumerate() {
        let source = File::open(path).map_err(|error| FileError::new(path, error))?;
        let mut reader = BlockReader::new(BufReader::new(source));
        loop {
            let offset = reader.offset();
            let Some(block) = reader.next() else { break };
            let block = block
                .map_err(|error| FileError::refused(path, format!("at byte {offset}: {error}")))?;
            visit(BlockLocation { file, offset }, block);
            on_block(file, reader.offset());
        }
    }
    Ok(())
}

/// Reads the games of all files. Labelled positions are skipped.
pub fn read_games(files: &[PathBuf]) -> Result<Vec<TrainingGame>, FileError> {
    let mut games = Vec::new();
    for_each_block(files, &|_, _| (), |_, block| {
        if let Records::Games(more) = block.records {
            games.extend(more);
        }
    })?;
    Ok(games)
}
