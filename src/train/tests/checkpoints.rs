//! Tests of checkpoint files: round trip, and the reasons for which a file is refused.

use super::*;

#[test]
fn only_whole_files_of_the_same_job_are_read() {
    let checkpoint = Checkpoint {
        pools: 3,
        positions: 7,
        numbers: vec![1.0, -3.25],
    };
    let file = checkpoint.to_bytes("job");
    assert_eq!(Checkpoint::from_bytes(&file, "job"), Ok(checkpoint.clone()));
    let mut changed = file.clone();
    *changed.last_mut().unwrap() ^= 1;
    for (file, why) in [
        (&b""[..], "not a checkpoint"),
        (b"EmiliaC2", "another version"),
        (&file[..12], "damaged"),
        (&file[..file.len() - 1], "damaged"),
        (&changed, "damaged"),
        (&checkpoint.to_bytes("another"), "other data or options"),
    ] {
        let found = Checkpoint::from_bytes(file, "job").unwrap_err();
        assert!(found.contains(why), "{found}");
    }
}
