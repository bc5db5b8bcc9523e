//! Requests for a larger table than the system has memory for are errors.
//! The shell limits the address space of the binary by `ulimit -v`.
#![cfg(unix)]

use crate::common::Process;
use crate::common::run::run;

/// Address space limit of the binary in KiB: enough to start and to search with a few threads.
///
/// Each thread uses part of it for its stack and its heap arena.
const MEMORY_KIB: u32 = 550_000;

/// Returns the shell command that runs the binary with an address space of [`MEMORY_KIB`].
fn limited(arguments: &str) -> String {
    let emilia = env!("CARGO_BIN_EXE_emilia");
    format!("ulimit -v {MEMORY_KIB} && exec '{emilia}' {arguments}")
}

#[test]
fn a_table_larger_than_the_memory_is_refused_at_the_start() {
    for arguments in [
        "gtp --hash 2000",
        "play --hash 2000",
        "perft 3 --hash 2000",
        "solve --hash 2000 f5",
        "match --first builtin:depth=1,hash=2000 --second builtin:depth=1",
    ] {
        let mut shell = std::process::Command::new("sh");
        let run = run(shell.args(["-c", &limited(arguments)]), b"");
        run.assert_refused("a hash table of 2000 MiB does not fit in the memory");
    }
}

#[test]
fn a_session_keeps_its_table_if_a_larger_one_does_not_fit() {
    const SENTENCE: &str = "a hash table of 2000 MiB does not fit in the memory";
    let mut engine = Process::start(
        "sh",
        &["-c", &limited("gtp --threads 1 --depth 10 --hash 16")],
    );
    assert_eq!(engine.gtp("emilia-set hash 2000"), format!("? {SENTENCE}"));
    assert!(!engine.ask("emilia-hint").is_empty());
    assert_eq!(engine.gtp("emilia-set eval classic"), "=");
    engine.finish();
    let mut engine = Process::start(
        "sh",
        &["-c", &limited("uci --threads 1 --depth 6 --hash 16")],
    );
    engine.send("setoption name Hash value 2000");
    let refusal = format!("info string option 'Hash': {SENTENCE}");
    assert_eq!(engine.line(), Some(refusal));
    engine.send("go");
    engine.line_starting("bestmove P@");
    engine.finish();
}
