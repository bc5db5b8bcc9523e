//! End-to-end tests of the binary as an engine of Cassio, driven through pipes.

use std::thread::sleep;
use std::time::Duration;

use fastrand::Rng;

use crate::common::Process;
use crate::common::run::cases;

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
fn a_session_is_found_by_its_first_line_and_answers_every_command() {
    let mut engine = engine();
    ask(&mut engine, "init", &["ready."]);
    engine.send("");
    assert_eq!(engine.line().unwrap(), "ready.");
    ask(&mut engine, "new-position", &["ready."]);
    let last = "X".repeat(62) + "O-X";
    let search = format!(" endgame-search {last} -64 64 100");
    ask(&mut engine, &search, &[]);
    let answer = engine.line().unwrap();
    let expected = format!("{last}, move H8, depth 1, @100%, B+64.00 <= v <= B+64.00, H8, node ");
    assert!(answer.starts_with(&expected), "{answer}");
    assert_eq!(engine.line().unwrap(), "ready.");

    let search = format!(" midgame-search start {ENDLESS}");
    ask(&mut engine, &search, &[]);
    engine.send("");
    assert_eq!(engine.line().unwrap(), "ok.");
    ask(&mut engine, " get-search-infos", &[]);
    let infos = engine.line().unwrap();
    let numbers = infos.strip_prefix("node ").unwrap().split_once(", time ");
    let (nodes, time) = numbers.unwrap();
    assert!(
        nodes.parse::<u64>().is_ok() && time.parse::<f64>().is_ok(),
        "{infos}"
    );
    ask(&mut engine, "stop", &["ready."]);
    ask(&mut engine, "stop", &["ready."]);
    ask(&mut engine, "get-search-infos", &["ready."]);

    // Both have no answer.
    let feed = "feed-hash start -2.00 2.00 15 87 F5D6";
    ask(&mut engine, "empty-hash", &[]);
    ask(&mut engine, feed, &[]);
    ask(&mut engine, "quit", &["bye bye."]);
    assert_eq!(engine.finish(), [""; 0]);
}

#[test]
fn invalid_lines_are_answered_with_the_reason() {
    let mut engine = engine();
    for [command, error] in cases(
        "foo | unknown command foo
         midgame-search | midgame-search: expected POSITION ALPHA BETA DEPTH PRECISION
         endgame-search 0 1 | endgame-search: expected POSITION ALPHA BETA PRECISION
         endgame-search X 0 1 100 | position: wrong length: 1 squares
         endgame-search start 1 1 100 | window '1' to '1': expected two numbers
         endgame-search start nan 1 100 | window 'nan' to '1': expected two numbers
         endgame-search start 0 1 101 | precision '101': expected 0 to 100 percent
         midgame-search start 0 1 -1 90 | depth '-1': expected a number of plies",
    ) {
        ask(&mut engine, command, &[]);
        let line = engine.line().unwrap();
        assert!(line.starts_with(&format!("ERROR: {error}")), "{line}");
        assert_eq!(engine.line().unwrap(), "ready.");
    }
    // Without the prefix or a command, the reason is all.
    for line in ["foo", PREFIX, "ENGINE-PROTOCOLS init"] {
        engine.send(line);
        let error = "ERROR: expected ENGINE-PROTOCOL COMMAND";
        assert_eq!(engine.line().unwrap(), error);
    }
    assert_eq!(engine.finish(), [""; 0]);
}

#[test]
fn a_stopped_search_has_no_result_and_one_ready() {
    let mut random = Rng::with_seed(59);
    let mut engine = engine();
    let mut stopped = 0;
    for _ in 0..80 {
        let is_endless = random.bool();
        let short = format!("-64 64 {} 73", random.u32(1..=14));
        let limits = if is_endless { ENDLESS } else { &short };
        let search = format!("{PREFIX}  midgame-search start {limits}\n");
        let stop = format!("{PREFIX} stop\n{PREFIX} get-version\n");
        // A second search that waits is dropped.
        let waiting = if is_endless && random.bool() {
            &*search
        } else {
            ""
        };
        match random.u64(0..30) {
            0..5 => engine.send_bytes(format!("{search}{waiting}{stop}").as_bytes()),
            wait => {
                engine.send_bytes(search.as_bytes());
                sleep(Duration::from_micros(wait * wait * 20));
                engine.send_bytes(format!("{waiting}{stop}").as_bytes());
            }
        }
        let mut lines: Vec<String> = Vec::new();
        while lines.last().is_none_or(|line| line != VERSION) {
            lines.push(engine.line().unwrap());
        }
        assert_eq!(engine.line().unwrap(), "ready.");
        // A search that ended before the stop has its result and a `ready.` of its own.
        let ended = usize::from(lines[0].contains(" <= v <= "));
        assert!(ended == 0 || !is_endless, "{lines:?}");
        assert_eq!(
            lines[ended..],
            [&["ready."; 2][..=ended], &[VERSION]].concat()
        );
        stopped += 1 - ended;
    }
    assert!(stopped > 0);
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
    // So does a quit that was sent together with the search.
    let mut engine = engine();
    engine.send(&format!("{PREFIX} {search}\n{PREFIX} quit"));
    assert_eq!(engine.finish(), ["bye bye."]);
}
