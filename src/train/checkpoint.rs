//! Checkpoint of a training run, written as a whole after each finished part.
//!
//! File format: the head with the job, the checksum of the rest, the number of curve points, the
//! points, and the numbers of the learner.

use std::path::Path;

use super::job::{BadCheckpoint, TrainJob};
use emilia_core::eval::checksum;
use emilia_files::{FileError, MIB};

/// Maximum size of a file in bytes.
const MAX_SIZE: u64 = 1024 * MIB;

/// Bytes of a point of the learning curve.
const POINT_BYTES: usize = 24;

/// Point of the learning curve: errors after a pool of positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// Number of positions trained on so far, counted once per epoch.
    pub positions: u64,
    /// Weighted RMSE in discs on the pool, of each position before its own training step.
    pub training_rmse: f64,
    /// Weighted RMSE in discs on the held-out positions, after the pool.
    pub held_out_rmse: f64,
}

/// Content of a checkpoint file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checkpoint {
    /// Learning curve: one point for each completed pool.
    pub curve: Vec<CurvePoint>,
    /// Weights and optimiser state.
    pub numbers: Vec<f32>,
}

impl Checkpoint {
    /// Writes the checkpoint of a job. `magic` is that of the kind of training.
    pub fn write(&self, path: &Path, magic: [u8; 8], job: &TrainJob) -> Result<(), FileError> {
        emilia_files::replace(path, &self.to_bytes(magic, job))
    }

    /// Reads the checkpoint of a job. Returns `None` if there is no file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is damaged, or belongs to another job.
    pub fn read(
        path: &Path,
        magic: [u8; 8],
        job: &TrainJob,
    ) -> Result<Option<Checkpoint>, FileError> {
        if !path.exists() {
            return Ok(None);
        }
        let file = emilia_files::read(path, MAX_SIZE)?;
        let checkpoint = Checkpoint::from_bytes(&file, magic, job);
        checkpoint
            .map(Some)
            .map_err(|why| FileError::refused(path, why))
    }

    /// Returns the bytes of the file for a job.
    pub fn to_bytes(&self, magic: [u8; 8], job: &TrainJob) -> Vec<u8> {
        let mut rest = (self.curve.len() as u64).to_le_bytes().to_vec();
        for point in &self.curve {
            rest.extend(point.positions.to_le_bytes());
            rest.extend(point.training_rmse.to_le_bytes());
            rest.extend(point.held_out_rmse.to_le_bytes());
        }
        for number in &self.numbers {
            rest.extend(number.to_le_bytes());
        }
        let mut file = job.head(magic);
        file.extend(checksum(&rest).to_le_bytes());
        file.extend(rest);
        file
    }

    /// Parses the file of a job.
    ///
    /// # Errors
    /// Returns an error if the file is not a checkpoint of this job, or is damaged.
    pub fn from_bytes(
        file: &[u8],
        magic: [u8; 8],
        job: &TrainJob,
    ) -> Result<Checkpoint, BadCheckpoint> {
        parse(job.behind_head(magic, file)?).ok_or(BadCheckpoint::Damaged)
    }
}

/// Parses the bytes after the head: checksum and content. `None` if they are damaged.
fn parse(sealed: &[u8]) -> Option<Checkpoint> {
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
    Some(Checkpoint {
        curve: curve.collect(),
        numbers: numbers.iter().copied().map(f32::from_le_bytes).collect(),
    })
}
