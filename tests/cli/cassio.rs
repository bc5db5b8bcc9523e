//! End-to-end tests of the binary as an engine of Cassio, driven through pipes.

use std::thread::sleep;
use std::time::Duration;

use crate::common::Process;

const PREFIX: &str = "ENGINE-PROTOCOL";

/// Arguments of a search that never ends.
const ENDLESS: &str = "-64.00 64.00 30 100";

const VERSION: &str = concat!("version: Emilia ", env!("CARGO_PKG_VERSION"));

/// Starts an engine without a subcommand: the first line selects the protocol.
fn engine() -> Process {
    let mut engine = Process::emilia(&["--hash=1", "--threads=1"]);
    ask(&mut engine, "get-version", &[VERSION, "ready."]);
    engine
}

/// Sends a command and asserts its answer.
#[track_caller]
fn ask(engine: &mut Process, command: &str, answer: &[&str]) {
    engine.send(&format!("{PREFIX} {command}"));
    for expected in answer {
        assert_eq!(engine.line().unwrap(), *expected, "{command}");
    }
}

#[test]
fn a_stopped_search_has_no_result_and_one_ready() {
    let mut engine = engine();
    let search = format!("{PREFIX} midgame-search start {ENDLESS}\n");
    let stop = format!("{PREFIX} stop\n{PREFIX} get-version\n");
    // The stop arrives with the search or during it. A second search that waits is dropped.
    for (first, wait, second) in [
        (search.clone() + &stop, 0, String::new()),
        (search.repeat(2) + &stop, 0, String::new()),
        (search.clone(), 1, stop.clone()),
        (search.clone(), 10, search.clone() + &stop),
    ] {
        engine.send_bytes(first.as_bytes());
        sleep(Duration::from_millis(wait));
        engine.send_bytes(second.as_bytes());
        for line in ["ready.", VERSION, "ready."] {
            assert_eq!(engine.line().unwrap(), line);
        }
    }
    engine.finish();
}

#[test]
fn a_quit_or_the_end_of_the_input_ends_a_search_without_a_result() {
    let search = format!("midgame-search start {ENDLESS}");
    let late = "ERROR: no result 5s after the end of the input: keep it open";
    for (last, answer) in [("quit", &["bye bye."][..]), ("init", &[late, "ready."])] {
        let mut engine = engine();
        ask(&mut engine, &search, &[]);
        engine.send("");
        assert_eq!(engine.line().unwrap(), "ok.");
        // Commands that wait are dropped.
        ask(&mut engine, &search, &[]);
        ask(&mut engine, last, &[]);
        assert_eq!(engine.finish(), answer);
    }
    // A quit that was sent together with the search also ends it without a result.
    let mut engine = engine();
    engine.send(&format!("{PREFIX} {search}\n{PREFIX} quit"));
    assert_eq!(engine.finish(), ["bye bye."]);
}
