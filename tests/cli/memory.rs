//! Requests for a larger table than the system has memory for are errors.
//! The shell limits the address space of the binary by `ulimit -v`.
#![cfg(unix)]

use std::process::Command;

use crate::common::matches::EMILIA;
use crate::common::run::{Run, run};

/// Runs the binary with an address space of 550,000 KiB: enough to start and to search with a few
/// threads, each of which uses part of it for its stack and its heap arena.
fn limited(arguments: &str, input: &[u8]) -> Run {
    let script = format!("ulimit -v 550000 && exec '{EMILIA}' {arguments}");
    run(Command::new("sh").args(["-c", &script]), input)
}

const SENTENCE: &str = "a hash table of 2000 MiB does not fit in the memory";

#[test]
fn a_table_larger_than_the_memory_is_refused_at_the_start() {
    for arguments in [
        "gtp --hash 2000",
        "play --hash 2000",
        "solve --hash 2000 f5",
        "match --first builtin:depth=1,hash=2000 --second builtin:depth=1",
    ] {
        limited(arguments, b"").assert_refused(SENTENCE);
    }
}

#[test]
fn a_session_keeps_its_table_if_a_larger_one_does_not_fit() {
    let input = b"emilia-set hash 2000\ngenmove b\nemilia-set eval classic\n";
    let gtp = limited("gtp --threads 1 --depth 6 --hash 16", input);
    assert!(
        gtp.stdout.starts_with(&format!("? {SENTENCE}\n\n= ")),
        "{gtp:?}"
    );
    assert!(gtp.stdout.ends_with("\n\n=\n\n"), "{gtp:?}");
    let input = b"setoption name Hash value 2000\ngo\n";
    let uci = limited("uci --threads 1 --depth 6 --hash 16", input);
    uci.assert_shows(&format!("info string option 'Hash': {SENTENCE}\n"));
    uci.assert_shows("\nbestmove P@");
}
