//! Random clients of GTP, NBoard, UCI and Cassio, from seeds: every request is answered once and in order.
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

x $ !
@ play black !
@ play white !
@ genmove black
@ genmove white
@ undo
@ clear_board
@ emilia-set depth $
@ emilia-set nodes 500
@ emilia-set ponder on
@ emilia-set weights /dev/zero
@ emilia-setboard f5!
@ emilia-hint $
@ time_settings $ $ $
@ time_left b $ $
@ loadsgf /dev/zero 3",
    last: "@ emilia-set depth 2",
    half: ("0 showbo", &["?0 unknown command", ""]),
};

const NBOARD: Client = Client {
    arguments: &["nboard"],
    lines: "move !
go
hint $
analyze
set game (;GM[Othello]B[!]W[!];)
set depth $
ping x
nboard 2
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
setoption name MultiPV value $
setoption name Skill value $
ucinewgame
isready
uci
go nodes 1000
go movetime $ depth 3
go infinite depth 3
go ponder movetime 5 depth 3
go depth 2 searchmoves P@e3 P@a1 a1a1 e9",
    last: "go depth 1",
    half: ("isread", &["info string unknown command 'isread'"]),
};

const CASSIO: Client = Client {
    arguments: &["cassio"],
    lines: "
init
ENGINE-PROTOCOL
ENGINE-PROTOCOL init
ENGINE-PROTOCOL new-position
ENGINE-PROTOCOL empty-hash
ENGINE-PROTOCOL feed-hash start $ $ $ $ !
ENGINE-PROTOCOL get-search-infos
ENGINE-PROTOCOL get-version
ENGINE-PROTOCOL get-version
ENGINE-PROTOCOL midgame-search start $ 64 3 $
ENGINE-PROTOCOL midgame-search ! -64 $ 3 90",
    last: "ENGINE-PROTOCOL get-version",
    half: (
        "ENGINE-PROTOCOL ini",
        &["ERROR: unknown command ini", "ready."],
    ),
};

/// Numbers as text: valid, out of range, malformed or empty.
const NUMBERS: [&str; 7] = ["-1", "nan", "99999999999999999999", "", "0.5", "3", "9"];

/// Returns a random line, numbered `number`, and the answer that it requires, if any.
fn random_line(client: &Client, number: usize, random: &mut Rng) -> (Vec<u8>, Option<String>) {
    match random.u32(..200) {
        0 => (b"x ".repeat(HUGE / 2), None),
        1..30 => {
            // Bytes that form no request: no line end, no digit (the number of a GTP command), no
            // `)` (the end of a GGF game), no `o`: UCI skips unknown words, and ` go` is a search.
            let length = random.usize(..60);
            let bytes = std::iter::repeat_with(|| random.u8(..)).take(length);
            let is_free = |byte: &u8| !matches!(byte, b'\n' | b')' | b'o' | b'0'..=b'9');
            ([0].into_iter().chain(bytes.filter(is_free)).collect(), None)
        }
        _ => {
            let lines: Vec<&str> = client.lines.lines().collect();
            filled(random.choice(lines).unwrap_or_default(), number, random)
        }
    }
}

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

/// Runs a session of random bursts, each sent in two pieces, and checks the answers.
fn check(client: &Client, more: &[&str], seed: u64, bursts: usize) {
    let arguments = [client.arguments, &["--threads=1", "--hash=1"], more].concat();
    let mut engine = Process::emilia(&arguments);
    let mut random = Rng::with_seed(seed);
    // Answers that the session must still give, in order for each first word.
    let mut expected = BTreeMap::<String, VecDeque<String>>::new();
    let first_word = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
    let mut number = 0;
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
    engine.send_bytes(client.half.0.as_bytes());
    let rest = engine.finish();
    let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
    assert!(rest.ends_with(client.half.1), "{rest:?}");
}

#[test]
fn every_request_is_answered_in_order_under_random_input() {
    check(&GTP, &[], 1, 100);
    check(&NBOARD, &[], 2, 50);
    check(&NBOARD, &["--ponder"], 2, 50);
    check(&UCI, &[], 3, 50);
    check(&CASSIO, &[], 4, 50);
}
