//! Checkpoint of a training, written as a whole after each finished part.
//!
//! A training resumes only checkpoints of its own job. File format: the magic of the kind of
//! training, the length of the job's description in bytes, the description (a line `name: value`
//! for each fact that the result depends on), the checksum of the rest, the number of points of the
//! learning curve, the points, and the numbers of the learner.

use std::path::Path;

use emilia_core::board::excerpt_within;
use emilia_core::eval::checksum;
use emilia_files::{FileError, MIB};

/// Maximum size of a file in bytes.
const MAX_SIZE: u64 = 1024 * MIB;

/// Bytes of a point of the learning curve.
const POINT_BYTES: usize = 24;

/// Why a damaged file is refused.
const DAMAGED: &str = "it is damaged";

/// Kind of training, data, options and shape that a result depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainJob {
    /// Magic bytes of the checkpoints of this kind of training. The last one is the version.
    magic: [u8; 8],
    /// Description: a line `name: value` for each fact.
    facts: String,
}

impl TrainJob {
    /// Creates a job from names and values. Their order is part of the description.
    pub fn new<'a>(magic: [u8; 8], facts: impl IntoIterator<Item = (&'a str, String)>) -> TrainJob {
        let lines = facts.into_iter();
        let lines = lines.map(|(name, value)| format!("{name}: {value}\n"));
        TrainJob {
            magic,
            facts: lines.collect(),
        }
    }

    /// Lists the facts that differ from those of another job.
    fn differences(&self, others: &str) -> String {
        let both = self.facts.lines().zip(others.lines());
        let different = both.filter(|(own, other)| own != other);
        let listed = different.map(|(own, other)| {
            let (name, own) = own.split_once(": ").unwrap_or(("", own));
            let other = other.split_once(": ").map_or(other, |(_, other)| other);
            format!("{name}: {} there, {own} here", excerpt_within(other, 80))
        });
        listed.collect::<Vec<_>>().join("; ")
    }
}

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
    /// Learning curve of a net: one point for each completed pool.
    pub curve: Vec<CurvePoint>,
    /// Weights and optimiser state.
    pub numbers: Vec<f32>,
}

impl Checkpoint {
    /// Writes the checkpoint of a job.
    pub(super) fn write(&self, path: &Path, job: &TrainJob) -> Result<(), FileError> {
        emilia_files::replace(path, &self.to_bytes(job))
    }

    /// Reads the checkpoint of a job. Returns `None` if there is no file.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or belongs to another job.
    pub(super) fn read(path: &Path, job: &TrainJob) -> Result<Option<Checkpoint>, FileError> {
        if !path.exists() {
            return Ok(None);
        }
        let file = emilia_files::read(path, MAX_SIZE)?;
        let checkpoint = Checkpoint::from_bytes(&file, job);
        checkpoint.map(Some).map_err(|why| refused(path, &why))
    }

    /// Returns the bytes of the file for a job.
    pub fn to_bytes(&self, job: &TrainJob) -> Vec<u8> {
        let mut rest = (self.curve.len() as u64).to_le_bytes().to_vec();
        for point in &self.curve {
            rest.extend(point.positions.to_le_bytes());
            rest.extend(point.training_rmse.to_le_bytes());
            rest.extend(point.held_out_rmse.to_le_bytes());
        }
        for number in &self.numbers {
            rest.extend(number.to_le_bytes());
        }
        let mut file = job.magic.to_vec();
        file.extend((job.facts.len() as u64).to_le_bytes());
        file.extend(job.facts.as_bytes());
        file.extend(checksum(&rest).to_le_bytes());
        file.extend(rest);
        file
    }

    /// Parses the file of a job.
    ///
    /// # Errors
    /// If the file is not a checkpoint of this job, or is damaged.
    pub fn from_bytes(file: &[u8], job: &TrainJob) -> Result<Checkpoint, String> {
        let [kind @ .., _version] = job.magic;
        if !file.starts_with(&kind) {
            return Err("it is not a checkpoint of this kind of training".to_owned());
        }
        let Some(rest) = file.strip_prefix(&job.magic) else {
            return Err("another version of the program wrote it".to_owned());
        };
        let parts = rest.split_first_chunk().and_then(|(&length, rest)| {
            let length = usize::try_from(u64::from_le_bytes(length)).ok()?;
            rest.split_at_checked(length)
        });
        let (facts, rest) = parts.ok_or(DAMAGED)?;
        if facts != job.facts.as_bytes() {
            let differences = job.differences(&String::from_utf8_lossy(facts));
            if differences.is_empty() {
                return Err(DAMAGED.to_owned());
            }
            return Err(format!(
                "it is the checkpoint of another training ({differences})"
            ));
        }
        Ok(parse(rest).ok_or(DAMAGED)?)
    }
}

/// Returns the error for a checkpoint that cannot be resumed.
pub(super) fn refused(path: &Path, why: &str) -> FileError {
    let restart = "give another --out, or --restart, which renames this file and starts again";
    FileError::refused(path, format!("{why}; {restart}"))
}

/// Parses checksum and content. `None` if they are damaged.
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
