//! Checkpoint file of a net training, from which an interrupted training resumes. Each write
//! replaces the whole file.
//!
//! A training resumes only if its job is the same. The job is a text with all data and settings
//! that determine the result. File format: magic bytes, checksum of the job, checksum of the rest,
//! number of completed pools (parts of an epoch), number of positions in these pools, weights and
//! optimiser state of the learner.

use std::path::Path;

use emilia_core::eval::checksum;
use emilia_files::{FileError, MIB};

/// Magic bytes at the start of a checkpoint. The last digit is the version of the format.
const MAGIC: [u8; 8] = *b"EmiliaC3";

/// Maximum size of a checkpoint file in bytes.
const MAX_SIZE: u64 = 1024 * MIB;

/// Content of a checkpoint file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checkpoint {
    /// Number of completed pools. A pool is the part of an epoch that is in memory at the same
    /// time.
    pub pools: u64,
    /// Number of positions trained on. A position counts once per epoch.
    pub positions: u64,
    /// Weights and optimiser state of the learner.
    pub numbers: Vec<f32>,
}

impl Checkpoint {
    /// Writes the checkpoint of `job`.
    pub(super) fn write(&self, path: &Path, job: &str) -> Result<(), FileError> {
        emilia_files::replace(path, &self.to_bytes(job))
    }

    /// Reads the checkpoint of `job`. Returns `None` if the file does not exist.
    pub(super) fn read(path: &Path, job: &str) -> Result<Option<Checkpoint>, FileError> {
        if !path.exists() {
            return Ok(None);
        }
        let file = emilia_files::read(path, MAX_SIZE)?;
        let checkpoint = Checkpoint::from_bytes(&file, job);
        checkpoint.map(Some).map_err(|why| refused(path, why))
    }

    /// Encodes the checkpoint of `job`.
    pub fn to_bytes(&self, job: &str) -> Vec<u8> {
        let mut rest = [self.pools, self.positions].map(u64::to_le_bytes).concat();
        rest.extend(self.numbers.iter().flat_map(|number| number.to_le_bytes()));
        let sums = [checksum(job.as_bytes()), checksum(&rest)].map(u64::to_le_bytes);
        [&MAGIC[..], sums.as_flattened(), &rest].concat()
    }

    /// Decodes a checkpoint. The error says why `file` is not a checkpoint of `job`.
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

/// Error for a checkpoint file that the training cannot resume from.
pub(super) fn refused(path: &Path, why: &str) -> FileError {
    let restart = "give another --out, or remove this file to start again";
    FileError::refused(path, format!("{why}; {restart}"))
}
