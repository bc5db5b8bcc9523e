//! End-to-end tests of `emilia selfplay`: resumption, shards, damaged files, interruption.
//! A resumed run writes the same bytes, and files of other runs are left unchanged.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

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
/// Options of a job of 150 roots, space-separated.
const ROOTS: &str = "--roots 150 --depth 2 --empties 4-9 --exact 6 --label-depth 2";

/// Runs `emilia selfplay --out FILE` with the options `what` and `more`.
fn play(file: &Path, what: &[&str], more: &[&str]) -> Run {
    emilia(
        &[&["selfplay", "--out", text(file)], what, more].concat(),
        b"",
    )
}

/// Splits a file into its blocks by the sizes in their 80-byte headers.
fn blocks(bytes: &[u8]) -> Vec<&[u8]> {
    let (mut rest, mut blocks) = (bytes, Vec::new());
    while rest.len() >= 80 {
        let size = u32::from_le_bytes([rest[24], rest[25], rest[26], rest[27]]) as usize;
        let (block, after) = rest.split_at(80 + size);
        blocks.push(block);
        rest = after;
    }
    assert!(rest.is_empty());
    blocks
}

#[test]
fn a_truncated_file_is_resumed_to_the_same_bytes() {
    let roots: Vec<&str> = ROOTS.split(' ').collect();
    for (name, what, unit) in [
        ("resumed.games", &GAMES[..], "600 games, "),
        ("resumed.positions", &roots, "150 roots, "),
    ] {
        let path = scratch(name);
        let whole = play(&path, what, &["--threads", "1"]);
        assert_eq!(whole.code, Some(0), "{whole:?}");
        assert!(whole.stdout.contains(unit), "{whole:?}");
        let bytes = fs::read(&path).unwrap();
        let blocks = blocks(&bytes);
        assert_eq!(blocks.len(), 3);
        let first = blocks[0].len();
        for cut in [10, first, first + 100] {
            fs::write(&path, &bytes[..cut]).unwrap();
            let resumed = play(&path, what, &["--threads", "2"]);
            assert_eq!(resumed.code, Some(0), "{resumed:?}");
            assert!(fs::read(&path).unwrap() == bytes, "cut at {cut}");
        }
        let nothing_left = play(&path, what, &[]);
        let is_whole = format!("{}are in the file", unit.replace(", ", " "));
        assert!(nothing_left.stdout.contains(&is_whole), "{nothing_left:?}");
        assert!(fs::read(&path).unwrap() == bytes);
    }
}

#[test]
fn a_run_can_be_extended() {
    let path = scratch("longer.games");
    let short = ["--games", "300", "--depth", "1", "--exact", "6"];
    assert_eq!(play(&path, &short, &[]).code, Some(0));
    let run = play(&path, &GAMES, &[]);
    run.assert_shows("300 of 600 games are in the file");
    run.assert_shows("\n300 games, ");
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
        (&["--roots", "5", "--nodes", "5"], "cannot be used with"),
        (&["--games", "5", "--empties", "8-9"], "cannot be used with"),
        (
            &["--games", "5", "--label-depth", "8"],
            "cannot be used with",
        ),
        (&["--roots", "5", "--label-depth", "0"], "a depth from 1"),
        (
            &["--roots", "5", "--empties", "8-55"],
            "expected numbers from 1 to 52",
        ),
        (
            &["--roots", "5", "--empties", "0-9"],
            "expected numbers from 1",
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

/// Starts a run of 100 million games and returns it when its file has 1,000 bytes.
fn begun(path: &Path) -> std::process::Child {
    let child = Command::new(env!("CARGO_BIN_EXE_emilia"))
        .args(["selfplay", "--out", text(path), "--games", "100000000"])
        .args(["--depth", "1", "--exact", "6"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let start = Instant::now();
    while fs::metadata(path).map_or(0, |file| file.len()) < 1000 {
        assert!(start.elapsed() < Duration::from_secs(60));
        thread::sleep(Duration::from_millis(5));
    }
    child
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_whole_blocks_and_exits_with_130() {
    let path = scratch("interrupted.games");
    let child = begun(&path);
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(130), "{stdout}");
    assert!(stdout.contains("the same command resumes"), "{stdout}");
    assert!(!blocks(&fs::read(&path).unwrap()).is_empty());
}
