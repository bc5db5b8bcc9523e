//! Law of checkpoint files: a checkpoint that is read, written and read again is equal.

use emilia_train::{Checkpoint, PatternFit, TrainJob};

use super::scratch::Scratch;
use super::{assert_sentence, checksum};

/// Magic bytes of the checkpoints of a net.
const NET: [u8; 8] = *b"EmiliaC2";

/// Magic bytes of the checkpoints of a pattern fit.
const FIT: [u8; 8] = *b"EmiliaT4";

/// Returns a job with one fact.
fn job(magic: [u8; 8]) -> TrainJob {
    TrainJob::new(magic, [("a", "b".to_owned())])
}

/// Head of the job's checkpoints after the magic.
const HEAD: &[u8] = b"\x05\0\0\0\0\0\0\0a: b\n";

/// Reads the bytes as checkpoints: unchanged, and as the content of a valid one.
pub(super) fn law(bytes: &[u8]) {
    for magic in [NET, FIT] {
        read_and_written(bytes, magic);
        read_and_written(&sealed(bytes, magic), magic);
    }
    of_a_fit(bytes);
    of_a_fit(&sealed(bytes, FIT));
}

/// Returns a checkpoint with valid head and checksum and `rest` as content.
fn sealed(rest: &[u8], magic: [u8; 8]) -> Vec<u8> {
    let sum = checksum(rest).to_le_bytes();
    [&magic[..], HEAD, &sum, rest].concat()
}

fn read_and_written(file: &[u8], magic: [u8; 8]) {
    match Checkpoint::from_bytes(file, &job(magic)) {
        Ok(checkpoint) => {
            let written = checkpoint.to_bytes(&job(magic));
            // A remainder of fewer than four bytes is no number and is dropped.
            assert!(file.len() - written.len() < 4);
            // NaN does not equal itself, so texts are compared.
            let again = Checkpoint::from_bytes(&written, &job(magic));
            assert_eq!(
                format!("{again:?}"),
                format!("{:?}", Ok::<_, ()>(checkpoint))
            );
        }
        Err(error) => assert_sentence(&error),
    }
}

fn of_a_fit(bytes: &[u8]) {
    let file = Scratch::new(bytes);
    if let Err(error) = PatternFit::open(file.path(), job(FIT)) {
        assert_sentence(&error);
    }
    assert_eq!(file.bytes(), bytes, "reading leaves the file as it is");
}
