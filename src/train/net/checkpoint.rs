//! Checkpoint of a training: written whole after each pool, so that a run that was killed resumes there.
//!
//! Magic, the identity of the run, the checksum of what follows: how many points the curve has, these, and the numbers of
//! the learner.

use std::fmt;
use std::path::Path;

use super::{CurvePoint, NetTraining};
use crate::files::{self, FileError, MIB, checksum};

/// Magic of the file; the last digit is the version.
const MAGIC: [u8; 8] = *b"EmiliaC1";

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

/// A file that is no checkpoint of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoNetCheckpoint;

impl fmt::Display for NoNetCheckpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it is no checkpoint of a net; move it away, or give the net another name")
    }
}

impl std::error::Error for NoNetCheckpoint {}

impl NetCheckpoint {
    /// The file of the run with this identity.
    pub fn to_bytes(&self, run: u64) -> Vec<u8> {
        let mut rest = (self.curve.len() as u64).to_le_bytes().to_vec();
        for point in &self.curve {
            rest.extend(point.positions.to_le_bytes());
            rest.extend(point.training_rmse.to_le_bytes());
            rest.extend(point.held_out_rmse.to_le_bytes());
        }
        for number in &self.numbers {
            rest.extend(number.to_le_bytes());
        }
        let mut file = MAGIC.to_vec();
        file.extend(run.to_le_bytes());
        file.extend(checksum(&rest).to_le_bytes());
        file.extend(rest);
        file
    }

    /// What a file holds; `None` if it is of another run or version, or not whole.
    ///
    /// # Errors
    /// If it does not begin like a checkpoint.
    pub fn from_bytes(file: &[u8], run: u64) -> Result<Option<NetCheckpoint>, NoNetCheckpoint> {
        let [kind @ .., _version] = MAGIC;
        if !file.starts_with(&kind) {
            return Err(NoNetCheckpoint);
        }
        let rest = file.strip_prefix(&MAGIC);
        let rest = rest.and_then(|rest| rest.strip_prefix(&run.to_le_bytes()));
        Ok(rest.and_then(parse))
    }
}

/// What stands behind the identity of the run.
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
    /// Writes a checkpoint of the run with this identity.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn write_checkpoint(&self, path: &Path, run: u64) -> Result<(), FileError> {
        let checkpoint = NetCheckpoint {
            curve: self.curve.clone(),
            numbers: self.learner.numbers().collect(),
        };
        files::replace(path, &checkpoint.to_bytes(run))
    }

    /// Takes over the checkpoint of the run with this identity, if there is one: whether that was so.
    ///
    /// # Errors
    /// If the file cannot be read, or is no checkpoint.
    pub(crate) fn resume(&mut self, path: &Path, run: u64) -> Result<bool, FileError> {
        if !path.exists() {
            return Ok(false);
        }
        let file = files::read(path, LARGEST)?;
        let checkpoint = NetCheckpoint::from_bytes(&file, run);
        let Some(checkpoint) = checkpoint.map_err(|error| FileError::refused(path, error))? else {
            return Ok(false);
        };
        let mut numbers = checkpoint.numbers.into_iter();
        if self.learner.restore(&mut numbers).is_none() {
            return Err(FileError::refused(
                path,
                "it is damaged; remove it to begin anew",
            ));
        }
        self.curve = checkpoint.curve;
        Ok(true)
    }
}
