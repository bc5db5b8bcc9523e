//! Random clients of GTP, NBoard, UCI and Cassio, from seeds: every request is answered once and in order.
//!
//! A client sends valid and invalid requests in bursts. Binary bytes and overlong lines are inputs of
//! `tests/fuzz`, for the same sessions.

use std::collections::{BTreeMap, VecDeque};

use fastrand::Rng;

use crate::common::Process;

/// Numbers as text: valid, out of range, malformed or empty.
const NUMBERS: [&str; 7] = ["-1", "nan", "99999999999999999999", "", "0.5", "3", "9"];

/// Fills the placeholders of a line. Returns also the answer that it requires: the line of the
/// answer, its first word, or the number of a GTP command.
fn filled(line: &str, number: usize, random: &mut Rng) -> (Vec<u8>, Option<String>) {
    let square = format!("{}{}", random.char('a'..='h'), random.u8(1..=8));
    // `@` is also part of UCI moves.
    let line = line.replace("P@", "P\0").replace('@', &number.to_string());
    let line = line.replace("P\0", "P@").replace('!', &square);
    let line = line.replace('$', random.choice(NUMBERS).unwrap_or_default());
    let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
    let answer = match word {
        "isready" => Some("readyok".to_owned()),
        "uci" => Some("uciok".to_owned()),
        "go" if rest.contains(['1', '2', '3']) => Some("bestmove".to_owned()),
        "ENGINE-PROTOCOL" if rest == "get-version" => {
            Some(concat!("version: Emilia ", env!("CARGO_PKG_VERSION")).to_owned())
        }
        "ping" if rest != "x" => Some(format!("pong {rest}")),
        _ => word.parse::<u32>().ok().map(|id| format!("id {id}")),
    };
    (line.into_bytes(), answer)
}

/// Runs a session of 50 random bursts, each sent in two pieces, and checks the answers.
fn check(arguments: &str, requests: &[&str]) {
    let arguments = format!("{arguments} --threads=1 --hash=1");
    let mut engine = Process::emilia(&arguments.split(' ').collect::<Vec<_>>());
    let mut random = Rng::with_seed(1);
    let (last, requests) = requests.split_last().expect("requests");
    // Answers that the session must still give, in order for each first word.
    let mut expected = BTreeMap::<String, VecDeque<String>>::new();
    let first_word = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
    let mut number = 0;
    for _ in 0..50 {
        let mut bytes = Vec::new();
        for left in (0..=random.choice([0, 1, 3, 30]).unwrap_or(1)).rev() {
            number += 1;
            let line = if left == 0 {
                Some(last)
            } else {
                random.choice(requests)
            };
            let (line, answer) = filled(line.unwrap_or(last), number, &mut random);
            bytes.extend([&line[..], b"\n"].concat());
            if let Some(answer) = answer {
                let open = expected.entry(first_word(&answer)).or_default();
                open.push_back(answer);
            }
        }
        let (first, rest) = bytes.split_at(random.usize(..=bytes.len()));
        engine.send_bytes(first);
        std::thread::yield_now();
        engine.send_bytes(rest);
        while !expected.values().all(VecDeque::is_empty) {
            let line = engine.line().expect("the session goes on");
            let id = first_word(line.strip_prefix(['=', '?']).unwrap_or_default());
            let answer = match id.parse::<u32>() {
                Ok(id) => format!("id {id}"),
                Err(_) if line.starts_with("bestmove ") => first_word(&line),
                Err(_) => line,
            };
            // Lines that answer no request are skipped.
            if let Some(open) = expected.get_mut(&first_word(&answer)) {
                assert_eq!(Some(answer), open.pop_front());
            }
        }
    }
    engine.finish();
}

#[test]
fn every_request_is_answered_in_order_under_random_input() {
    let clients = include_str!("../protocol/requests.txt").split("\n=== ");
    for client in clients.skip(1) {
        let lines: Vec<&str> = client.lines().collect();
        check(lines[0], &lines[1..]);
    }
}
