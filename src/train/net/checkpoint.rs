//! Checkpoint of a network training run, written as a whole after each pool of positions.
//!
//! File format: the head with the job, the checksum of the rest, the number of curve points, the
//! points, and the numbers of the learner.

use std::path::Path;

use super::super::job::{BadCheckpoint, Job};
use super::{CurvePoint, NetTraining};
use crate::files::{self, FileError, MIB, checksum};

/// Magic bytes of the file. The last digit is the version.
const MAGIC: [u8; 8] = *b"EmiliaC2";

/// Bytes of a point of the learning curve.
const POINT_BYTES: usize = 24;

/// Maximum size of the file in bytes.
const LARGEST: u64 = 1024 * MIB;

/// Content of a checkpoint file.
#[derive(Clone, Debug, PartialEq)]
pub struct NetCheckpoint {
    /// Learning curve: one point for each completed pool.
    pub curve: Vec<CurvePoint>,
    /// State of the learner: weights and optimiser state.
    pub numbers: Vec<f32>,
}

impl NetCheckpoint {
    /// Returns the bytes of the file for a job.
    pub fn to_bytes(&self, job: &Job) -> Vec<u8> {
        let mut rest = (self.curve.len() as u64).to_le_bytes().to_vec();
        for point in &self.curve {
            rest.extend(point.positions.to_le_bytes());
            rest.extend(point.training_rmse.to_le_bytes());
            rest.extend(point.held_out_rmse.to_le_bytes());
        }
        for number in &self.numbers {
            rest.extend(number.to_le_bytes());
        }
        let mut file = job.head(MAGIC);
        file.extend(checksum(&rest).to_le_bytes());
        file.extend(rest);
        file
    }

    /// Parses the file of a job.
    ///
    /// # Errors
    /// Returns an error if the file is not a checkpoint of this job, or is damaged.
    pub fn from_bytes(file: &[u8], job: &Job) -> Result<NetCheckpoint, BadCheckpoint> {
        parse(job.behind_head(MAGIC, file)?).ok_or(BadCheckpoint::Damaged)
    }
}

/// Parses the bytes after the head: checksum and content. `None` if they are damaged.
fn parse(sealed: &[u8]) -> Option<NetCheckpoint> {
    let (&sum, rest) = sealed.split_first_chunk()?;
    if checksum(rest) != u64::from_le_bytes(sum) {
        return None;
    }
    let (&points, rest) = rest.split_first_chunk()?;
    let points = usize::try_from(u64::from_le_bytes(points)).ok()?;
    let (curve, numbers) = rest.split_at_checked(points.checked_mul(POINT_BYTES)?)?;
    let number = |point: &[u8], at: usize| {
        u64::from_le_bytes(std::array::from_fn(|byte| point[8 * at + byte]))
    };
    let curve = curve.chunks_exact(POINT_BYTES).map(|point| CurvePoint {
        positions: number(point, 0),
        training_rmse: f64::from_bits(number(point, 1)),
        held_out_rmse: f64::from_bits(number(point, 2)),
    });
    let (numbers, _) = numbers.as_chunks();
    Some(NetCheckpoint {
        curve: curve.collect(),
        numbers: numbers.iter().copied().map(f32::from_le_bytes).collect(),
    })
}

impl NetTraining<'_> {
    /// Writes a checkpoint of the job.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub(crate) fn write_checkpoint(&self, path: &Path, job: &Job) -> Result<(), FileError> {
        let checkpoint = NetCheckpoint {
            curve: self.curve.clone(),
            numbers: self.learner.numbers().collect(),
        };
        files::replace(path, &checkpoint.to_bytes(job))
    }

    /// Restores the state from a checkpoint of the job. Returns false if there is no file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is damaged, or belongs to another job.
    pub(crate) fn resume(&mut self, path: &Path, job: &Job) -> Result<bool, FileError> {
        if !path.exists() {
            return Ok(false);
        }
        let file = files::read(path, LARGEST)?;
        let refused = |why: BadCheckpoint| FileError::refused(path, why);
        let checkpoint = NetCheckpoint::from_bytes(&file, job).map_err(refused)?;
        let mut numbers = checkpoint.numbers.into_iter();
        let restored = self.learner.restore(&mut numbers);
        restored.ok_or_else(|| refused(BadCheckpoint::Damaged))?;
        self.curve = checkpoint.curve;
        Ok(true)
    }
}
