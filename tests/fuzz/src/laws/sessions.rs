//! Sessions of the text protocols: whatever a client says, the answers are lines of printable ASCII, and they end soon after
//! the client has gone.

use std::io::Cursor;

use emilia::eval::Classic;
use emilia::protocol::{Protocol, Setup};
use emilia::search::{Limits, Settings};

pub(super) fn law(protocol: Protocol, bytes: &[u8]) {
    let mut setup = Setup::default();
    setup.settings = Settings::default().with_evaluator(Classic);
    setup.settings.hash_mib = 1;
    setup.limits = Limits::depth(1).with_nodes(500);
    // Searches that a client has freed of their limits end with its input.
    setup.is_client_gone = Some(|| true);
    let mut out = Vec::new();
    let run = protocol.run(Cursor::new(bounded(bytes)), &mut out, setup);
    run.expect("memory can be written to");
    let is_shown = |byte: u8| matches!(byte, b' '..=b'~' | b'\n');
    let strange = out.iter().position(|&byte| !is_shown(byte));
    assert_eq!(strange, None, "{}", out.escape_ascii());
    assert!(out.is_empty() || out.ends_with(b"\n"));
    if protocol == Protocol::Gtp {
        answers(&out);
    }
}

/// The lines that ask for nothing that has to be given: gigabytes of table, hundreds of threads.
fn bounded(bytes: &[u8]) -> Vec<u8> {
    let asks_for_much = |line: &&[u8]| {
        let line = line.to_ascii_lowercase();
        let names = |word: &[u8]| line.windows(word.len()).any(|part| part == word);
        names(b"hash") || names(b"threads")
    };
    let lines = bytes.split_inclusive(|&byte| byte == b'\n');
    let lines: Vec<&[u8]> = lines.filter(|line| !asks_for_much(line)).collect();
    lines.concat()
}

/// Each answer of GTP begins with = or ? and ends with a blank line.
fn answers(out: &[u8]) {
    let text = str::from_utf8(out).expect("ASCII");
    let Some(text) = text.strip_suffix("\n\n") else {
        return assert!(out.is_empty(), "an answer without an end: {text:?}");
    };
    for answer in text.split("\n\n") {
        assert!(answer.starts_with(['=', '?']), "no answer: {answer:?}");
    }
}
