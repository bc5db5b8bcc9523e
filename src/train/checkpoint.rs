//! Checkpoint of the training of a net. Each write replaces the whole file.
//!
//! A training resumes only from a checkpoint of the same job. File format: magic bytes, checksum of
//! the job (a text with all facts that the result depends on), checksum of the rest, number of
//! completed pools, number of positions in these pools, weights and optimiser state of the learner.

use std::path::Path;

use emilia_core::eval::checksum;
use emilia_files::{FileError, MIB};

/// Magic bytes. The last byte is the format version.
const MAGIC: [u8; 8] = *b"EmiliaC3";

/// Maximum size of a file in bytes.
const MAX_SIZE: u64 = 1024 * MIB;

/// Content of a checkpoint file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checkpoint {
    /// Number of completed pools.
    pub pools: u64,
    /// Number of positions trained on so far. A position counts once in each epoch.
    pub positions: u64,
    /// Weights and optimiser state.
    pub numbers: Vec<f32>,
}

impl Checkpoint {
    /// Writes the checkpoint of a job.
    pub(super) fn write(&self, path: &Path, job: &str) -> Result<(), FileError> {
        emilia_files::replace(path, &self.to_bytes(job))
    }

    /// Reads the checkpoint of a job. Returns `None` if the file does not exist.
    pub(super) fn read(path: &Path, job: &str) -> Result<Option<Checkpoint>, FileError> {
        if !path.exists() {
            return Ok(None);
        }
        let file = emilia_files::read(path, MAX_SIZE)?;
        let checkpoint = Checkpoint::from_bytes(&file, job);
        checkpoint.map(Some).map_err(|why| refused(path, why))
    }

    /// Encodes the checkpoint of `job` as the bytes of a file.
    pub fn to_bytes(&self, job: &str) -> Vec<u8> {
        let mut rest = [self.pools, self.positions].map(u64::to_le_bytes).concat();
        rest.extend(self.numbers.iter().flat_map(|number| number.to_le_bytes()));
        let sums = [checksum(job.as_bytes()), checksum(&rest)].map(u64::to_le_bytes);
        [&MAGIC[..], sums.as_flattened(), &rest].concat()
    }

    /// Decodes the bytes of a file. The error states why this is not a checkpoint of `job`.
    pub fn from_bytes(file: &[u8], job: &str) -> Result<Checkpoint, &'static str> {
        const DAMAGED: &str = "it is damaged";
        let rest = file
            .strip_prefix(&MAGIC)
            .ok_or("it is not a checkpoint of a training, or one of another version")?;
        let (sums, rest) = rest.split_first_chunk::<16>().ok_or(DAMAGED)?;
        if sums[..8] != checksum(job.as_bytes()).to_le_bytes() {
            return Err("it is the checkpoint of a training with other data or options");
        }
        if sums[8..] != checksum(rest).to_le_bytes() {
            return Err(DAMAGED);
        }
        let (counts, numbers) = rest.split_first_chunk::<16>().ok_or(DAMAGED)?;
        let ((counts, _), (numbers, _)) = (counts.as_chunks(), numbers.as_chunks());
        Ok(Checkpoint {
            pools: u64::from_le_bytes(counts[0]),
            positions: u64::from_le_bytes(counts[1]),
            numbers: numbers.iter().copied().map(f32::from_le_bytes).collect(),
        })
    }
}

/// Returns the error for a checkpoint that cannot be resumed.
pub(super) fn refused(path: &Path, why: &str) -> FileError {
    let restart = "give another --out, or remove this file to start again";
    FileError::refused(path, format!("{why}; {restart}"))
}
