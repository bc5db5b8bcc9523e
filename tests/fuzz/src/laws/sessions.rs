//! Law of protocol sessions, for any input.
//! The output is lines of printable ASCII, and the session ends soon after its input.

use std::io::Cursor;

use emilia_core::eval::Classic;
use emilia_core::search::{Limits, Settings};
use emilia_player::Setup;
use emilia_protocol::{Protocol, serve};

/// Runs a session of `protocol` with the bytes as its input.
pub(super) fn law(protocol: Protocol, bytes: &[u8]) {
    let settings = Settings::default().with_evaluator(Classic);
    let setup = Setup {
        settings: settings.with_hash_mib(1),
        limits: Limits {
            nodes: Some(500),
            ..Limits::depth(1)
        },
        ..Setup::default()
    };
    let mut out = Vec::new();
    // Without a client, a search without limits ends with the input.
    let input = Cursor::new(bounded(bytes));
    let run = serve(Some(protocol), input, &mut out, setup, || true);
    run.expect("memory can be written to");
    let is_shown = |byte: u8| matches!(byte, b' '..=b'~' | b'\n');
    let strange = out.iter().position(|&byte| !is_shown(byte));
    assert_eq!(strange, None, "{}", out.escape_ascii());
    assert!(out.is_empty() || out.ends_with(b"\n"));
    if protocol == Protocol::Gtp {
        answers(&out);
    }
}

/// Removes the lines with `hash` or `threads`, which could set gigabytes or hundreds of threads.
fn bounded(bytes: &[u8]) -> Vec<u8> {
    let sets_resources = |line: &&[u8]| {
        let line = line.to_ascii_lowercase();
        let names = |word: &[u8]| line.windows(word.len()).any(|part| part == word);
        names(b"hash") || names(b"threads")
    };
    let lines = bytes.split_inclusive(|&byte| byte == b'\n');
    let lines: Vec<&[u8]> = lines.filter(|line| !sets_resources(line)).collect();
    lines.concat()
}

/// Asserts that each GTP response begins with `=` or `?` and ends with a blank line.
fn answers(out: &[u8]) {
    let text = str::from_utf8(out).expect("ASCII");
    let Some(text) = text.strip_suffix("\n\n") else {
        return assert!(out.is_empty(), "a response without its end: {text:?}");
    };
    for answer in text.split("\n\n") {
        assert!(
            answer.starts_with(['=', '?']),
            "not a GTP response: {answer:?}"
        );
    }
}
