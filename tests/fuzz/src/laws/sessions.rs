//! Law of protocol sessions, for any input.
//! The output is lines of printable ASCII, requests are answered in order, and the session ends soon after its input.

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
    let text = str::from_utf8(&out).expect("ASCII");
    if protocol == Protocol::Gtp {
        answers(text);
    }
    assert_in_order(protocol, &String::from_utf8_lossy(&bounded(bytes)), text);
}

/// Asserts that each request with a known answer is answered, in order. `quit` ends a session before its last requests.
fn assert_in_order(protocol: Protocol, input: &str, out: &str) {
    let mut answers = out.lines();
    for line in input.lines().take_while(|line| !line.contains("quit")) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let answer = match (protocol, word, rest) {
            (Protocol::Uci, "isready", "") => "readyok".to_owned(),
            (Protocol::NBoard, "ping", "1" | "2" | "3") => format!("pong {rest}"),
            (Protocol::Cassio, "ENGINE-PROTOCOL", "get-version") => "version: ".to_owned(),
            (Protocol::Gtp, "1" | "2" | "3", "name") => format!("={word} Emilia"),
            _ => continue,
        };
        let is_answered = answers.any(|line| line.starts_with(&answer));
        assert!(is_answered, "{line:?} is not answered in {out:?}");
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
fn answers(text: &str) {
    let Some(text) = text.strip_suffix("\n\n") else {
        return assert!(text.is_empty(), "a response without its end: {text:?}");
    };
    for answer in text.split("\n\n") {
        assert!(
            answer.starts_with(['=', '?']),
            "not a GTP response: {answer:?}"
        );
    }
}
