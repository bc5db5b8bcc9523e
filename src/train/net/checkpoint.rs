//! Checkpoint of a training: written whole after each pool, so that a run that was killed resumes there.
//!
//! The head with the job, the checksum of what follows: how many points the curve has, these, and
//! the numbers of the learner.

use std::path::Path;

use super::super::job::{BadCheckpoint, Job};
use super::{CurvePoint, NetTraining};
use crate::files::{self, FileError, MIB, checksum};

/// Magic of the file; the last digit is the version.
const MAGIC: [u8; 8] = *b"EmiliaC2";

/// Bytes of a point of the curve.
const POINT_BYTES: usize = 24;

/// The largest file that is read.
const LARGEST: u64 = 1024 * MIB;

/// What the file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct NetCheckpoint {
    /// One point for each pool that is done.
    pub curve: Vec<CurvePoint>,
    /// What the learner has to go on with.
    pub numbers: Vec<f32>,
}

impl NetCheckpoint {
    /// The file of a job.
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

    /// What the file of a job holds.
    ///
    /// # Errors
    /// If it is no checkpoint of this job, or is damaged.
    pub fn from_bytes(file: &[u8], job: &Job) -> Result<NetCheckpoint, BadCheckpoint> {
        parse(job.behind_head(MAGIC, file)?).ok_or(BadCheckpoint::Damaged)
    }
}

/// What stands behind the head.
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
    /// If it cannot be written.
    pub(crate) fn write_checkpoint(&self, path: &Path, job: &Job) -> Result<(), FileError> {
        let checkpoint = NetCheckpoint {
            curve: self.curve.clone(),
            numbers: self.learner.numbers().collect(),
        };
        files::replace(path, &checkpoint.to_bytes(job))
    }

    /// Takes over the checkpoint of the job, if there is one. Returns whether that was so.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or is no checkpoint of this job.
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
