//! Tests of the reader thread: reading lines, and which lines stop which searches.

use std::io::Write as _;

use super::*;
use emilia_core::board::Board;
use emilia_core::search::{Engine, Limits, Settings};

/// Kinds of lines in these tests: `!` is Stops, `n` is Now, `q` is Quit, and all others are Waits.
fn kind(line: &InputLine) -> LineKind {
    match line.text.as_str() {
        "!" => LineKind::Stops,
        "n" => LineKind::Now,
        "q" => LineKind::Quit,
        _ => LineKind::Waits,
    }
}

/// Creates an inbox that reads from a pipe. Returns the inbox and the writing end of the pipe.
fn piped() -> (Inbox, io::PipeWriter) {
    let (reader, client) = io::pipe().unwrap();
    let inbox = Inbox::open(io::BufReader::new(reader), || false).unwrap();
    (inbox.with_kinds(kind), client)
}

fn rest(inbox: &mut Inbox) -> Vec<String> {
    std::iter::from_fn(|| inbox.next())
        .map(|line| line.text)
        .collect()
}

fn until(mut condition: impl FnMut() -> bool) {
    while !condition() {
        std::thread::yield_now();
    }
}

#[test]
fn lines_end_at_breaks_or_the_input_end_and_long_ones_are_cut() {
    let lines = |input: &[u8]| {
        let mut inbox = Inbox::open(io::Cursor::new(input.to_vec()), || false).unwrap();
        let lines = std::iter::from_fn(|| inbox.next());
        lines.map(|line| (line.text, line.cut)).collect::<Vec<_>>()
    };
    assert_eq!(lines(b""), []);
    let whole = |text: &str| (text.to_owned(), false);
    assert_eq!(lines(b"a\n\nb"), [whole("a"), whole(""), whole("b")]);
    assert_eq!(lines(b"\xff\n"), [whole("\u{fffd}")]);
    let long = ["x".repeat(MAX_LINE + 1).as_bytes(), b"\ny\n"].concat();
    assert_eq!(lines(&long), [("x".repeat(MAX_LINE), true), whole("y")]);
}

#[test]
fn the_first_line_that_is_not_blank_stays_in_its_place() {
    let mut inbox = Inbox::open(io::Cursor::new("\n \na\nb"), || false).unwrap();
    assert_eq!(inbox.first_line(), Some("a"));
    assert_eq!(rest(&mut inbox), ["", " ", "a", "b"]);
    assert_eq!(inbox.first_line(), None);
}

#[test]
fn a_stopping_line_stops_every_search_until_its_turn() {
    let (mut inbox, mut client) = piped();
    inbox.begin_search();
    assert!(!inbox.interrupts());
    client.write_all(b"a\nn\n!\nb\n").unwrap();
    until(|| inbox.interrupts());
    assert_eq!(inbox.take_now().map(|line| line.text).as_deref(), Some("n"));
    assert_eq!(inbox.take_now(), None);
    for (line, interrupts) in [("a", true), ("!", false), ("b", false)] {
        assert_eq!(inbox.next().unwrap().text, line);
        inbox.begin_search();
        assert_eq!(inbox.interrupts(), interrupts, "{line}");
    }
}

#[test]
fn quit_stops_the_searches_that_began_before_it_arrived_or_run_too_long_after_it() {
    // Input from a script: all lines are read before the search begins.
    let (mut inbox, mut client) = piped();
    client.write_all(b"go\nq\n").unwrap();
    inbox.next();
    inbox.begin_search();
    assert!(!inbox.interrupts());
    inbox.deadline = inbox.deadline.and_then(|end| end.checked_sub(GRACE));
    assert!(inbox.interrupts());
    // A client that quits during a search. This also stops the search that it has queued.
    let (mut inbox, mut client) = piped();
    inbox.begin_search();
    client.write_all(b"go\nq\n").unwrap();
    until(|| inbox.interrupts());
    inbox.next();
    inbox.begin_search();
    assert!(inbox.interrupts());
}

#[test]
fn a_search_ends_by_its_limits_a_line_or_an_error_of_its_output() {
    let engine = Engine::new(Settings::default().with_hash_mib(1));
    let start = |limits| engine.start(&Board::START, 1, &limits).unwrap();
    let (mut inbox, mut client) = piped();
    let failed = inbox.wait_for_search(start(Limits::default()), false, |_| {
        Err(io::ErrorKind::BrokenPipe.into())
    });
    assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    let lines = inbox.wait_for_search(start(Limits::depth(3)), true, |_| Ok(()));
    assert_eq!(lines.unwrap().len(), 1);
    client.write_all(b"!\n").unwrap();
    inbox.wait();
    let mut reports = 0;
    let interrupted = inbox.wait_for_search(start(Limits::default()), true, |_| {
        reports += 1;
        Ok(())
    });
    assert_eq!((interrupted.unwrap().len(), reports), (1, 0));
    // The end of the input stops only a search without limits.
    inbox.next();
    drop(client);
    let lines = inbox.wait_for_search(start(Limits::default()), false, |_| Ok(()));
    assert_eq!(lines.unwrap().len(), 1);
    let lines = inbox.wait_for_search(start(Limits::depth(3)), true, |_| Ok(()));
    assert_eq!(lines.unwrap()[0].depth.plies(60), 3);
}

#[test]
fn a_search_and_its_session_end_when_nobody_reads_the_output() {
    // `client` is not dropped, so the input stays open.
    let (reader, mut client) = io::pipe().unwrap();
    client.write_all(b"a\n").unwrap();
    let mut inbox = Inbox::open(io::BufReader::new(reader), || true).unwrap();
    let engine = Engine::new(Settings::default().with_hash_mib(1));
    let search = engine.start(&Board::START, 1, &Limits::default()).unwrap();
    inbox.wait_for_search(search, true, |_| Ok(())).unwrap();
    assert_eq!(inbox.next(), None);
}

#[test]
fn a_search_leaves_further_input_in_the_pipe_of_the_client() {
    let mut inbox = Inbox::open(io::BufReader::new(io::repeat(b'\n')), || false).unwrap();
    inbox.begin_search();
    until(|| !inbox.interrupts() && inbox.waiting.len() >= MAX_WAITING);
    inbox.interrupts();
    // The reader may exceed the maximum by one read of its 8 KiB buffer.
    assert!(inbox.waiting.len() <= MAX_WAITING + 8192);
}
