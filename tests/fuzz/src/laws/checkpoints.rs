//! Laws of checkpoint files, of pattern fits and of network training.

use emilia::train::{Checkpoint, Job, NetCheckpoint};

use super::scratch::Scratch;
use super::{assert_sentence, checksum};

/// Returns a job with one fact.
fn job() -> Job {
    Job::new([("a", "b".to_owned())])
}

/// Head of the job's checkpoints after the magic.
const HEAD: &[u8] = b"\x05\0\0\0\0\0\0\0a: b\n";

pub(super) fn law(bytes: &[u8]) {
    of_a_fit(bytes);
    of_a_net(bytes);
    of_a_fit(&sealed_fit(bytes));
    of_a_net(&sealed_net(bytes));
}

/// Returns a network checkpoint with valid head and checksum and `rest` as content.
fn sealed_net(rest: &[u8]) -> Vec<u8> {
    let mut file = b"EmiliaC2".to_vec();
    file.extend(HEAD);
    file.extend(checksum(rest).to_le_bytes());
    file.extend(rest);
    file
}

/// Returns a fit checkpoint with valid heads and checksums of stages.
/// The first two bytes of each stage are its numbers of weights and of curve points.
fn sealed_fit(bytes: &[u8]) -> Vec<u8> {
    let mut file = b"EmiliaT3".to_vec();
    file.extend(HEAD);
    let mut rest = bytes;
    while let Some((&[weights, points], after)) = rest.split_first_chunk() {
        let size = 4 * usize::from(weights) + 64 * usize::from(points);
        let content = &after[..size.min(after.len())];
        file.extend(u32::from(weights).to_le_bytes());
        file.extend(u32::from(points).to_le_bytes());
        file.extend(checksum(content).to_le_bytes());
        file.extend(content);
        rest = &after[content.len()..];
    }
    file
}

fn of_a_net(file: &[u8]) {
    match NetCheckpoint::from_bytes(file, &job()) {
        Ok(checkpoint) => {
            let written = checkpoint.to_bytes(&job());
            // A remainder of fewer than four bytes is no number and is dropped.
            assert!(file.len() - written.len() < 4);
            // NaN does not equal itself, so texts are compared.
            let again = NetCheckpoint::from_bytes(&written, &job());
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
    let (mut checkpoint, stages) = match Checkpoint::open(file.path(), &job()) {
        Ok(opened) => opened,
        Err(error) => {
            assert_eq!(file.bytes(), bytes, "a refused file is unchanged");
            return assert_sentence(&error);
        }
    };
    let kept = file.bytes();
    assert!(bytes.starts_with(&kept) || stages.is_empty());
    let mut expected = format!("{stages:?}");
    if let Some(first) = stages.first() {
        checkpoint
            .append(first)
            .expect("a file that can be written");
        expected = format!("{:?}", [&stages[..], &stages[..1]].concat());
    }
    drop(checkpoint);
    let (_, stages) = Checkpoint::open(file.path(), &job()).expect("a checkpoint");
    assert_eq!(format!("{stages:?}"), expected);
    assert!(file.bytes().starts_with(&kept));
}
