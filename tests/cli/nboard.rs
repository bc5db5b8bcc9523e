//! End-to-end tests of the binary as an NBoard engine, driven through pipes.

use crate::common::Process;
use crate::common::run::cases;
use emilia_core::board::{Move, Position, Transcript};
use emilia_games::{Game, Played};

/// Transcript after which Black must pass.
const BEFORE_A_PASS: &str = "d3c3f5d2d1e1b2c1";

/// Transcript of a whole game, a wipe-out for Black.
const WIPE_OUT: &str = "e6f6c4c5b6d6e7f5g5";

fn game(moves: &str) -> Game {
    Game::from(&Transcript::parse(moves, Position::START).unwrap())
}

/// Starts an NBoard session with these options and exchanges the greeting.
fn greeted(arguments: &[&str]) -> Process {
    let arguments = [&["nboard", "--book=off", "--hash=1"], arguments].concat();
    let mut engine = Process::emilia(&arguments);
    engine.send("nboard 2");
    assert_eq!(engine.line().unwrap(), "set myname Emilia");
    engine
}

/// Starts an NBoard session at depth 2.
fn engine() -> Process {
    let mut engine = greeted(&[]);
    set_depth(&mut engine, 2);
    engine
}

/// Sends `set depth` with a depth other than the current one and reads the new engine name.
fn set_depth(engine: &mut Process, depth: u32) {
    engine.send(&format!("set depth {depth}"));
    let name = format!("set myname Emilia-d{depth}");
    assert_eq!(engine.line().unwrap(), name);
}

/// Sends a `ping`; returns the lines before its `pong` and asserts that each is well-formed.
fn lines_until_pong(engine: &mut Process, number: i32) -> Vec<String> {
    engine.send(&format!("ping {number}"));
    let mut lines = Vec::new();
    loop {
        let line = engine.line().unwrap();
        assert!(is_well_formed(&line), "{line:?}");
        if line == format!("pong {number}") {
            return lines;
        }
        lines.push(line);
    }
}

/// Returns whether a line of the engine follows the NBoard protocol.
fn is_well_formed(line: &str) -> bool {
    let words: Vec<&str> = line.split(' ').collect();
    let number = |text: &str| text.parse::<f64>().is_ok();
    let depth = |text: &str| text == "100%" || text.parse::<u32>().is_ok();
    let pv = |text: &str| {
        let mut moves = text.as_bytes().chunks(2).map(std::str::from_utf8);
        !text.is_empty() && moves.all(|mv| mv.unwrap().parse::<Move>().is_ok())
    };
    match words[..] {
        ["status", first, ..] => !first.is_empty(),
        ["pong", count] => count.parse::<i32>().is_ok(),
        ["set", "myname", name] => name.starts_with("Emilia"),
        ["status" | "learned"] => true,
        ["===", played] => played.parse::<Played>().is_ok(),
        ["search", line, eval, "0", plies] | ["search", line, eval, "0", plies, "at", _] => {
            pv(line) && number(eval) && depth(plies)
        }
        ["nodestats", nodes, seconds] => nodes.parse::<u64>().is_ok() && number(seconds),
        ["analysis", moves, eval] => moves.parse::<u32>().is_ok() && number(eval),
        _ => false,
    }
}

/// Returns the move of the next `===` line.
fn answered(engine: &mut Process) -> Played {
    let line = engine.line_starting("===");
    assert!(is_well_formed(&line), "{line}");
    line["=== ".len()..].parse().unwrap()
}

#[test]
fn go_sends_a_move_but_does_not_play_it() {
    let mut engine = engine();
    for (lines, position) in [
        ("set contempt 0\nping 1", "start"),
        ("ping 2", "start"),
        ("move F5//2.449\nmove D6/-1.34", "f5d6"),
    ] {
        engine.send(&format!("{lines}\ngo"));
        let played = answered(&mut engine);
        let position: Position = position.parse().unwrap();
        assert!(position.play(played.mv).is_ok(), "{played}");
        assert!(played.eval.is_some() && played.time.is_some());
    }
    assert_eq!(engine.finish(), [""; 0]);
}

#[test]
fn forced_passes_and_finished_games_are_answered_with_pass() {
    let mut engine = engine();
    engine.send(&format!("set game {}", game(BEFORE_A_PASS).to_ggf()));
    engine.send("go");
    assert_eq!(engine.line().unwrap(), "=== PA");
    set_depth(&mut engine, 1);
    engine.send("move PA/0.00");
    let white = engine_moves(&mut engine);
    assert!(white.contains(&"A3".parse().unwrap()), "{white:?}");
    // An implied pass: White moves although Black is to pass.
    engine.send(&format!("set game {}", game(BEFORE_A_PASS).to_ggf()));
    engine.send("move A3");
    assert_eq!(lines_until_pong(&mut engine, 3), [""; 0]);

    engine.send(&format!("set game {}", game(WIPE_OUT).to_ggf()));
    engine.send("go");
    let over = "status The game is over: Black wins by 64";
    assert_eq!(engine.line().unwrap(), over);
    assert_eq!(engine.line().unwrap(), "=== PA");
    engine.send("hint 1");
    assert_eq!(engine.line().unwrap(), over);
}

/// Returns the moves that `hint` lists at depth 1: all legal ones.
fn engine_moves(engine: &mut Process) -> Vec<Move> {
    engine.send("set depth 1");
    engine.send("hint 64");
    let mut moves = Vec::new();
    loop {
        let line = engine.line().unwrap();
        assert!(is_well_formed(&line), "{line}");
        match line.strip_prefix("search ") {
            Some(rest) => moves.push(rest[..2].parse().unwrap()),
            None if line.starts_with("nodestats") => return moves,
            None => {}
        }
    }
}

#[test]
fn hint_sends_the_requested_number_of_moves_at_each_depth() {
    let mut engine = engine();
    set_depth(&mut engine, 3);
    engine.send("move f5");
    for (asked, expected) in [(1, 1), (2, 2), (4, 3), (64, 3)] {
        engine.send(&format!("hint {asked}"));
        for depth in ["1", "3"] {
            let mut moves = std::collections::BTreeSet::new();
            for _ in 0..expected {
                let line = engine.line().unwrap();
                assert!(is_well_formed(&line), "{line}");
                let words: Vec<&str> = line.split(' ').collect();
                assert_eq!((words[0], words[4]), ("search", depth));
                moves.insert(words[1][..2].to_owned());
            }
            assert_eq!(moves.len(), expected);
        }
        assert_eq!(engine.line().unwrap(), "status");
        assert!(engine.line().unwrap().starts_with("nodestats "));
    }
    assert_eq!(lines_until_pong(&mut engine, 1), [""; 0]);
}

#[test]
fn analyze_evaluates_every_position_in_blacks_view() {
    let mut engine = engine();
    engine.send(&format!("set game {}", game(WIPE_OUT).to_ggf()));
    engine.send("analyze");
    let mut evals = [f64::NAN; WIPE_OUT.len() / 2 + 1];
    loop {
        let line = engine.line().unwrap();
        assert!(is_well_formed(&line), "{line}");
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["analysis", moves, eval] => {
                evals[moves.parse::<usize>().unwrap()] = eval.parse().unwrap();
            }
            ["nodestats", ..] => break,
            _ => {}
        }
    }
    assert!(evals.iter().all(|eval| eval.is_finite()), "{evals:?}");
    // Black wins by 64, whichever side is to move.
    assert!(evals.ends_with(&[64.0, 64.0]), "{evals:?}");
}

#[test]
fn a_new_line_aborts_the_search_without_an_answer_and_clears_the_status() {
    // 100 s a move: only the next line ends the search.
    let mut engine = greeted(&["--time", "100"]);
    for (number, request) in (0..).zip(["go", "hint 4", "analyze", "hint 1", "go"]) {
        engine.send(request);
        std::thread::sleep(std::time::Duration::from_millis(50));
        let lines = lines_until_pong(&mut engine, number);
        let is_status = |line: &&String| line.starts_with("status");
        let is_search = |line: &String| line.starts_with("search ");
        assert!(
            lines.iter().all(|line| is_status(&line) || is_search(line)),
            "{lines:?}"
        );
        // The last one clears it.
        assert_eq!(lines.iter().rfind(is_status).unwrap(), "status");
    }
    engine.send_bytes(b"go\nhint 2\n");
    lines_until_pong(&mut engine, 77);
    // The greatest depth is 60.
    engine.send("set depth 99");
    assert_eq!(engine.line().unwrap(), "set myname Emilia-d60");
    set_depth(&mut engine, 1);
    engine.send("go");
    answered(&mut engine);
}

#[test]
fn invalid_lines_get_a_status_line_with_the_reason() {
    let mut engine = engine();
    for line in "\
nonsense -> unknown command 'nonsense'
ping x -> ping 'x': expected a number
hint -> hint '': expected a number of moves
set colour 1 -> cannot set 'colour'
set depth -> depth '': expected 1 to 60
set contempt 101 -> contempt '101': expected -100 to 100
move -> move: '' is not a move (expected a1..h8 or pass)
move Z9 -> move: 'Z9' is not a move
move A1 -> illegal move: a1 for black
move PA -> illegal move: pass for black
\u{1F600} \u{7} -> unknown command '?'"
        .lines()
    {
        let (line, start) = line.split_once(" -> ").unwrap();
        engine.send(line);
        let status = engine.line().unwrap();
        assert!(status.starts_with(&format!("status {start}")), "{status}");
        assert!(is_well_formed(&status), "{status}");
    }
    // A number of any size is repeated as it is.
    engine.send("ping 18446744073709551616");
    assert_eq!(engine.line().unwrap(), "pong 18446744073709551616");
    // None of these lines changed the game.
    assert_eq!(engine_moves(&mut engine).len(), 4);
    engine.send("\n   \n\r\nset contempt 100\nset contempt -100\nset depth 1\r");
    assert_eq!(lines_until_pong(&mut engine, -5), [""; 0]);
}

#[test]
fn after_an_invalid_game_requests_are_refused_until_a_valid_one() {
    let mut engine = engine();
    for [set, why] in cases(
        "set game | line 1, column 1:
         set game (;GM[Othello]B[A1];) | line 1, column 14: move 1: illegal move",
    ) {
        engine.send(set);
        let status = engine.line().unwrap();
        assert!(
            status.starts_with(&format!("status game: {why}")),
            "{status}"
        );
        for request in ["go", "hint 2", "analyze", "move F5"] {
            engine.send(request);
            let (name, _) = request.split_once(' ').unwrap_or((request, ""));
            let sentence = "the last game was refused; send a valid 'set game'";
            let refused = [format!("status {name}: {sentence}")];
            assert_eq!(lines_until_pong(&mut engine, 1), refused);
        }
        engine.send(&format!("set game {}", game("f5").to_ggf()));
        assert_eq!(engine_moves(&mut engine).len(), 3);
    }
}
