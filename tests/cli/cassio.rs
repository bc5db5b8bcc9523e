//! End-to-end tests of the binary as an engine of Cassio, driven through pipes.
//!
//! `EMILIA_CASSIO_ROUNDS` sets the number of random searches and of stops.

use std::thread::sleep;
use std::time::Duration;

use fastrand::Rng;

use crate::common::Process;
use crate::common::run::{Run, cases, emilia, emilia_line};
use emilia_core::board::{Color, Move, Position};

const PREFIX: &str = "ENGINE-PROTOCOL";

/// Arguments of a search that never ends.
const ENDLESS: &str = "-64.00 64.00 30 100";

const VERSION: &str = concat!("version: Emilia ", env!("CARGO_PKG_VERSION"));

/// Number of rounds of a test with random numbers.
fn rounds(default: usize) -> usize {
    let rounds = std::env::var("EMILIA_CASSIO_ROUNDS").ok();
    rounds.map_or(default, |rounds| rounds.parse().expect("a number"))
}

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

/// Writes a position in 65 characters.
fn written(position: &Position) -> String {
    position.to_string().replace(' ', "")
}

/// Returns the position of a random game with this number of empty squares.
fn random_position(empties: u32, random: &mut Rng) -> Position {
    loop {
        let mut position = Position::START;
        while position.board.empty_count() > empties && !position.is_over() {
            let mv = random.choice(position.moves()).unwrap_or(Move::Pass);
            position = position.play(mv).unwrap();
        }
        if position.board.empty_count() == empties && position.board.can_move() {
            return position;
        }
    }
}

/// Returns a random window, in discs. Every other one begins near a draw.
fn random_window(random: &mut Rng) -> [i32; 2] {
    let most = if random.bool() { 3 } else { 64 };
    let alpha = random.i32(-most..most);
    let most = random.choice([1, 2, 64]).unwrap();
    [alpha, (alpha + random.i32(1..=most)).min(64)]
}

/// Returns a number of discs in hundredths.
fn hundredths(discs: f64) -> i32 {
    (discs * 100.0).round() as i32
}

/// Fields of a result.
#[derive(Debug)]
struct Found {
    depth: u32,
    /// Precision in percent.
    precision: u32,
    /// Lower and upper bound in hundredths of a disc, for the side to move.
    bounds: [i32; 2],
    best: Move,
}

/// Reads the answer to a search, and asserts that it is well-formed.
fn found(engine: &mut Process, position: &Position) -> Found {
    let line = engine.line().unwrap();
    assert_eq!(engine.line().unwrap(), "ready.");
    assert!(line.len() > 80, "{line}");
    let fields: Vec<&str> = line.split(", ").collect();
    let [board, best, depth, precision, bounds, pv, nodes, time] = fields[..] else {
        panic!("{line}");
    };
    let field = |text: &str, name| text.strip_prefix(name).expect(name).to_owned();
    assert_eq!(board, written(position));
    assert!(field(nodes, "node ").parse::<u64>().is_ok(), "{line}");
    assert!(field(time, "time ").parse::<f64>().is_ok(), "{line}");
    let best = field(best, "move ");
    assert!(pv.starts_with(&best), "{line}");
    let mut now = *position;
    for name in pv.as_bytes().chunks(2) {
        let is_black = now.mover == Color::Black;
        assert_eq!(name[0].is_ascii_uppercase(), is_black, "{line}");
        let mv: Move = str::from_utf8(name).unwrap().parse().unwrap();
        now = now.play(mv).unwrap();
    }
    let side = match position.mover {
        Color::Black => "B",
        Color::White => "W",
    };
    let (lower, upper) = bounds.split_once(" <= v <= ").unwrap();
    let precision = field(precision, "@");
    Found {
        depth: field(depth, "depth ").parse().unwrap(),
        precision: precision.trim_end_matches('%').parse().unwrap(),
        bounds: [lower, upper].map(|bound| hundredths(field(bound, side).parse().unwrap())),
        best: best.parse().unwrap(),
    }
}

/// Returns the objects of the JSON lines of a run.
fn objects(run: &Run) -> Vec<serde_json::Value> {
    assert_eq!(run.code, Some(0), "{run:?}");
    let lines = run.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
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

    let start = written(&Position::START);
    let search = format!(" midgame-search {start} {ENDLESS}");
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
    let feed = format!("feed-hash {start} -2.00 2.00 15 87 F5D6");
    ask(&mut engine, "empty-hash", &[]);
    ask(&mut engine, &feed, &[]);
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
fn bounds_hold_the_exact_score_and_lie_on_one_side_of_the_window() {
    let mut random = Rng::with_seed(57);
    let mut engine = engine();
    let (mut boards, mut searches) = (Vec::new(), Vec::new());
    for _ in 0..rounds(40) {
        let position = random_position(random.u32(1..=12), &mut random);
        let window = random_window(&mut random);
        let precision = random.choice([73, 90, 100]).unwrap();
        let (board, [alpha, beta]) = (written(&position), window);
        let search = format!("endgame-search {board} {alpha} {beta} {precision}");
        ask(&mut engine, &search, &[]);
        let found = found(&mut engine, &position);
        assert_eq!(found.depth, position.board.empty_count());
        assert!(found.precision >= precision, "{found:?}");
        boards.push(board);
        searches.push((search, window, found.bounds));
    }
    let solve = ["solve", "-", "--json", "--threads=1"];
    let solutions = objects(&emilia(&solve, boards.join("\n").as_bytes()));
    assert_eq!(solutions.len(), searches.len());
    for ((search, window, bounds), solution) in searches.iter().zip(&solutions) {
        let score = hundredths(solution["score"].as_f64().unwrap());
        let ([alpha, beta], [lower, upper]) = (window.map(|end| end * 100), *bounds);
        let is_inside = alpha < score && score < beta;
        assert!(lower <= score && score <= upper, "{search}: {bounds:?}");
        assert!(lower == upper || !is_inside, "{search}: {bounds:?}");
        for end in [alpha, beta] {
            let straddles = lower < end && end < upper;
            assert!(!straddles, "{search}: {bounds:?}");
        }
    }
}

#[test]
fn a_midgame_search_has_the_depth_and_the_value_of_hint() {
    let mut random = Rng::with_seed(58);
    let mut engine = engine();
    for _ in 0..rounds(10) {
        let position = random_position(random.u32(20..60), &mut random);
        let precision = random.choice([73, 87, 95, 100]).unwrap();
        let (board, depth) = (written(&position), random.u32(1..=8));
        let [alpha, beta] = random_window(&mut random);
        // An empty table makes the search deterministic.
        ask(&mut engine, "empty-hash", &[]);
        let search = format!("midgame-search {board} {alpha}.00 {beta}.50 {depth} {precision}");
        ask(&mut engine, &search, &[]);
        let found = found(&mut engine, &position);
        assert_eq!((found.depth, found.precision), (depth, precision));
        let hint = format!(
            "hint {board} --count=1 --depth={depth} --selectivity={precision} \
             --exact=0 --hash=1 --threads=1 --book=off --json"
        );
        let hint = &objects(&emilia_line(&hint))[0]["hints"][0];
        assert_eq!(hint["move"].as_str().unwrap().parse(), Ok(found.best));
        let value = hundredths(hint["score"].as_f64().unwrap());
        // Halves of a hundredth are rounded in both directions.
        let is_equal = |bound: i32| (bound - value).abs() <= 1;
        assert!(
            found.bounds.into_iter().all(is_equal),
            "{search}: {found:?}"
        );
    }
}

#[test]
fn a_stopped_search_has_no_result_and_one_ready() {
    let mut random = Rng::with_seed(59);
    let mut engine = engine();
    let start = written(&Position::START);
    let mut stopped = 0;
    for _ in 0..2 * rounds(40) {
        let is_endless = random.bool();
        let short = format!("-64 64 {} 73", random.u32(1..=14));
        let limits = if is_endless { ENDLESS } else { &short };
        let search = format!("{PREFIX}  midgame-search {start} {limits}\n");
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
        let ended = usize::from(lines[0].starts_with(&start));
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
fn a_script_is_executed_to_its_end() {
    let start = written(&Position::START);
    let search = format!("{PREFIX} midgame-search {start} -64 64 6 73\n");
    for end in ["", "ENGINE-PROTOCOL quit\n"] {
        let run = emilia(
            &["cassio", "--hash=1"],
            format!("{search}{search}{end}").as_bytes(),
        );
        run.assert_done();
        let lines: Vec<&str> = run.stdout.lines().collect();
        assert_eq!(
            lines.iter().filter(|line| **line == "ready.").count(),
            2,
            "{run:?}"
        );
        assert_eq!(
            lines.iter().filter(|line| line.starts_with(&start)).count(),
            2,
            "{run:?}"
        );
        assert_eq!(lines.last() == Some(&"bye bye."), !end.is_empty());
    }
}

#[test]
fn a_quit_or_the_end_of_the_input_ends_a_search_without_a_result() {
    let start = written(&Position::START);
    let search = format!("midgame-search {start} {ENDLESS}");
    let late = "ERROR: no result 5s after the end of the input: add a quit";
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
}
