//! Tests of the C library.
//! `emilia.h` must agree with the Rust source.
//! The C program of the README plays a game through the library.
//!
//! A test that needs a missing program (`cc`, `c++`, `qemu-x86_64`) prints a note and passes.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::LazyLock;
use std::{fs, io};

use emilia_core::board::{Color, Position, Transcript};

/// The C header.
const HEADER: &str = include_str!("../src/capi/emilia.h");

/// Its C program plays a game.
const README: &str = include_str!("../src/capi/README.md");

/// Rust source of the exported functions.
const FUNCTIONS: &str = include_str!("../src/capi/lib.rs");

/// Rust source of the exported types and constants.
const TYPES: &str = include_str!("../src/capi/types.rs");

/// Exit code of the program after the status `EMILIA_OLD_PROCESSOR`.
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

/// The moves themselves are those of `Player`: tests of the crate.
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

#[test]
fn the_header_declares_the_functions_of_the_source() {
    let sources = FUNCTIONS.split("fn emilia_").skip(1);
    let defined = sources.map(|text| {
        let end = text.find(['{', '=']).expect("a body");
        // Functions of the macro `on_session!` have a closure instead of a body.
        let is_of_macro = text[end..].starts_with('=');
        let more = ["", "engine: *mut EmiliaEngine EmiliaStatus"][usize::from(is_of_macro)];
        words(&format!("emilia_{} {more}", &text[..end]))
    });
    let header = code(HEADER);
    let parts = header.split(';').filter(|part| part.contains('('));
    let declared: BTreeSet<_> = parts
        .map(|part| words(part.rsplit('}').next().unwrap_or_default()))
        .collect();
    assert_eq!(declared, defined.collect());
}

#[test]
fn the_header_has_the_structs_and_constants_of_the_source() {
    let (_, size) = TYPES.split_once("PV_SIZE: usize = ").expect("the constant");
    let (size, _) = size.split_once(';').expect("its end");
    let types = code(TYPES).replace("PV_SIZE]", size);
    let of_source = structs(&types, "#[repr(C)]\npub struct ", ',');
    assert_eq!(of_source.len(), 3);
    assert_eq!(structs(&code(HEADER), "typedef struct ", ';'), of_source);
    assert_eq!(constants(&code(HEADER)), constants(&types));
}

/// Returns the fields of the structs that begin with `start`.
fn structs(code: &str, start: &str, separator: char) -> BTreeSet<(String, Vec<Vec<String>>)> {
    let parts = code.split(start).skip(1);
    // A forward declaration has no brace, so its name runs on into the next lines.
    let parts = parts.filter_map(|part| {
        let (name, rest) = part.split_once(" {")?;
        let (inner, _) = rest.split_once('}')?;
        let fields = inner.split(separator).map(words);
        let fields = fields.filter(|field| !field.is_empty()).collect();
        (!name.contains('\n')).then(|| (snake(name), fields))
    });
    parts.collect()
}

/// Returns the names of constants and codes, in lower case without the prefix, and their numbers.
fn constants(code: &str) -> BTreeSet<(String, i32)> {
    let parts = code.split([',', ';', '{', '}']);
    let parts = parts.filter_map(|part| {
        let (name, number) = part.split_once(" = ")?;
        let name = name.rsplit("EMILIA_").next()?.split(':').next()?.trim();
        let is_code = name.contains(char::is_lowercase);
        let name = if is_code {
            snake(name)
        } else {
            name.to_lowercase()
        };
        (!name.contains(' ')).then_some((name, number.trim().parse().ok()?))
    });
    parts.collect()
}

/// Returns a text in C or Rust without comments and preprocessor lines.
fn code(text: &str) -> String {
    let mut parts = text.split("/*");
    let first = parts.next().unwrap_or_default();
    let rest = parts.map(|part| part.split_once("*/").expect("the end of the comment").1);
    let code = first.to_owned() + &rest.collect::<String>();
    let is_code = |line: &&str| {
        let line = line.trim_start();
        !line.starts_with("//") && (!line.starts_with('#') || line.starts_with("#["))
    };
    let lines = code.lines().filter(is_code);
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the words of a declaration in C or Rust, sorted, with the types of C. A pointer is a star.
fn words(code: &str) -> Vec<String> {
    let spaced = code.replace('*', " * ");
    let words = spaced.split(|letter: char| !letter.is_alphanumeric() && !"_*".contains(letter));
    let mut words: Vec<String> = words
        .filter(|word| !["", "mut", "pub", "r", "void"].contains(word))
        .map(|word| match word {
            "c_char" => "char".to_owned(),
            "f64" => "double".to_owned(),
            "i32" | "u32" | "u64" => format!("{}_t", word.replace('i', "int").replace('u', "uint")),
            _ => snake(word),
        })
        .collect();
    words.sort_unstable();
    words
}

/// Converts `EmiliaEngine` to `emilia_engine`.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}
