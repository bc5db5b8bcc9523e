//! Random clients of GTP, NBoard and UCI, from seeds: every request is answered once and in order.
//!
//! A client sends valid and invalid requests, binary bytes and overlong lines, in bursts.

use std::collections::{BTreeMap, VecDeque};

use fastrand::Rng;

use crate::common::Process;

/// Length in bytes of a line that every protocol must refuse as too long.
const HUGE: usize = 1 << 20;

/// A client of one protocol.
struct Client {
    arguments: &'static [&'static str],
    /// Valid and invalid lines. `$` stands for a random number, `!` for a random move, and `@` for
    /// the number of the line.
    lines: &'static str,
    /// Request that ends a burst: the engine answers it after all lines before it.
    last: &'static str,
    /// Line without its end that ends the session, and the output after it.
    half: (&'static str, &'static [&'static str]),
}

const GTP: Client = Client {
    arguments: &["gtp", "--depth=2"],
    lines: "# interrupt

play b !
x $ !
\0
@ play black !
@ play white !
@ genmove black
@ genmove white
@ reg_genmove b
@ undo
@ clear_board
@ gogui-rules_legal_moves
@ emilia-set depth $
@ emilia-set nodes 500
@ emilia-set ponder on
@ emilia-set eval classic
@ emilia-set weights /dev/zero
@ emilia-setboard f5!
@ emilia-hint $
@ time_settings $ $ $
@ time_left b $ $
@ loadsgf /dev/zero 3
@ final_score",
    last: "@ emilia-set depth 2",
    half: ("0 showbo", &["?0 unknown command", ""]),
};

const NBOARD: Client = Client {
    arguments: &["nboard"],
    lines: "move !
move !//2.5
move PA
go
hint $
analyze
set game (;GM[Othello]B[!]W[!];)
set depth $
set contempt $
ping x
nboard 2
learn

ping @
ping @
ping @",
    last: "ping @",
    half: ("set game (;GM[Oth", &[]),
};

const UCI: Client = Client {
    arguments: &["uci"],
    lines: "position startpos moves !
position startpos moves P@e3 P@f3
position fen !
stop
ponderhit
setoption name Hash value $
setoption name MultiPV value $
setoption name Clear Hash
setoption name Skill value $
ucinewgame
debug on
d

isready
uci
go depth 2
go nodes 1000
go movetime $ depth 3
go infinite depth 3
go ponder movetime 5 depth 3
go depth 2 searchmoves P@e3 P@a1 a1a1 e9",
    last: "go depth 1",
    half: ("isread", &["info string unknown command 'isread'"]),
};

/// Returns the answer that a line requires: the line of the answer, its first word, or the number
/// of a GTP command.
fn answer(line: &str) -> Option<String> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match word {
        "isready" => Some("readyok".to_owned()),
        "uci" => Some("uciok".to_owned()),
        "go" if rest.contains(['1', '2', '3']) => Some("bestmove".to_owned()),
        "ping" if rest != "x" => Some(format!("pong {rest}")),
        _ => word.parse::<u32>().ok().map(|id| id.to_string()),
    }
}

/// Numbers as text: valid, out of range, malformed or empty.
const NUMBERS: [&str; 9] = [
    "-1",
    "nan",
    "1e99",
    "99999999999999999999",
    "",
    "0",
    "0.5",
    "3",
    "9",
];

/// Returns random bytes that form no request.
///
/// Excludes line ends, digits (a GTP command number) and `)` (the end of a GGF game).
/// Excludes `o`, because UCI skips unknown words, so that garbage with ` go` would start a search.
fn garbage(random: &mut Rng) -> Vec<u8> {
    let length = random.usize(..60);
    let bytes = std::iter::repeat_with(|| random.u8(..)).take(length);
    bytes
        .filter(|byte| !matches!(byte, b'\n' | b')' | b'o' | b'0'..=b'9'))
        .collect()
}

/// Answers that the session must still give, in order for each first word.
#[derive(Default)]
struct Expected(BTreeMap<String, VecDeque<String>>);

impl Expected {
    fn add(&mut self, answer: String) {
        let word = answer.split(' ').next().unwrap_or_default();
        let is_number = word.parse::<u32>().is_ok();
        let word = if is_number { "id" } else { word }.to_owned();
        self.0.entry(word).or_default().push_back(answer);
    }

    /// Checks a line of the output. Lines that answer no request are skipped.
    fn check(&mut self, line: &str) {
        let first = line.split(' ').next().unwrap_or_default();
        let (word, answer) = match first.strip_prefix(['=', '?']) {
            Some(id) if id.parse::<u32>().is_ok() => ("id", id),
            _ => (first, line),
        };
        if let Some(open) = self.0.get_mut(word) {
            let expected = open.pop_front().expect("an answer without a request");
            let is_right = word == "bestmove" || answer == expected;
            assert!(is_right, "{line}, expected {expected}");
        }
    }

    fn is_empty(&self) -> bool {
        self.0.values().all(VecDeque::is_empty)
    }
}

/// Returns a random line, numbered `number`, and the answer that it requires, if any.
fn random_line(client: &Client, number: usize, random: &mut Rng) -> (Vec<u8>, Option<String>) {
    match random.u32(..200) {
        0 => (b"x ".repeat(HUGE / 2), None),
        1..30 => ([&b"\0"[..], &garbage(random)].concat(), None),
        _ => {
            let lines: Vec<&str> = client.lines.lines().collect();
            filled(random.choice(lines).unwrap_or_default(), number, random)
        }
    }
}

/// Fills the placeholders of a line. Returns also the answer that it requires.
fn filled(line: &str, number: usize, random: &mut Rng) -> (Vec<u8>, Option<String>) {
    let square = format!("{}{}", random.char('a'..='h'), random.u8(1..=8));
    // `@` is also part of UCI moves.
    let line = line.replace("P@", "P\0").replace('@', &number.to_string());
    let line = line.replace("P\0", "P@").replace('!', &square);
    let line = line.replace('$', random.choice(NUMBERS).unwrap_or_default());
    let answer = answer(&line);
    (line.into_bytes(), answer)
}

/// Runs a session of random bursts, each sent in two pieces, and checks the answers.
fn check(client: &Client, more: &[&str], seed: u64, bursts: usize) {
    let arguments = [client.arguments, &["--threads=1", "--hash=1"], more].concat();
    let mut engine = Process::emilia(&arguments);
    let mut random = Rng::with_seed(seed);
    let (mut expected, mut number) = (Expected::default(), 0);
    for _ in 0..bursts {
        let mut bytes = Vec::new();
        for left in (0..=random.choice([0, 1, 3, 30]).unwrap_or(1)).rev() {
            number += 1;
            let (line, answer) = if left == 0 {
                filled(client.last, number, &mut random)
            } else {
                random_line(client, number, &mut random)
            };
            bytes.extend([&line[..], b"\n"].concat());
            if let Some(answer) = answer {
                expected.add(answer);
            }
        }
        let (first, rest) = bytes.split_at(random.usize(..=bytes.len()));
        engine.send_bytes(first);
        std::thread::yield_now();
        engine.send_bytes(rest);
        while !expected.is_empty() {
            expected.check(&engine.line().expect("the session goes on"));
        }
    }
    engine.send_bytes(client.half.0.as_bytes());
    let rest = engine.finish();
    let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
    assert!(rest.ends_with(client.half.1), "{rest:?}");
}

#[test]
fn every_request_is_answered_in_order_under_random_input() {
    check(&GTP, &[], 1, 200);
    check(&NBOARD, &[], 2, 100);
    check(&NBOARD, &["--ponder"], 2, 100);
    check(&UCI, &[], 3, 100);
}
