//! Hostile input and output: control sequences, closed or full outputs.

#![cfg(unix)]

use std::fs::File;
use std::io::pipe;
use std::process::{Command, Stdio};

use crate::common::matches::EMILIA;
use crate::common::run::{emilia, emilia_line, run};
use crate::common::scratch::Scratch;

const START: &str = "---------------------------OX------XO--------------------------- X";

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
    let text = format!("{}O- X\nXXXOOO---- X\n", "X".repeat(62));
    let file = Scratch::new("unlabelled.obf", &text);
    let file = file.path();
    for (arguments, code) in [
        (&*format!("solve {file}"), 2),
        ("play -vv --depth=1", 0),
        ("perft --no-such-option", 2),
    ] {
        let (reader, writer) = pipe().unwrap();
        drop(reader);
        let full = File::options().write(true).open("/dev/full").unwrap();
        for stderr in [Stdio::from(writer), Stdio::from(full)] {
            let mut command = Command::new(EMILIA);
            command.args(arguments.split(' ')).stdin(Stdio::null());
            let status = command.stdout(Stdio::null()).stderr(stderr).status();
            assert_eq!(status.unwrap().code(), Some(code), "{arguments}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_unwritable_output_is_named_in_the_error() {
    for arguments in ["perft 3", "gtp --hash=1"] {
        let script = format!("exec '{EMILIA}' {arguments} >/dev/full");
        let run = run(Command::new("sh").args(["-c", &script]), b"name\n");
        let sentence = "emilia: stdout: No space left on device (os error 28)\n";
        assert_eq!(
            (run.code, run.stderr.as_str()),
            (Some(2), sentence),
            "{arguments}"
        );
    }
    let run = emilia_line("analyze f5d6 --depth=1 --svg=/dev/full");
    assert_eq!(run.code, Some(2));
    run.assert_reports("emilia: '/dev/full': No space left");
}
