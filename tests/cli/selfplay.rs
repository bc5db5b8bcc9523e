//! End-to-end tests of `emilia selfplay`: damaged files and files of other runs are left unchanged.

use std::fs;
use std::path::Path;

use crate::common::run::{cases, emilia_line};

#[test]
fn damaged_and_foreign_files_are_refused_and_unchanged() {
    let path = format!("{}/selfplay-foreign.games", env!("CARGO_TARGET_TMPDIR"));
    let _ = fs::remove_file(&path);
    let play = |more: &str| {
        let job = "--games 600 --depth 1 --exact 6";
        emilia_line(&format!("selfplay --out {path} {job} {more}"))
    };
    play("--shard 2/2").assert_done();
    let bytes = fs::read(&path).unwrap();
    for other in [
        "--shard 1/2",
        "--shard 2/2 --seed 2",
        "--shard 2/2 --selectivity 100",
    ] {
        play(other).assert_refused("blocks of another run");
    }
    assert!(fs::read(&path).unwrap() == bytes);

    // Header bytes: record count (28), packed size (24), magic (3). Byte 90 is in the records.
    for byte in [28, 90, 3] {
        let mut damaged = bytes.clone();
        damaged[byte] ^= 0x40;
        fs::write(&path, &damaged).unwrap();
        play("--shard 2/2").assert_refused("block 1, at byte 0");
        assert!(fs::read(&path).unwrap() == damaged);
    }
}

#[test]
fn conflicting_or_invalid_options_are_refused() {
    let path = format!("{}/selfplay-never.games", env!("CARGO_TARGET_TMPDIR"));
    for [options, expected] in cases(
        "--games 5 --roots 5 | cannot be used with
        --roots 5 --empties 8-55 | expected numbers from 1 to 52
        --games 5 --random-plies 9-3 | like 8-55
        --games 5 --time 1 | must be reproducible
        --seed 1 | --games
        --games 5 --out /dev/full | not a plain file",
    ) {
        let out = if options.contains("--out") {
            String::new()
        } else {
            format!(" --out {path}")
        };
        emilia_line(&format!("selfplay {options}{out}")).assert_refused(expected);
        assert!(!Path::new(&path).exists());
    }
}
