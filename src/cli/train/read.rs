//! Reads training data block by block, so files may be larger than memory.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::num::NonZero;
use std::path::{Path, PathBuf};

use super::{Args, Failure};
use crate::files::FileError;
use crate::files::{NO_BYTES, checksum_after};
use crate::train::{Block, BlockReader, GameRecord, Records, Split, Splitter};
use crate::view::ProgressBar;

/// Training data in memory.
pub(super) struct Data {
    pub(super) games: u64,
    pub(super) split: Split,
    /// Checksum of all bytes, in the order of the files.
    pub(super) checksum: u64,
}

/// Reads the positions of all files and splits them into training and held-out ones.
///
/// # Errors
/// If a file cannot be read, or there are no training positions.
pub(super) fn read(args: &Args, threads: NonZero<usize>) -> Result<Data, Failure> {
    let mut splitter = Splitter::new(args.seed, args.lambda);
    let checksum = each_block(&args.data, |block| splitter.add(&block))?;
    let games = splitter.games();
    let split = splitter.finish(threads);
    if split.training.is_empty() {
        return Err(no_positions());
    }
    Ok(Data {
        games,
        split,
        checksum,
    })
}

/// Returns the error for data without training positions.
pub(super) fn no_positions() -> Failure {
    let why = "there are no training positions (expected a few hundred games at least)";
    Failure::Input(why.to_owned())
}

/// Reads the games of all files. Labelled positions are skipped.
pub(super) fn read_games(paths: &[PathBuf]) -> Result<Vec<GameRecord>, Failure> {
    let mut games = Vec::new();
    each_block(paths, |block| {
        if let Records::Games(more) = block.records {
            games.extend(more);
        }
    })?;
    Ok(games)
}

/// Calls `on_block` with each block of each file, and returns the checksum of all bytes.
fn each_block(paths: &[PathBuf], mut on_block: impl FnMut(Block)) -> Result<u64, Failure> {
    let sizes = paths
        .iter()
        .map(|path| std::fs::metadata(path).map_or(0, |file| file.len()));
    let total: u64 = sizes.sum();
    let bar = ProgressBar::new("bytes");
    let (mut checksum, mut bytes_before) = (NO_BYTES, 0);
    for path in paths {
        let file = File::open(path).map_err(|error| FileError::new(path, error))?;
        let mut source = ChecksumReader {
            source: BufReader::new(file),
            checksum,
        };
        let mut reader = BlockReader::new(&mut source);
        while let Some(block) = reader.next() {
            on_block(block.map_err(|error| bad_block(path, reader.offset(), &error))?);
            bar.update((bytes_before + reader.offset()) as usize, total as usize);
        }
        bytes_before += reader.offset();
        checksum = source.checksum;
    }
    Ok(checksum)
}

fn bad_block(path: &Path, at: u64, error: &dyn std::error::Error) -> FileError {
    FileError::refused(path, format!("at byte {at}: {error}"))
}

/// Reader that computes the checksum of the bytes read through it.
struct ChecksumReader<R> {
    source: R,
    checksum: u64,
}

impl<R: Read> Read for ChecksumReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.checksum = checksum_after(self.checksum, &buffer[..count]);
        Ok(count)
    }
}
