//! End-to-end tests of the binary as a UCI engine, driven through pipes.

use crate::common::Process;
use crate::common::run;

/// Starts an engine and completes the `uci` handshake.
fn engine() -> Process {
    let mut engine = Process::emilia(&["uci", "--book=off", "--hash=1", "--threads=1"]);
    engine.send("uci");
    engine.line_starting("uciok");
    engine
}

/// Sends `isready` and returns the lines before `readyok`.
fn ready(engine: &mut Process) -> Vec<String> {
    engine.send("isready");
    let lines = std::iter::from_fn(|| engine.line().filter(|line| line != "readyok"));
    lines.collect()
}

/// Returns the lines of a search and its best move.
fn best_move(engine: &mut Process) -> (Vec<String>, String) {
    let mut lines = Vec::new();
    loop {
        let line = engine.line().expect("a best move comes");
        if let Some(answer) = line.strip_prefix("bestmove ") {
            return (lines, answer.to_owned());
        }
        lines.push(line);
    }
}

/// Returns the number after `key` in a line.
fn number_after(line: &str, key: &str) -> i64 {
    let mut words = line.split(' ').skip_while(|word| *word != key);
    words.nth(1).unwrap().parse().unwrap()
}

#[test]
fn a_search_writes_info_lines_and_a_best_move() {
    let mut engine = engine();
    engine.send("position startpos moves P@e3 P@f3");
    engine.send("go depth 8");
    let (lines, answer) = best_move(&mut engine);
    let last = lines.last().unwrap();
    assert_eq!(number_after(last, "depth"), 8);
    let pv: Vec<&str> = last.split_once(" pv ").unwrap().1.split(' ').collect();
    assert_eq!(answer, format!("{} ponder {}", pv[0], pv[1]));
    let depths = lines.iter().map(|line| number_after(line, "depth"));
    assert_eq!(depths.collect::<Vec<_>>(), [1, 2, 4, 6, 8]);
    engine.finish();
}

#[test]
fn best_moves_wait_for_stop_or_ponderhit() {
    const FULL: &str =
        "pppppppp/pppppppp/pppppppp/pppppppp/pppppppp/pppppppp/pppppppp/ppppppP1[Pp] b";
    let mut engine = engine();
    for (go, word) in [
        ("infinite", "stop"),
        ("ponder", "stop"),
        ("ponder wtime 1000 btime 1000", "ponderhit"),
    ] {
        engine.send(&format!("position fen {FULL}\ngo {go}"));
        let line = engine.line_starting("info depth 1 ");
        // 64 discs in hundredths.
        assert!(line.contains(" score cp 6400 "), "{line}");
        // None of these commands ends the search.
        for line in ["debug on", "register later", ""] {
            engine.send(line);
        }
        for _ in 0..20 {
            ready(&mut engine);
        }
        engine.send(word);
        assert_eq!(best_move(&mut engine).1, "P@h1");
        // A second one has no effect.
        engine.send(word);
        assert_eq!(ready(&mut engine), [""; 0]);
    }
    engine.finish();
}

#[test]
fn options_take_their_defaults_and_empty_ones_restore_the_initial_values() {
    let mut engine =
        Process::emilia(&["uci", "--book=off", "--hash=1", "--threads=1", "--depth=3"]);
    let listed = |engine: &mut Process| {
        engine.send("uci");
        let lines = std::iter::from_fn(|| engine.line().filter(|line| line != "uciok"));
        lines.collect::<Vec<_>>()
    };
    let options = listed(&mut engine);
    assert!(options[0].starts_with("id name Emilia") && options[1].starts_with("id author "));
    for option in &options[2..] {
        let (name, rest) = option["option name ".len()..].split_once(" type ").unwrap();
        let default = rest.split_once("default ");
        let value = default.map_or("", |(_, rest)| rest.split(' ').next().unwrap());
        engine.send(&format!("setoption name {name} value {value}"));
    }
    assert_eq!(ready(&mut engine), [""; 0]);
    for (set, expected) in [("5", 5), ("<empty>", 3), ("4", 4), ("", 3)] {
        engine.send(&format!("setoption name Level value {set}"));
        engine.send("go");
        let (lines, _) = best_move(&mut engine);
        let last = lines.last().unwrap();
        assert_eq!(number_after(last, "depth"), expected, "{set}");
    }
    // The evaluation stays selected and gets its embedded weights back.
    engine.send("setoption name Eval value classic");
    engine.send("setoption name Weights value <empty>");
    assert_eq!(ready(&mut engine), [""; 0]);
    assert_eq!(listed(&mut engine), options);
    engine.finish();
}

#[test]
fn a_match_ends_before_its_first_game_if_an_option_is_refused() {
    let player = format!(
        "uci:option.Nope=3,{} uci --hash 1",
        env!("CARGO_BIN_EXE_emilia")
    );
    let arguments = ["match", "--depth=1", "--second=builtin", "--first", &player];
    let run = run::emilia(&arguments, b"");
    assert_eq!(run.code, Some(2));
    run.assert_reports("begin a game: refused 'setoption name Nope value 3': no such option");
}
