//! Tests of the C library.
//! The C program of the README plays a game through the library.
//!
//! A test that needs a missing program (`cc`, `c++`, `qemu-x86_64`) prints a note and passes.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::LazyLock;
use std::{fs, io};

use emilia_core::board::{Color, Position, Transcript};

/// Its C program plays a game.
const README: &str = include_str!("../src/capi/README.md");

/// Exit code of the program after the status `EMILIA_STATUS_OLD_PROCESSOR`.
const OLD_PROCESSOR: i32 = 14;

fn succeeded(output: &Output) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {stderr}", output.status);
}

/// Runs a program and returns its output, or `None` with a note on stderr if it is not installed.
fn run(command: &mut Command) -> Option<Output> {
    match command.output() {
        Ok(output) => Some(output),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let program = command.get_program().display();
            eprintln!("skipped: {program} is not installed");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Path of the compiled program, or `None` without a C compiler. Built on first use.
static GAME: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
    // Cargo writes the shared library beside this program.
    let this = std::env::current_exe().expect("a path");
    let library = this.parent().expect("a folder").display();
    let program = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("game");
    let source = program.with_extension("c");
    let (_, code) = README.split_once("```c\n").expect("a program");
    let (code, _) = code.split_once("```").expect("its end");
    fs::write(&source, code).expect("a file");
    let compiled = run(Command::new("cc")
        .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-std=c99"])
        .args(["-I", "."])
        .arg(&source)
        .arg("-lemilia")
        .args([format!("-L{library}"), format!("-Wl,-rpath,{library}")])
        .arg("-o")
        .arg(&program)
        .current_dir(env!("CARGO_MANIFEST_DIR")))?;
    succeeded(&compiled);
    Some(program)
});

/// Tests of the crate check that the moves are the moves of `Player`.
#[test]
fn a_c_program_plays_a_whole_game_and_prints_its_score() {
    let Some(game) = &*GAME else { return };
    let played = Command::new(game).output().expect("it runs");
    succeeded(&played);
    let text = String::from_utf8_lossy(&played.stdout);
    let (moves, score) = text.trim_end().rsplit_once(' ').expect("a score");
    let game = Transcript::parse(moves, Position::START).expect("legal moves");
    let end = game.end();
    assert!(end.is_over());
    assert_eq!(score, format!("{:+}", end.final_score_for(Color::Black)));
}

#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn a_processor_without_avx2_gets_an_error_with_a_reason() {
    if cfg!(not(target_feature = "avx2")) {
        return;
    }
    let Some(game) = &*GAME else { return };
    let emulated = run(Command::new("qemu-x86_64")
        .args(["-cpu", "Nehalem"])
        .arg(game));
    if let Some(output) = emulated {
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(OLD_PROCESSOR), "{stderr}");
        assert!(stderr.contains("this processor lacks"), "{stderr}");
    }
}

#[test]
fn the_header_compiles_as_cpp() {
    let compiled = run(Command::new("c++")
        .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"])
        .args(["-x", "c++", "emilia.h"])
        .current_dir(env!("CARGO_MANIFEST_DIR")));
    if let Some(output) = compiled {
        succeeded(&output);
    }
}
