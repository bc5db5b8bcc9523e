//! Checkpoint of a training: written whole after each pool, so that a run that was killed resumes there.
//!
//! Magic, the identity of the run, the checksum of what follows: how many points the curve has, these, and the numbers of
//! the learner.

use std::path::Path;

use super::{CurvePoint, NetTraining};
use crate::files::{self, FileError, MIB, checksum};

/// Magic of the file; the last digit is the version.
const MAGIC: [u8; 8] = *b"EmiliaC1";

/// Bytes before the curve.
const HEADER_BYTES: usize = 32;

/// Bytes of a point of the curve.
const POINT_BYTES: usize = 24;

/// The largest file that is read.
const LARGEST: u64 = 1024 * MIB;

impl NetTraining<'_> {
    /// Writes a checkpoint of the run with this identity.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn write_checkpoint(&self, path: &Path, run: u64) -> Result<(), FileError> {
        let mut rest = (self.curve.len() as u64).to_le_bytes().to_vec();
        for point in &self.curve {
            rest.extend(point.positions.to_le_bytes());
            rest.extend(point.training_rmse.to_le_bytes());
            rest.extend(point.held_out_rmse.to_le_bytes());
        }
        for number in self.learner.numbers() {
            rest.extend(number.to_le_bytes());
        }
        let mut file = MAGIC.to_vec();
        file.extend(run.to_le_bytes());
        file.extend(checksum(&rest).to_le_bytes());
        file.extend(rest);
        files::replace(path, &file)
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
        let kind = &MAGIC[..MAGIC.len() - 1];
        if !file.starts_with(kind) {
            let why = "it is no checkpoint of a net; move it away, or give the net another name";
            return Err(FileError::refused(path, why));
        }
        let start = [MAGIC, run.to_le_bytes()].concat();
        if !file.starts_with(&start) || file.len() < HEADER_BYTES {
            return Ok(false);
        }
        let number = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| file[at + byte]));
        let rest = &file[start.len() + 8..];
        if checksum(rest) != number(start.len()) {
            return Ok(false);
        }
        let points = number(start.len() + 8) as usize;
        let end = HEADER_BYTES + points * POINT_BYTES;
        let point = |at: usize| CurvePoint {
            positions: number(at),
            training_rmse: f64::from_bits(number(at + 8)),
            held_out_rmse: f64::from_bits(number(at + 16)),
        };
        self.curve = (HEADER_BYTES..end)
            .step_by(POINT_BYTES)
            .map(point)
            .collect();
        let (numbers, _) = file[end..].as_chunks();
        let mut numbers = numbers.iter().copied().map(f32::from_le_bytes);
        let whole = self.learner.restore(&mut numbers).is_some();
        whole
            .then_some(true)
            .ok_or_else(|| FileError::refused(path, "it is damaged; remove it to begin anew"))
    }
}
