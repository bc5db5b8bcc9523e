//! Tests of lines that arrive during a search, with an evaluation slow enough for that.

use std::io::{BufReader, Read, pipe};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use super::*;
use crate::board::Board;
use crate::eval::{AnyEvaluator, Classic, ErrorModel, Evaluator, Value};
use crate::search::{Selectivity, Settings};

/// Evaluator that signals its calls and takes 5 ms each.
#[derive(Debug)]
struct Slow(Sender<()>);

impl Evaluator for Slow {
    fn evaluate(&self, _: &Board) -> Value {
        // The receiver may be gone after the first call.
        let _ = self.0.send(());
        thread::sleep(Duration::from_millis(5));
        Value::ZERO
    }

    fn name(&self) -> &'static str {
        "slow"
    }

    fn error_model(&self) -> &ErrorModel {
        Classic.error_model()
    }
}

/// Returns the output of a session that reads `request`, and `then` once its search runs.
fn written(depth: u32, request: &str, then: &str) -> String {
    let (sender, searching) = channel();
    let setup = Setup {
        settings: Settings::default()
            .with_hash_mib(1)
            .with_selectivity(Selectivity::P100)
            .with_evaluator(AnyEvaluator::custom(Slow(sender))),
        limits: Limits::depth(depth),
        ..Setup::default()
    };
    let (input, mut client) = pipe().unwrap();
    let (mut output, mut out) = pipe().unwrap();
    let session = thread::spawn(move || run(BufReader::new(input), &mut out, setup));
    client.write_all(request.as_bytes()).unwrap();
    searching.recv_timeout(Duration::from_secs(20)).unwrap();
    client.write_all(then.as_bytes()).unwrap();
    drop(client);
    let mut text = String::new();
    output.read_to_string(&mut text).unwrap();
    session.join().unwrap().unwrap();
    text
}

#[test]
fn a_line_aborts_the_request_without_an_answer() {
    for request in ["go\n", "hint 4\n", "analyze\n"] {
        let text = written(10, request, "ping 3\nlearn\n");
        assert!(text.ends_with("pong 3\nlearned\n"), "{text}");
        for answer in ["===", "analysis", "nodestats"] {
            assert!(request == "hint 4\n" || !text.contains(answer), "{text}");
        }
    }
}

#[test]
fn end_of_input_lets_the_search_finish() {
    for request in ["go\n", "hint 1\n"] {
        let text = written(2, request, "");
        let deepest = if request == "go\n" {
            text.contains("status Thinking: depth 2") && text.contains("\n=== ")
        } else {
            text.contains(" 0 2\n")
        };
        assert!(deepest, "{text}");
    }
}
