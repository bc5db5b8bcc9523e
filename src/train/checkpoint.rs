//! Checkpoint of a pattern fit: an interrupted run resumes after the last complete stage.
//!
//! File format: a head that describes the job, then a record for each stage.
//! A record holds its length, its checksum, the weights and the learning curve.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::fit::StageFit;
use super::job::Job;
use super::samples::ErrorStats;
use crate::files::checksum;
use crate::files::{self, FileError};

/// Magic bytes of the file. The last digit is the version.
const MAGIC: [u8; 8] = *b"EmiliaT3";

/// Bytes before the weights of a stage: number of weights, number of curve points, checksum.
const STAGE_HEADER: usize = 16;

/// Bytes of a point of the learning curve: errors on training and on held-out samples.
const CURVE_POINT: usize = 8 * size_of::<f64>();

/// Open checkpoint file, which grows by one stage at a time.
#[derive(Debug)]
pub struct Checkpoint {
    file: File,
    path: PathBuf,
}

impl Checkpoint {
    /// Opens the file and returns the complete stages of the job. Creates a missing file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or written, or belongs to another job.
    /// The file is then unchanged.
    pub fn open(path: &Path, job: &Job) -> Result<(Checkpoint, Vec<StageFit>), FileError> {
        let wrong = |error| FileError::new(path, error);
        let mut file = files::open_to_append(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(wrong)?;
        let mut finished = Vec::new();
        let head = job.head(MAGIC);
        let keep = if head.starts_with(&bytes) {
            // The file is new, or its run ended before it wrote more than a part of the head.
            file.rewind().and_then(|()| file.write_all(&head))
        } else {
            let mut rest = job
                .behind_head(MAGIC, &bytes)
                .map_err(|why| FileError::refused(path, why))?;
            while let Some((stage, size)) = parse(rest) {
                finished.push(stage);
                rest = &rest[size..];
            }
            file.set_len((bytes.len() - rest.len()) as u64)
        };
        keep.and_then(|()| file.seek(SeekFrom::End(0)))
            .map_err(wrong)?;
        let path = path.to_path_buf();
        Ok((Checkpoint { file, path }, finished))
    }

    /// Appends a complete stage.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn append(&mut self, stage: &StageFit) -> Result<(), FileError> {
        files::append(&self.path, &mut self.file, &to_bytes(stage))
    }
}

fn to_bytes(stage: &StageFit) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend((stage.weights.len() as u32).to_le_bytes());
    bytes.extend((stage.curve.len() as u32).to_le_bytes());
    bytes.extend([0; 8]);
    for weight in &stage.weights {
        bytes.extend(weight.to_le_bytes());
    }
    for error in stage.curve.iter().flatten() {
        for sum in error.sums() {
            bytes.extend(sum.to_le_bytes());
        }
    }
    let sum = checksum(&bytes[STAGE_HEADER..]);
    bytes[8..STAGE_HEADER].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// Parses the stage at the start of `bytes`. Returns it with its length in bytes.
/// `None` if it is truncated or damaged.
fn parse(bytes: &[u8]) -> Option<(StageFit, usize)> {
    let header: &[u8; STAGE_HEADER] = bytes.first_chunk()?;
    let count = |at: usize| {
        u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]) as usize
    };
    let weights_end = STAGE_HEADER + count(0) * size_of::<f32>();
    let end = weights_end + count(4) * CURVE_POINT;
    let content = bytes.get(STAGE_HEADER..end)?;
    if header[8..] != checksum(content).to_le_bytes() {
        return None;
    }
    let (weights, _) = bytes[STAGE_HEADER..weights_end].as_chunks();
    let (sums, _) = bytes[weights_end..end].as_chunks();
    let sums: Vec<f64> = sums.iter().map(|&sum| f64::from_le_bytes(sum)).collect();
    let (curve, _) = sums.as_chunks::<8>();
    let stage = StageFit {
        weights: weights
            .iter()
            .map(|&weight| f32::from_le_bytes(weight))
            .collect(),
        curve: curve
            .iter()
            .map(|&[a, b, c, d, e, f, g, h]| {
                [
                    ErrorStats::from_sums([a, b, c, d]),
                    ErrorStats::from_sums([e, f, g, h]),
                ]
            })
            .collect(),
    };
    Some((stage, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(passes: u32) -> Job {
        Job::new([("--passes", passes.to_string())])
    }

    fn stage(seed: u64) -> StageFit {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut error = || ErrorStats::from_sums([3.0, 0.5, random.f64(), random.f64()]);
        let curve = vec![[error(), error()], [error(), error()]];
        StageFit {
            weights: (0..100).map(|_| random.f32()).collect(),
            curve,
        }
    }

    #[test]
    fn complete_stages_are_read_back_and_a_truncated_one_is_not() {
        let path = std::env::temp_dir().join(format!("emilia-checkpoint-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let (mut checkpoint, finished) = Checkpoint::open(&path, &job(7)).unwrap();
        assert_eq!(finished, []);
        let stages = [stage(1), stage(2), stage(3)];
        for stage in &stages {
            checkpoint.append(stage).unwrap();
        }
        drop(checkpoint);
        assert_eq!(Checkpoint::open(&path, &job(7)).unwrap().1, stages);

        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 5]).unwrap();
        let (mut checkpoint, finished) = Checkpoint::open(&path, &job(7)).unwrap();
        assert_eq!(finished, stages[..2]);
        checkpoint.append(&stages[2]).unwrap();
        drop(checkpoint);
        assert_eq!(std::fs::read(&path).unwrap(), whole);

        for other in [whole, b"a letter to the editor".to_vec()] {
            std::fs::write(&path, &other).unwrap();
            assert!(Checkpoint::open(&path, &job(8)).is_err());
            assert_eq!(std::fs::read(&path).unwrap(), other);
        }
        std::fs::remove_file(&path).unwrap();
    }
}
