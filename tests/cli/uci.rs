//! End-to-end tests of the binary as a UCI engine, driven through pipes.

use crate::common::Process;
use crate::common::run;
use emilia_protocol::flipello;

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

/// Returns the lines of a search and its best move, after checking the form of each line.
fn best_move(engine: &mut Process) -> (Vec<String>, String) {
    let mut lines = Vec::new();
    loop {
        let line = engine.line().expect("a best move comes");
        if let Some(answer) = line.strip_prefix("bestmove ") {
            return (lines, answer.to_owned());
        }
        assert!(is_info(&line), "{line}");
        lines.push(line);
    }
}

/// Returns whether a line is a valid `info` line of a search.
fn is_info(line: &str) -> bool {
    let mut words = line.split(' ');
    let is_info = words.next() == Some("info");
    while let Some(word) = words.next() {
        let mut number = || words.next().is_some_and(|word| word.parse::<i64>().is_ok());
        let is_fine = match word {
            "depth" | "multipv" | "nodes" | "nps" | "time" | "cp" => number(),
            "score" => true,
            "pv" => return words.all(|word| flipello::read_move(word).is_some()),
            "string" => return is_info,
            _ => false,
        };
        if !is_fine {
            return false;
        }
    }
    is_info
}

/// Returns the number after `key` in a line.
fn number_after(line: &str, key: &str) -> i64 {
    let mut words = line.split(' ').skip_while(|word| *word != key);
    words.nth(1).unwrap().parse().unwrap()
}

#[test]
fn a_finished_game_has_no_best_move() {
    let mut engine = engine();
    for game in include_str!("../data/flipello-games.txt").lines().skip(1) {
        let entries = game.split(' ').filter_map(|entry| entry.split_once(':'));
        let moves: Vec<&str> = entries.map(|(name, _)| name).collect();
        engine.send(&format!(
            "position startpos moves {}\ngo depth 1",
            moves.join(" ")
        ));
        assert_eq!(best_move(&mut engine).1, "(none)", "{game}");
    }
    engine.finish();
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
fn isready_is_answered_during_an_infinite_search() {
    let mut engine = engine();
    engine.send("go infinite");
    let infos = ready(&mut engine);
    assert!(infos.iter().all(|line| is_info(line)), "{infos:?}");
    // None of these commands ends the search.
    for line in ["debug on", "register later", "", "ponderhit"] {
        engine.send(line);
    }
    engine.send("stop");
    assert!(best_move(&mut engine).1.starts_with("P@"));
    // A second `stop` has no effect.
    engine.send("stop");
    assert_eq!(ready(&mut engine), [""; 0]);
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
        for _ in 0..20 {
            let lines = ready(&mut engine);
            assert!(lines.iter().all(|line| is_info(line)), "{lines:?}");
        }
        engine.send(word);
        assert_eq!(best_move(&mut engine).1, "P@h1");
    }
    engine.finish();
}

#[test]
fn searchmoves_and_multipv_select_the_lines() {
    let mut engine = engine();
    let first_moves = |engine: &mut Process, go: &str| {
        engine.send(go);
        let (lines, _) = best_move(engine);
        let words = lines.iter().map(|line| line.split_once(" pv ").unwrap().1);
        let mut moves: Vec<String> = words.map(|pv| pv[..4].to_owned()).collect();
        moves.reverse();
        moves
    };
    assert_eq!(
        first_moves(&mut engine, "go depth 4 searchmoves P@c5")[0],
        "P@c5"
    );
    engine.send("setoption name MultiPV value 3");
    engine.send("position startpos moves P@e3");
    let mut moves = first_moves(&mut engine, "go depth 4 searchmoves P@f3 P@d3");
    moves[..2].sort_unstable();
    assert_eq!(moves[..2], ["P@d3", "P@f3"]);
    // Three lines at depths 1, 2 and 4.
    assert_eq!(first_moves(&mut engine, "go depth 4").len(), 9);
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
fn matches_run_over_uci_and_end_before_their_first_game_if_an_option_is_refused() {
    let emilia = env!("CARGO_BIN_EXE_emilia");
    let second = format!("gtp:{emilia} gtp --depth 2 --hash 1");
    let play = |options: &str| {
        let first = format!("uci:option.Hash=1,option.threads=1,{options},{emilia} uci");
        let options = "match --depth=3 --games=4 --first".split(' ');
        let players = [&*first, "--second", &second];
        run::emilia(&options.chain(players).collect::<Vec<_>>(), b"")
    };
    let output = play("option.Level=,option.Eval=net");
    output.assert_done();
    output.assert_shows("match: W-D-L ");
    let refused = play("option.Nope=3");
    let why = "refused 'setoption name Nope value 3': no such option";
    assert!(
        refused.code == Some(2) && refused.stderr.contains(why),
        "{refused:?}"
    );
}
