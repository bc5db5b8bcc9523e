//! Hostile input and output: endless files, control sequences, closed or full pipes.

#![cfg(unix)]

use std::fs::File;
use std::io::{Write, pipe};
use std::process::{Command, Stdio};

use crate::common::run::{emilia, emilia_line};
use crate::common::scratch::Scratch;
use emilia_core::eval::PatternWeights;

const START: &str = "---------------------------OX------XO--------------------------- X";

#[test]
fn endless_files_are_refused_by_size() {
    for line in [
        "perft --suite /dev/zero",
        "eval-test /dev/zero",
        "solve /dev/zero",
        "show --weights /dev/zero",
        "match --first=builtin:depth=1 --second=builtin:depth=1 --openings /dev/zero",
        "match --first=builtin:weights=/dev/zero,depth=1 --second=builtin:depth=1",
    ] {
        let run = emilia_line(line);
        assert_eq!(run.code, Some(2), "{run:?}");
        run.assert_reports("larger than the ");
        run.assert_reports("/dev/zero");
    }
}

#[test]
fn pipes_are_read_like_files() {
    let suite = format!("convention A\nid start\nposition {START}\nperft 3 56\n");
    let run = emilia(&["perft", "--suite", "/dev/stdin"], suite.as_bytes());
    run.assert_shows("1 passed");
    let ending = format!("{}O- X\n", "X".repeat(62));
    emilia(&["solve", "/dev/stdin"], ending.as_bytes()).assert_done();
    let weights = PatternWeights::EMBEDDED;
    let run = emilia(&["show", "--weights", "/dev/stdin"], weights);
    assert_eq!(run.stdout, emilia(&["show"], b"").stdout);
}

#[test]
fn control_characters_from_files_and_programs_are_never_printed() {
    let hostile = "\x1b]0;hello\x07\x1b[2J";
    let suite = Scratch::new(
        "hostile.perft",
        &format!("convention A\nid {hostile}\nposition {START}\nperft 1 4\nperft 2 13\n"),
    );
    let bad = Scratch::new("hostile.obf", &format!("{hostile}\n"));
    for line in [
        format!("perft|--suite|{}", suite.path()),
        format!("perft|--suite|{}", bad.path()),
        format!("eval-test|{}", bad.path()),
        format!("show|{hostile}"),
        format!(
            "match|-vv|--patience=1|--second=builtin:depth=1|--first|gtp:printf '{hostile}\\n'"
        ),
    ] {
        let arguments: Vec<&str> = line.split('|').collect();
        let run = emilia(&arguments, b"");
        for text in [&run.stdout, &run.stderr] {
            let wild = |character: char| character.is_control() && character != '\n';
            assert!(!text.contains(wild), "{arguments:?}: {text:?}");
        }
    }
}

#[test]
fn a_closed_or_full_stderr_does_not_change_the_exit_code() {
    let file = Scratch::new(
        "unlabelled.obf",
        &format!("{}O- X\nnothing\n", "X".repeat(62)),
    );
    for arguments in [
        &["show", "f5f5"][..],
        &["solve", file.path()],
        &["eval-test", file.path()],
        &["match", "--first=builtin", "--second=builtin"],
        &["play", "-vv", "--depth=1"],
        &["perft", "--no-such-option"],
    ] {
        let (reader, writer) = pipe().unwrap();
        drop(reader);
        let full = File::options().write(true).open("/dev/full").unwrap();
        for stderr in [Stdio::from(writer), Stdio::from(full)] {
            let status = Command::new(env!("CARGO_BIN_EXE_emilia"))
                .args(arguments)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(stderr)
                .status()
                .unwrap();
            let expected = i32::from(arguments[0] != "play") * 2;
            assert_eq!(status.code(), Some(expected), "{arguments:?}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_unwritable_output_is_named_in_the_error() {
    for arguments in [&["perft", "3"][..], &["gtp", "--hash=1"], &["--help"]] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_emilia"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(full)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        // The write may fail: `perft` reads no input and may have ended.
        let _ = input.write_all(b"name\n");
        drop(input);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let sentence = "emilia: stdout: No space left on device (os error 28)\n";
        assert_eq!(String::from_utf8_lossy(&output.stderr), sentence);
    }
    let players = "--first=builtin:depth=1 --second=builtin:depth=1";
    let run = emilia_line(&format!("match {players} --games=2 --svg=/dev/full"));
    assert_eq!(run.code, Some(2));
    run.assert_reports("emilia: '/dev/full': No space left");
}
