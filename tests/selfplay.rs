//! `emilia selfplay` from outside: a run that was killed goes on where it stopped.

mod run;

use std::fs;
use std::path::PathBuf;

use run::{Run, emilia};

/// Bytes of a block of 256 games.
const BLOCK: usize = 64 + 256 * 64;

/// A file of this test alone.
fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn play(file: &std::path::Path, more: &[&str]) -> Run {
    let file = file.to_str().expect("a path of plain letters");
    let fixed = [
        "selfplay", "--out", file, "--games", "600", "--depth", "1", "--exact", "6",
    ];
    emilia(&[&fixed, more].concat(), b"")
}

#[test]
fn a_killed_run_resumes_and_comes_out_the_same() {
    let path = scratch("resumed.games");
    let _ = fs::remove_file(&path);
    let whole = play(&path, &["--threads", "1"]);
    assert_eq!(whole.code, Some(0), "{whole:?}");
    assert!(whole.stdout.contains("600 games, "), "{whole:?}");
    let bytes = fs::read(&path).unwrap();
    assert_eq!(bytes.len(), 3 * 64 + 600 * 64);

    for cut in [0, 10, BLOCK, BLOCK + 5, BLOCK + 1000, 2 * BLOCK + 64] {
        fs::write(&path, &bytes[..cut]).unwrap();
        let resumed = play(&path, &["--threads", "2"]);
        assert_eq!(resumed.code, Some(0), "{resumed:?}");
        assert_eq!(fs::read(&path).unwrap(), bytes, "cut at {cut}");
    }
    let nothing_left = play(&path, &[]);
    assert!(nothing_left.stdout.contains("600 games are there already"));
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn games_of_another_run_and_other_files_are_left_alone() {
    let path = scratch("foreign.games");
    let _ = fs::remove_file(&path);
    assert_eq!(play(&path, &["--shard", "2/2"]).code, Some(0));
    let bytes = fs::read(&path).unwrap();
    for other in [
        &["--shard", "1/2"][..],
        &["--shard", "2/2", "--seed", "2"],
        &["--shard", "2/2", "--selectivity", "100"],
    ] {
        let run = play(&path, other);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains("games of another run"), "{run:?}");
    }
    assert_eq!(fs::read(&path).unwrap(), bytes);
    fs::write(&path, "a letter to the editor").unwrap();
    let run = play(&path, &[]);
    assert_eq!(
        (run.code, run.stderr.lines().count()),
        (Some(2), 1),
        "{run:?}"
    );
    assert_eq!(fs::read(&path).unwrap(), b"a letter to the editor");
}
