//! Faults of the environment: full disks, interrupted writes, signals.
//!
//! Replaced files keep the old or the new content, logs can be resumed, and errors are one line.
//! `ulimit -f` limits the file size: a longer write kills the process by SIGXFSZ at that byte.
//! If the process ignores SIGXFSZ, the write fails as on a full disk.

#![cfg(unix)]

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::matches::{EMILIA, PATIENCE, Scratch, numbers, script, text};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// A command, the files that it writes, and the option that makes a second run resume it.
type Job = [&'static str; 3];

/// Commands that replace existing files. They run in the folder `out`, and their inputs are in
/// its parent folder.
const REPLACING: [Job; 3] = [
    [
        "analyze ../games.txt:1:20 --depth 1 --hash 1 --svg out.svg --html out.html --force",
        "out.svg out.html",
        "",
    ],
    [
        "analyze ../games.txt --depth 1 --hash 1 --pages . --force",
        "1.html 2.html index.html",
        "",
    ],
    [
        "train pattern --data ../data --out out.weights --force",
        "out.weights",
        "",
    ],
];

/// Commands that can be resumed.
const ADDING: [Job; 3] = [
    [
        "match --first builtin:depth=1,hash=1 --second builtin:depth=1,hash=1 --games 6 --seed 1 \
         --out log",
        "log",
        "--resume",
    ],
    [
        "analyze ../games.txt --depth 1 --hash 1 --out games.jsonl",
        "games.jsonl",
        "--resume",
    ],
    [
        "selfplay --games 200 --depth 1 --exact 4 --out games",
        "games",
        "",
    ],
];

/// File size limits in blocks of `ulimit -f`, in the order in which they are tried.
const LIMITS: [u32; 5] = [0, 1, 60, 2187, 20_000];

/// Returns a temporary folder with input files and the empty folder `out` for outputs.
fn scratch(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    fs::create_dir_all(scratch.path("out")).unwrap();
    let game = "f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6h4g4h3g3\n";
    fs::write(scratch.path("games.txt"), [game, "f5f4e3\n"].concat()).unwrap();
    scratch
}

/// Runs `emilia` with `arguments` in the folder `out`, after the shell commands `before`.
fn run(scratch: &Scratch, before: &str, arguments: &str) -> Output {
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", &format!("{before}\nexec '{EMILIA}' {arguments}")])
        .current_dir(scratch.0.join("out"))
        .env("EMILIA_TEST", &scratch.0)
        .stdin(Stdio::null());
    command.output().unwrap()
}

/// Runs `emilia` without limits and asserts that it succeeds.
fn run_unlimited(scratch: &Scratch, arguments: &str) {
    let output = run(scratch, "", arguments);
    assert!(output.status.success(), "{arguments}: {output:?}");
}

/// Writes 300 training games, two blocks of which the first is held out, to the file `data`.
fn make_data(scratch: &Scratch) {
    run_unlimited(
        scratch,
        "selfplay --games 300 --depth 1 --exact 4 --out ../data",
    );
}

#[test]
fn a_replaced_file_has_the_old_or_the_new_content() {
    const OLD: &[u8] = b"old";
    let scratch = scratch("replaced");
    make_data(&scratch);
    for [arguments, files, _] in REPLACING {
        let files = files.split(' ');
        let paths: Vec<_> = files.map(|file| scratch.0.join("out").join(file)).collect();
        run_unlimited(&scratch, arguments);
        let new: Vec<_> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
        let mut hits = 0;
        for blocks in LIMITS {
            for path in &paths {
                fs::write(path, OLD).unwrap();
            }
            // Without the signal, a longer write fails as on a full disk.
            let limit = format!("trap '' XFSZ; ulimit -f {blocks}");
            let output = run(&scratch, &limit, arguments);
            let errors = text(&output.stderr);
            let is_hit = errors
                .trim_end_matches(['.', '\n'])
                .ends_with("File too large (os error 27)");
            for (path, new) in paths.iter().zip(&new) {
                let found = fs::read(path).unwrap_or(OLD.to_vec());
                assert!(
                    found == *new || is_hit && found == OLD,
                    "{path:?}: {blocks}"
                );
            }
            if !is_hit {
                assert!(output.status.success(), "{errors}");
                break;
            }
            hits += 1;
            assert_eq!(output.status.code(), Some(2), "{errors}");
            let is_sentence = errors.starts_with("emilia: '") && errors.lines().count() == 1;
            assert!(is_sentence, "{errors}");
            let left = fs::read_dir(scratch.path("out")).unwrap();
            let mut left = left.map(|file| file.unwrap().file_name());
            assert!(left.all(|name| !name.to_str().unwrap().contains("emilia-new")));
        }
        assert!(hits > 0, "{arguments}: no limit stopped a write");
        fs::remove_dir_all(scratch.path("out")).unwrap();
        fs::create_dir(scratch.path("out")).unwrap();
    }
}

/// Returns the content of a log without the times of its moves, which differ from run to run.
fn without_times(path: &Path) -> String {
    let bytes = fs::read(path).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    let mut pieces = text.split("\"time\":");
    let first = pieces.next().unwrap_or_default().to_owned();
    let rest = pieces.map(|piece| piece.split_once(',').map_or(piece, |(_, rest)| rest));
    first + &rest.collect::<Vec<_>>().join("\"time\":,")
}

#[test]
fn a_job_is_resumed_from_any_interrupted_write() {
    let scratch = scratch("grows");
    make_data(&scratch);
    for [arguments, file, resume] in ADDING {
        let path = scratch.0.join("out").join(file);
        run_unlimited(&scratch, arguments);
        let whole = without_times(&path);
        let mut hits = 0;
        for blocks in LIMITS {
            fs::remove_file(&path).unwrap();
            let limit = format!("ulimit -c 0; ulimit -f {blocks}");
            let status = run(&scratch, &limit, arguments).status;
            if status.success() {
                break;
            }
            assert_eq!(
                status.signal(),
                Some(Signal::SIGXFSZ as i32),
                "{arguments}: {status}"
            );
            hits += 1;
            run_unlimited(&scratch, &format!("{arguments} {resume}"));
            assert_eq!(without_times(&path), whole, "{blocks}");
        }
        assert!(hits > 1, "{arguments}: {hits} writes stopped");
    }
}

/// Returns SIGTERM and SIGHUP, except those that this process ignores.
///
/// Child processes inherit ignored signals. Under `nohup`, for example, SIGHUP is ignored.
fn deadly_signals() -> Vec<Signal> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let is_delivered = |signal: &Signal| ignored.unwrap_or(0) >> (*signal as i32 - 1) & 1 == 0;
    let signals = [Signal::SIGTERM, Signal::SIGHUP];
    signals.into_iter().filter(is_delivered).collect()
}

#[test]
fn a_signal_ends_a_match_and_its_players_and_keeps_the_log_whole() {
    let scratch = scratch("signal");
    let engine = script(
        &scratch,
        "engine",
        &format!("'{EMILIA}' gtp --depth 1 --hash 1"),
    );
    for signal in deadly_signals().into_iter().chain([Signal::SIGINT]) {
        let start = |games: &str, resume: &str| {
            let arguments = "--second builtin:depth=1 --concurrency 2 --out log --seed 3 --games";
            let mut command = scratch.command(&format!("{arguments} {games}{resume} --first"));
            command.arg(format!("gtp:{engine}")).stdout(Stdio::null());
            command.spawn().unwrap()
        };
        let mut match_ = start("100000", "");
        let begun = Instant::now();
        while scratch.log("log").len() < 4 {
            assert!(begun.elapsed() < PATIENCE);
            thread::sleep(Duration::from_millis(1));
        }
        kill(Pid::from_raw(match_.id().cast_signed()), signal).unwrap();
        let status = match_.wait().unwrap();
        let is_ended = match signal {
            Signal::SIGINT => status.code() == Some(130),
            _ => status.signal() == Some(signal as i32),
        };
        assert!(is_ended, "{signal}: {status}");
        scratch.expect_nobody_left();
        let before = scratch.log("log");
        let games = numbers(&before).len() + 2;
        let mut rest = start(&games.next_multiple_of(2).to_string(), " --resume");
        assert!(rest.wait().unwrap().success());
        let after = scratch.log("log");
        assert_eq!(after[..before.len()], before[..]);
        let all = 0..games.next_multiple_of(2) as u64;
        assert_eq!(numbers(&after), all.collect());
        fs::remove_file(scratch.path("log")).unwrap();
    }
}
