//! Tests of checkpoint files: round trip, and which files are refused for which reason.

use super::*;

const MAGIC: [u8; 8] = *b"EmiliaX7";

fn job(epochs: u32, data: &str) -> TrainJob {
    let facts = [("--epochs", epochs.to_string()), ("data", data.to_owned())];
    TrainJob::new(MAGIC, facts)
}

#[test]
fn only_whole_files_of_the_same_job_are_read() {
    let checkpoint = Checkpoint {
        curve: vec![CurvePoint {
            positions: 7,
            training_rmse: 1.5,
            held_out_rmse: 2.5,
        }],
        numbers: vec![1.0, -3.25],
    };
    let own = job(4, "8 blocks");
    let file = checkpoint.to_bytes(&own);
    assert_eq!(Checkpoint::from_bytes(&file, &own), Ok(checkpoint.clone()));
    let mut changed = file.clone();
    *changed.last_mut().unwrap() ^= 1;
    let other = |epochs, data: &str| checkpoint.to_bytes(&job(epochs, data));
    for (file, why) in [
        (&b""[..], "not a checkpoint of this kind"),
        (b"a letter", "not a checkpoint of this kind"),
        (b"EmiliaX6", "another version"),
        (&file[..12], "damaged"),
        (&file[..file.len() - 1], "damaged"),
        (&changed, "damaged"),
        (&checkpoint.to_bytes(&TrainJob::new(MAGIC, [])), "damaged"),
        (&other(2, "8 blocks"), "(--epochs: 2 there, 4 here)"),
        (&other(2, "9\0"), "here; data: 9\\0 there, 8 blocks here)"),
    ] {
        let found = Checkpoint::from_bytes(file, &own).unwrap_err();
        assert!(found.contains(why), "{found}");
    }
}
