//! Tests of the C library.
//! `emilia.h` must agree with the Rust source.
//! A C program, `tests/capi/game.c`, plays a game through the library.
//!
//! A test that needs a missing program (`cc`, `c++`, `qemu-x86_64`) prints a note and passes.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::LazyLock;

use emilia_core::{Color, Engine, Limits, Move, Position, Settings, Silent};
use emilia_player::Player;

/// The C header.
const HEADER: &str = include_str!("../src/capi/emilia.h");

/// Rust source of the exported functions.
const FUNCTIONS: &str = include_str!("../src/capi/lib.rs");

/// Rust source of the exported types and constants.
const TYPES: &str = include_str!("../src/capi/types.rs");

/// Value of `limits.level` in `game.c`: the search depth in plies.
const LEVEL: u32 = 4;

/// Hash table size of `game.c` in MiB.
const HASH_MIB: usize = 16;

/// Exit code of `game.c` after the status `EMILIA_OLD_PROCESSOR`.
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

/// Path of the compiled `game.c`, or `None` without a C compiler. Built on first use.
static GAME: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
    // Cargo writes the shared library beside this program.
    let this = std::env::current_exe().expect("a path");
    let library = this.parent().expect("a folder").display();
    let program = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("game");
    let compiled = run(Command::new("cc")
        .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-std=c99"])
        .args(["-I", ".", "../../tests/capi/game.c", "-lemilia"])
        .args([format!("-L{library}"), format!("-Wl,-rpath,{library}")])
        .arg("-o")
        .arg(&program)
        .current_dir(env!("CARGO_MANIFEST_DIR")))?;
    succeeded(&compiled);
    Some(program)
});

/// Plays the same game in Rust; returns its moves and Black's score as `game.c` prints them.
fn expected_game() -> String {
    let mut player = Player::new(Engine::new(Settings::default().with_hash_mib(HASH_MIB)));
    let mut position = Position::START;
    let mut words = Vec::new();
    while !position.is_over() {
        let line = player.choose(&position, &Limits::depth(LEVEL), &mut Silent);
        let mv: Move = line.best_move().expect("the game is not over");
        words.push(mv.to_string());
        position = position.play(mv).expect("legal");
    }
    format!(
        "{} {:+}\n",
        words.join(" "),
        position.final_score_for(Color::Black)
    )
}

#[test]
fn a_c_program_plays_the_same_game_as_the_rust_player() {
    let Some(game) = &*GAME else { return };
    let played = Command::new(game).output().expect("it runs");
    succeeded(&played);
    assert_eq!(String::from_utf8_lossy(&played.stdout), expected_game());
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
        let (name, rest) = text.split_once('(').expect("parameters");
        let (parameters, rest) = rest.split_once(')').expect("their end");
        // Functions of the macro `on_session!` have a closure instead of a body.
        let (engine, result) = if rest.trim_start().starts_with("=>") {
            (Some("*mut EmiliaEngine"), "EmiliaStatus")
        } else {
            let (result, _) = rest.split_once('{').expect("a body");
            (None, result.trim().strip_prefix("-> ").unwrap_or("()"))
        };
        let engine = engine.map(|kind| c_declaration(kind, "engine"));
        let parameters: Vec<String> = engine.into_iter().chain(fields(parameters)).collect();
        let mut parameters = parameters.join(", ");
        if parameters.is_empty() {
            "void".clone_into(&mut parameters);
        }
        c_declaration(result.trim(), &format!("emilia_{name}({parameters})"))
    });
    assert_eq!(declared_functions(), defined.collect());
}

#[test]
fn the_header_has_the_structs_of_the_source() {
    let (_, size) = TYPES.split_once("PV_SIZE: usize = ").expect("the constant");
    let (size, _) = size.split_once(';').expect("its end");
    let types = TYPES.replace("PV_SIZE]", &format!("{size}]"));
    let types: Vec<&str> = types
        .lines()
        .filter(|line| !line.trim_start().starts_with("///"))
        .collect();
    let types = types.join("\n").replace("pub ", "");
    let of_source = structs(&types, "#[repr(C)]\nstruct ")
        .map(|(name, inner)| (snake(name), fields(inner)))
        .collect::<BTreeSet<_>>();
    let header = header_code();
    let of_header = structs(&header, "typedef struct ").map(|(name, inner)| {
        let fields = inner.split(';').map(joined_words);
        let fields = fields.filter(|field| !field.is_empty()).collect();
        (name.to_owned(), fields)
    });
    assert_eq!(of_source.len(), 3);
    assert_eq!(of_header.collect::<BTreeSet<_>>(), of_source);
}

/// Returns the names and the inner parts of the structs that begin with `start`.
fn structs<'a>(code: &'a str, start: &str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let parts: Vec<&str> = code.split(start).skip(1).collect();
    // A forward declaration has no brace, so its name runs on into the next lines.
    parts.into_iter().filter_map(|part| {
        let (name, rest) = part.split_once(" {")?;
        let (inner, _) = rest.split_once('}')?;
        (!name.contains('\n')).then_some((name, inner))
    })
}

#[test]
fn the_header_has_the_constants_of_the_source() {
    let code = header_code();
    let of_header: BTreeSet<(String, String)> = code
        .split([',', '{', '}'])
        .filter_map(|part| part.split_once(" = "))
        .map(|(name, number)| (joined_words(name), joined_words(number)))
        .collect();
    let statuses = TYPES
        .split_once("pub enum EmiliaStatus {")
        .expect("the codes")
        .1;
    let statuses = statuses.split_once('}').expect("their end").0;
    let statuses = statuses.lines().filter_map(|line| {
        let (name, number) = line.trim().strip_suffix(',')?.split_once(" = ")?;
        let name = format!("Emilia{name}");
        Some((snake(&name).to_ascii_uppercase(), number.to_owned()))
    });
    let constants = TYPES.lines().filter_map(|line| {
        let (name, number) = line.strip_prefix("pub const ")?.split_once(": i32 = ")?;
        Some((name.to_owned(), number.strip_suffix(';')?.to_owned()))
    });
    assert_eq!(of_header, statuses.chain(constants).collect());
    let version =
        |text: &str, before: &str| -> Option<char> { text.split_once(before)?.1.chars().next() };
    let of_source = version(FUNCTIONS, "const ABI_VERSION: u32 = ");
    assert!(of_source.is_some_and(|version| version.is_ascii_digit()));
    assert_eq!(version(HEADER, "#define EMILIA_ABI_VERSION "), of_source);
}

/// Returns the header without comments and preprocessor lines.
fn header_code() -> String {
    let mut code = String::new();
    let mut rest = HEADER;
    while let Some((before, after)) = rest.split_once("/*") {
        code.push_str(before);
        rest = after.split_once("*/").expect("the end of the comment").1;
    }
    code.push_str(rest);
    let lines = code.lines().filter(|line| !line.starts_with('#'));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the function declarations of the header, each on one line.
fn declared_functions() -> BTreeSet<String> {
    let code = header_code();
    let parts = code.split(';').filter(|part| part.contains('('));
    parts
        .map(|part| joined_words(part.rsplit('}').next().unwrap_or_default()))
        .collect()
}

/// Translates Rust declarations `name: type`, separated by commas, to C declarations.
fn fields(code: &str) -> Vec<String> {
    let fields = code.split(',').filter_map(|field| field.split_once(": "));
    let declarations = fields.map(|(name, kind)| {
        let name = name.trim().trim_start_matches("r#");
        c_declaration(kind.trim(), name)
    });
    declarations.collect()
}

/// Returns the C declaration of `declarator` with the Rust type `kind`.
fn c_declaration(kind: &str, declarator: &str) -> String {
    if let Some(pointee) = kind.strip_prefix("*mut ") {
        return c_declaration(pointee, &format!("*{declarator}"));
    }
    if let Some(pointee) = kind.strip_prefix("*const ") {
        return format!(
            "const {}",
            c_declaration(&format!("*mut {pointee}"), declarator)
        );
    }
    if let Some((element, count)) = kind.strip_prefix('[').and_then(|row| row.split_once("; ")) {
        let count = count.trim_end_matches(']');
        return c_declaration(element, &format!("{declarator}[{count}]"));
    }
    let name = match kind {
        "()" => "void".to_owned(),
        "c_char" => "char".to_owned(),
        "f64" => "double".to_owned(),
        "i32" | "u32" | "u64" => format!("{}_t", kind.replace('i', "int").replace('u', "uint")),
        _ => snake(kind),
    };
    format!("{name} {declarator}")
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

/// Collapses every run of whitespace to one space.
fn joined_words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
