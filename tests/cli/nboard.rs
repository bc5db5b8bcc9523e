//! End-to-end tests of the binary as an NBoard engine, driven through pipes.

use crate::common::Process;
use emilia_core::board::{Move, Position, Transcript};
use emilia_games::{Game, Played};

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
        // The last status line clears the status.
        assert_eq!(lines.iter().rfind(is_status).unwrap(), "status");
    }
    engine.send_bytes(b"go\nhint 2\n");
    lines_until_pong(&mut engine, 77);
}
