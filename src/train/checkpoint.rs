//! What is fitted so far, on disk: a run that was killed goes on after the last stage it finished. Stands on `fit`.
//!
//! The file begins with a magic and a number that tells one run from another. Each finished stage follows with its
//! length, its checksum, its weights and its errors.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::fit::StageFit;
use super::samples::Error;
use crate::files::checksum;
use crate::files::{self, FileError};

/// How the file begins.
const MAGIC: [u8; 8] = *b"EmiliaT2";

/// Bytes before the weights of a stage: how many weights, how many errors, and the checksum of both.
const STAGE_HEADER: usize = 16;

/// Bytes of a pair of errors.
const ERRORS: usize = 8 * size_of::<f64>();

/// A file that grows by a stage at a time.
#[derive(Debug)]
pub struct Checkpoint {
    file: File,
    path: PathBuf,
}

impl Checkpoint {
    /// Opens the file of the run with this number and reads what it has finished; a file of another run begins anew.
    ///
    /// # Errors
    /// If the file cannot be read or written, or is none of this kind.
    pub fn open(path: &Path, run: u64) -> Result<(Checkpoint, Vec<StageFit>), FileError> {
        let wrong = |error| FileError::new(path, error);
        let mut file = files::open_to_append(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(wrong)?;
        let start = [MAGIC, run.to_le_bytes()].concat();
        let kind = &MAGIC[..MAGIC.len() - 1];
        if !bytes.is_empty() && !bytes.starts_with(kind) {
            let why =
                "it is no checkpoint of a fit; move it away, or give the weights another name";
            return Err(FileError::refused(path, why));
        }
        let mut finished = Vec::new();
        let keep = if bytes.starts_with(&start) {
            let mut at = start.len();
            while let Some((stage, size)) = parse(&bytes[at..]) {
                finished.push(stage);
                at += size;
            }
            file.set_len(at as u64)
        } else {
            file.set_len(0)
                .and_then(|()| file.rewind())
                .and_then(|()| file.write_all(&start))
        };
        keep.and_then(|()| file.seek(SeekFrom::End(0)))
            .map_err(wrong)?;
        let path = path.to_path_buf();
        Ok((Checkpoint { file, path }, finished))
    }

    /// Keeps a stage that is finished.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&mut self, stage: &StageFit) -> Result<(), FileError> {
        self.file
            .write_all(&to_bytes(stage))
            .map_err(|error| FileError::new(&self.path, error))
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
        for part in error.parts() {
            bytes.extend(part.to_le_bytes());
        }
    }
    let sum = checksum(&bytes[STAGE_HEADER..]);
    bytes[8..STAGE_HEADER].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// The stage at the start of `bytes` and how many bytes it takes, if it is there and whole.
fn parse(bytes: &[u8]) -> Option<(StageFit, usize)> {
    let header: &[u8; STAGE_HEADER] = bytes.first_chunk()?;
    let count = |at: usize| {
        u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]) as usize
    };
    let weights_end = STAGE_HEADER + count(0) * size_of::<f32>();
    let end = weights_end + count(4) * ERRORS;
    let content = bytes.get(STAGE_HEADER..end)?;
    if header[8..] != checksum(content).to_le_bytes() {
        return None;
    }
    let (weights, _) = bytes[STAGE_HEADER..weights_end].as_chunks();
    let (parts, _) = bytes[weights_end..end].as_chunks();
    let parts: Vec<f64> = parts.iter().map(|&part| f64::from_le_bytes(part)).collect();
    let (errors, _) = parts.as_chunks::<8>();
    let stage = StageFit {
        weights: weights
            .iter()
            .map(|&weight| f32::from_le_bytes(weight))
            .collect(),
        curve: errors
            .iter()
            .map(|&[a, b, c, d, e, f, g, h]| {
                [
                    Error::from_parts([a, b, c, d]),
                    Error::from_parts([e, f, g, h]),
                ]
            })
            .collect(),
    };
    Some((stage, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stage(seed: u64) -> StageFit {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut error = || Error::from_parts([3.0, 0.5, random.f64(), random.f64()]);
        let curve = vec![[error(), error()], [error(), error()]];
        StageFit {
            weights: (0..100).map(|_| random.f32()).collect(),
            curve,
        }
    }

    #[test]
    fn what_was_kept_is_found_again_and_what_is_torn_is_not() {
        let path = std::env::temp_dir().join(format!("emilia-checkpoint-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let (mut checkpoint, finished) = Checkpoint::open(&path, 7).unwrap();
        assert_eq!(finished, []);
        let stages = [stage(1), stage(2), stage(3)];
        for stage in &stages {
            checkpoint.keep(stage).unwrap();
        }
        drop(checkpoint);
        assert_eq!(Checkpoint::open(&path, 7).unwrap().1, stages);

        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 5]).unwrap();
        let (mut checkpoint, finished) = Checkpoint::open(&path, 7).unwrap();
        assert_eq!(finished, stages[..2]);
        checkpoint.keep(&stages[2]).unwrap();
        drop(checkpoint);
        assert_eq!(std::fs::read(&path).unwrap(), whole);

        assert_eq!(Checkpoint::open(&path, 8).unwrap().1, []);
        std::fs::write(&path, "a letter to the editor").unwrap();
        assert!(Checkpoint::open(&path, 8).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"a letter to the editor");
        std::fs::remove_file(&path).unwrap();
    }
}
