//! Law of checkpoint files: a checkpoint that is read, written and read again is equal.

use emilia_train::Checkpoint;

use super::{assert_sentence, checksum};

const JOB: &str = "a job";

/// Reads the bytes as checkpoints: unchanged, and as the content of a valid one.
pub(super) fn law(bytes: &[u8]) {
    read_and_written(bytes);
    let sums = [checksum(JOB.as_bytes()), checksum(bytes)].map(u64::to_le_bytes);
    read_and_written(&[b"EmiliaC3", sums.as_flattened(), bytes].concat());
}

fn read_and_written(file: &[u8]) {
    match Checkpoint::from_bytes(file, JOB) {
        Ok(checkpoint) => {
            let written = checkpoint.to_bytes(JOB);
            // A remainder of fewer than four bytes is not a number and is dropped.
            assert!(file.len() - written.len() < 4);
            // NaN does not equal itself, so texts are compared.
            let again = Checkpoint::from_bytes(&written, JOB);
            assert_eq!(
                format!("{again:?}"),
                format!("{:?}", Ok::<_, ()>(checkpoint))
            );
        }
        Err(error) => assert_sentence(&error),
    }
}
