//! End-to-end tests of `emilia selfplay`: damaged files and files of other runs are left unchanged.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::run::{Run, emilia};

/// Returns the path of a temporary file and removes a file that is there.
fn scratch(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("selfplay-{name}"));
    let _ = fs::remove_file(&path);
    path
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a UTF-8 path")
}

/// Options of a job of 600 games.
const GAMES: [&str; 6] = ["--games", "600", "--depth", "1", "--exact", "6"];

/// Runs `emilia selfplay --out FILE` with the options `what` and `more`.
fn play(file: &Path, what: &[&str], more: &[&str]) -> Run {
    emilia(
        &[&["selfplay", "--out", text(file)], what, more].concat(),
        b"",
    )
}

#[test]
fn damaged_and_foreign_files_are_refused_and_unchanged() {
    let path = scratch("foreign.games");
    assert_eq!(play(&path, &GAMES, &["--shard", "2/2"]).code, Some(0));
    let bytes = fs::read(&path).unwrap();
    for other in [
        &["--shard", "1/2"][..],
        &["--shard", "2/2", "--seed", "2"],
        &["--shard", "2/2", "--selectivity", "100"],
    ] {
        let run = play(&path, &GAMES, other);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains("blocks of another run"), "{run:?}");
    }
    assert!(fs::read(&path).unwrap() == bytes);

    // Header bytes: record count (28), packed size (24), magic (3). Byte 90 is in the records.
    for byte in [28, 90, 3] {
        let mut damaged = bytes.clone();
        damaged[byte] ^= 0x40;
        fs::write(&path, &damaged).unwrap();
        let run = play(&path, &GAMES, &["--shard", "2/2"]);
        assert_eq!(
            (run.code, run.stderr.lines().count()),
            (Some(2), 1),
            "{run:?}"
        );
        assert!(run.stderr.contains("block 1, at byte 0"), "{run:?}");
        assert!(fs::read(&path).unwrap() == damaged);
    }
    play(Path::new("/dev/full"), &GAMES, &[]).assert_refused("not a plain file");
}

#[test]
fn conflicting_or_invalid_options_are_refused() {
    let path = scratch("never.games");
    for (what, expected) in [
        (&["--games", "5", "--roots", "5"][..], "cannot be used with"),
        (
            &["--roots", "5", "--empties", "8-55"],
            "expected numbers from 1 to 52",
        ),
        (&["--games", "5", "--random-plies", "9-3"], "like 8-55"),
        (&["--games", "5", "--time", "1"], "must be reproducible"),
        (&[], "--games"),
    ] {
        let run = play(&path, what, &[]);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains(expected), "{run:?}");
        assert!(!path.exists());
    }
}
