//! UCI through pipes: the protocol, and games by the rules of Fairy-Stockfish.
//!
//! The rules come from the Python package `pyffish`, if installed. Otherwise the test uses the
//! games it has generated, in `tests/data/flipello-games.txt`.
//! With the Python package `chess` its client plays too. To play against Fairy-Stockfish itself:
//! `EMILIA_FAIRY_STOCKFISH='COMMAND' cargo test --test cli -- uci::`.

use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::Process;
use emilia::board::{Move, Position, flipello};

/// Games with the number of legal moves before each move, and with their last boards.
const GAMES: &str = include_str!("../data/flipello-games.txt");

/// Starts an engine and completes the `uci` handshake.
fn engine() -> Process {
    let mut engine = Process::emilia(&["uci", "--hash", "1", "--threads", "1"]);
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
    let mut words = line.split(' ').peekable();
    if words.next() != Some("info") {
        return false;
    }
    while let Some(word) = words.next() {
        let mut number = || words.next().is_some_and(|word| word.parse::<i64>().is_ok());
        let is_fine = match word {
            "depth" | "multipv" | "nodes" | "nps" | "time" => number(),
            "score" => {
                words.next() == Some("cp")
                    && words.next().is_some_and(|cp| cp.parse::<i32>().is_ok())
            }
            "pv" => words
                .by_ref()
                .all(|word| flipello::read_move(word).is_some()),
            "string" => return true,
            _ => false,
        };
        if !is_fine {
            return false;
        }
    }
    true
}

/// Returns the number after `key` in a line.
fn number_after(line: &str, key: &str) -> i64 {
    let mut words = line.split(' ').skip_while(|word| *word != key);
    words.nth(1).unwrap().parse().unwrap()
}

#[test]
fn the_handshake_names_the_options() {
    let mut engine = Process::emilia(&["uci"]);
    engine.send("uci");
    assert!(engine.line().unwrap().starts_with("id name Emilia"));
    assert!(engine.line().unwrap().starts_with("id author "));
    let options: Vec<String> =
        std::iter::from_fn(|| engine.line().filter(|line| line != "uciok")).collect();
    for option in [
        "option name Hash type spin default 64 min 1 max 65536",
        "option name UCI_Variant type combo default flipello var flipello",
        "option name Ponder type check default false",
        "option name MultiPV type spin default 1 min 1 max 64",
    ] {
        assert!(
            options.iter().any(|line| line == option),
            "{option} {options:?}"
        );
    }
    // Every default is a valid value.
    for option in &options {
        let (name, rest) = option["option name ".len()..].split_once(" type ").unwrap();
        let default = rest
            .split_once("default ")
            .map(|(_, rest)| rest.split(' ').next().unwrap());
        let value = default
            .map(|value| format!(" value {value}"))
            .unwrap_or_default();
        engine.send(&format!("setoption name {name}{value}"));
    }
    assert_eq!(ready(&mut engine), [""; 0]);
    engine.finish();
}

#[test]
fn the_first_line_selects_the_protocol() {
    let mut engine = Process::emilia(&[]);
    engine.send("uci");
    engine.line_starting("uciok");
    engine.send("quit");
    assert!(engine.wait().success());
}

#[test]
fn moves_and_boards_agree_with_games_of_fairy_stockfish() {
    for line in GAMES.lines().filter(|line| !line.starts_with('#')) {
        let (moves, board) = line.rsplit_once(' ').unwrap();
        let mut position = Position::START;
        for entry in moves.split(' ') {
            let (name, count) = entry.split_once(':').unwrap();
            let mv = flipello::read_move(name).unwrap();
            // At the end of the game both sides pass in Fairy-Stockfish.
            let legal = if position.is_over() {
                vec![Move::Pass]
            } else {
                position.moves()
            };
            assert_eq!(legal.len(), count.parse::<usize>().unwrap(), "{line}");
            assert!(legal.contains(&mv), "{name}: {line}");
            assert_eq!(flipello::move_name(mv, &position), name, "{line}");
            position = position
                .play(mv)
                .unwrap_or(position.with_mover(!position.mover));
        }
        assert!(position.is_over());
        assert_eq!(flipello::fen(&position).split('[').next(), Some(board));
    }
}

#[test]
fn games_of_fairy_stockfish_are_accepted_and_end_alike() {
    let mut engine = engine();
    for line in GAMES.lines().filter(|line| !line.starts_with('#')) {
        let (moves, _) = line.rsplit_once(' ').unwrap();
        let names: Vec<&str> = moves
            .split(' ')
            .map(|entry| entry.split(':').next().unwrap())
            .collect();
        engine.send(&format!("position startpos moves {}", names.join(" ")));
        engine.send("go depth 1");
        assert_eq!(best_move(&mut engine).1, "(none)", "{line}");
        let (last, before) = names.split_last().unwrap();
        engine.send(&format!("position startpos moves {}", before.join(" ")));
        engine.send("go depth 1");
        let answer = best_move(&mut engine).1;
        // The best move may differ from that of the game, unless that is a pass.
        assert!(
            answer.starts_with("P@") || answer == *last,
            "{answer} {line}"
        );
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
    assert_eq!(lines.len(), 8);
    engine.finish();
}

#[test]
fn scores_are_in_hundredths_of_a_disc() {
    let mut engine = engine();
    engine.send(
        "position fen pppppppp/pppppppp/pppppppp/pppppppp/pppppppp/pppppppp/pppppppp/ppppppP1[Pp] \
         b - - 0 1",
    );
    engine.send("go infinite");
    engine.send("stop");
    let (lines, answer) = best_move(&mut engine);
    assert!(
        lines
            .last()
            .unwrap()
            .contains("depth 1 multipv 1 score cp 6400 "),
        "{lines:?}"
    );
    assert_eq!(answer, "P@h1");
    engine.finish();
}

#[test]
fn isready_is_answered_during_an_infinite_search() {
    let mut engine = engine();
    engine.send("go infinite");
    let infos = ready(&mut engine);
    assert!(infos.iter().all(|line| is_info(line)), "{infos:?}");
    // None of these commands ends the search.
    for line in ["debug on", "register later", "wobble", "", "ponderhit"] {
        engine.send(line);
    }
    let infos = ready(&mut engine);
    assert!(
        infos
            .iter()
            .any(|line| line == "info string unknown command 'wobble'"),
        "{infos:?}"
    );
    let infos = ready(&mut engine);
    assert!(infos.iter().all(|line| is_info(line)), "{infos:?}");
    engine.send("stop");
    assert!(best_move(&mut engine).1.starts_with("P@"));
    // A second `stop` has no effect.
    engine.send("stop");
    assert_eq!(ready(&mut engine), [""; 0]);
    engine.finish();
}

#[test]
fn best_moves_wait_for_stop_or_ponderhit() {
    let mut engine = engine();
    for (go, word) in [
        ("infinite", "stop"),
        ("ponder", "stop"),
        ("ponder wtime 1000 btime 1000", "ponderhit"),
    ] {
        engine.send(
            "position fen pppppppp/pppppppp/pppppppp/pppppppp/pppppppp/pppppppp/pppppppp/\
             ppppppP1[Pp] b",
        );
        engine.send(&format!("go {go}"));
        engine.line_starting("info depth 1 ");
        // The search has ended by now or will end soon.
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
fn limits_apply_after_ponderhit() {
    let mut engine = engine();
    engine.send("position startpos moves P@e3");
    engine.send("go ponder depth 60 movetime 200");
    engine.line_starting("info depth 6 ");
    engine.send("ponderhit");
    assert!(best_move(&mut engine).1.starts_with("P@"));
    engine.finish();
}

#[test]
fn searchmoves_and_multipv_select_the_lines() {
    let mut engine = engine();
    engine.send("go depth 4 searchmoves P@c5");
    assert!(best_move(&mut engine).1.starts_with("P@c5 "));
    engine.send("setoption name MultiPV value 3");
    engine.send("position startpos moves P@e3");
    engine.send("go depth 4 searchmoves P@f3 P@d3");
    let (lines, _) = best_move(&mut engine);
    let first: Vec<&str> = lines[lines.len() - 2..]
        .iter()
        .map(|line| {
            line.split_once(" pv ")
                .unwrap()
                .1
                .split(' ')
                .next()
                .unwrap()
        })
        .collect();
    assert!(
        first.contains(&"P@f3") && first.contains(&"P@d3"),
        "{lines:?}"
    );
    engine.send("go depth 4");
    let (lines, _) = best_move(&mut engine);
    let counts: Vec<i64> = lines
        .iter()
        .map(|line| number_after(line, "multipv"))
        .collect();
    assert_eq!(counts, [1, 2, 3].repeat(4));
    engine.finish();
}

#[test]
fn illegal_searchmoves_are_reported_and_ignored() {
    let mut engine = engine();
    for (moves, sentences) in [
        ("P@c5 P@a1 a1a1", vec!["searchmoves: illegal: P@a1 pass"]),
        (
            "P@a1",
            vec![
                "searchmoves: illegal: P@a1",
                "searchmoves: no legal move, so all are searched",
            ],
        ),
        ("", vec!["searchmoves: no legal move, so all are searched"]),
    ] {
        engine.send(&format!("go depth 2 searchmoves {moves}"));
        let (lines, answer) = best_move(&mut engine);
        let messages = lines
            .iter()
            .filter_map(|line| line.strip_prefix("info string "));
        assert_eq!(messages.collect::<Vec<_>>(), sentences);
        assert_eq!(
            answer.starts_with("P@c5 "),
            sentences.len() == 1 && !moves.is_empty()
        );
    }
    engine.finish();
}

#[test]
fn empty_options_restore_the_initial_values() {
    let mut engine = Process::emilia(&["uci", "--hash=1", "--threads=1", "--depth=3"]);
    let listed = |engine: &mut Process| {
        engine.send("uci");
        let options = std::iter::from_fn(|| engine.line().filter(|line| line != "uciok"));
        options.collect::<Vec<_>>()
    };
    let depth = |engine: &mut Process| {
        engine.send("go");
        let (lines, _) = best_move(engine);
        number_after(lines.last().unwrap(), "depth")
    };
    let options = listed(&mut engine);
    assert_eq!(depth(&mut engine), 3);
    for (set, expected) in [("5", 5), ("<empty>", 3), ("4", 4), ("", 3)] {
        engine.send(&format!("setoption name Level value {set}"));
        assert_eq!(depth(&mut engine), expected, "{set}");
    }
    engine.send("setoption name Hash value 2");
    engine.send("setoption name MultiPV value 2");
    // The evaluation stays selected and gets its embedded weights back.
    engine.send("setoption name Eval value classic");
    engine.send("setoption name Weights value <empty>");
    assert_eq!(ready(&mut engine), [""; 0]);
    assert_eq!(listed(&mut engine), options);
    engine.finish();
}

#[test]
fn ponderhit_applies_before_the_end_of_input() {
    for end in ["", "quit\n"] {
        let script = format!("uci\ngo ponder depth 5\nponderhit\n{end}");
        let output = crate::common::run::emilia(&["--threads", "1"], script.as_bytes());
        let is_deep = output.stdout.contains("\ninfo depth 5 ");
        assert!(
            is_deep && output.stdout.contains("\nbestmove "),
            "{output:?}"
        );
    }
}

#[test]
fn a_script_is_answered_like_an_interactive_session() {
    let script = "uci\nisready\nposition startpos\ngo depth 6\nposition startpos moves P@e3\ngo \
                  depth 5\ngo infinite\n";
    for end in ["", "quit\n"] {
        let output =
            crate::common::run::emilia(&["--threads", "1"], format!("{script}{end}").as_bytes());
        assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
        let lines = output.stdout.lines();
        assert_eq!(
            lines.filter(|line| line.starts_with("bestmove P@")).count(),
            3,
            "{output:?}"
        );
    }
}

#[test]
fn quit_in_a_script_lets_its_searches_finish() {
    let depth_of = |script: &[u8]| {
        let output = crate::common::run::emilia(&["uci", "--threads", "1"], script);
        assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
        let lines: Vec<&str> = output.stdout.lines().collect();
        assert!(
            lines.last().unwrap().starts_with("bestmove P@"),
            "{lines:?}"
        );
        number_after(lines[lines.len() - 2], "depth")
    };
    assert_eq!(depth_of(b"uci\ngo depth 10\nquit\n"), 10);
    // Another search and other lines in between have no effect on this one.
    let lines = "position startpos moves P@e3\n".repeat(400);
    let script = format!("uci\ngo depth 8\n{lines}go depth 10\nquit\n");
    assert_eq!(depth_of(script.as_bytes()), 10);
}

/// Starts a search of one minute and waits until it is older than a script's lines may be.
fn long_search() -> Process {
    let mut engine = engine();
    engine.send("go movetime 60000");
    engine.line_starting("info depth 1 ");
    thread::sleep(Duration::from_millis(300));
    engine
}

/// Waits for `bestmove` and the end of the process. Returns the time since `start`.
fn time_to_end(engine: &mut Process, start: Instant) -> Duration {
    assert!(best_move(engine).1.starts_with("P@"));
    assert!(engine.wait().success());
    start.elapsed()
}

#[test]
fn quit_stops_a_search_and_all_queued_ones() {
    let lines = "position startpos moves P@e3\n".repeat(400);
    for before in [String::new(), lines.clone(), lines + "go movetime 60000\n"] {
        let mut engine = long_search();
        let start = Instant::now();
        engine.send_bytes(format!("{before}quit\n").as_bytes());
        if before.contains("go") {
            best_move(&mut engine);
        }
        let time = time_to_end(&mut engine, start);
        assert!(time < Duration::from_secs(2), "{time:?}");
    }
}

#[test]
fn stop_isready_and_ponderhit_act_behind_hundreds_of_lines() {
    let lines = "position startpos moves P@e3\n".repeat(400);
    let mut engine = long_search();
    let start = Instant::now();
    engine.send_bytes(lines.as_bytes());
    let infos = ready(&mut engine);
    assert!(infos.iter().all(|line| is_info(line)), "{infos:?}");
    engine.send("stop");
    best_move(&mut engine);
    assert!(start.elapsed() < Duration::from_secs(6));
    assert_eq!(ready(&mut engine), [""; 0]);
    // So does a ponder hit. The lines before it act at once: others would end the search.
    engine.send("go ponder depth 60 movetime 200");
    engine.send_bytes("wobble\n".repeat(400).as_bytes());
    engine.send("ponderhit");
    best_move(&mut engine);
    assert!(start.elapsed() < Duration::from_secs(6));
    engine.finish();
}

#[test]
fn stop_stops_every_search_before_it() {
    let mut engine = long_search();
    engine.send_bytes(b"go movetime 60000\ngo infinite\nstop\ngo depth 6\n");
    for _ in 0..3 {
        best_move(&mut engine);
    }
    let (lines, _) = best_move(&mut engine);
    assert_eq!(number_after(lines.last().unwrap(), "depth"), 6);
    engine.finish();
}

#[test]
fn other_commands_stop_a_search_without_limits() {
    let mut engine = engine();
    engine.send("go infinite");
    engine.send("position startpos moves P@e3");
    best_move(&mut engine);
    engine.send("go depth 2");
    let (lines, _) = best_move(&mut engine);
    assert!(
        lines[0].contains(" pv P@d3") || lines[0].contains(" pv P@f"),
        "{lines:?}"
    );
    engine.finish();
}

#[test]
fn invalid_input_is_reported_and_changes_nothing() {
    let mut engine = engine();
    engine.send("position startpos moves P@e3");
    for (line, sentence) in [
        ("position startpos moves P@e3 P@e3", "illegal move P@e3"),
        (
            "position startpos moves e3",
            "'e3' is no move (expected P@a1 to P@h8, or a1a1 to pass)",
        ),
        ("position startpos moves a1a1", "illegal move a1a1"),
        ("position", "position '': expected startpos or fen FEN"),
        (
            "position fen 8/8 w",
            "FEN: 2 rows (expected 8, with / between them)",
        ),
        ("position fen 8/8/8/8/8/8/8/8 w", "FEN: empty board"),
        (
            "position startposmoves P@e3",
            "position 'startposmoves P@e3': expected startpos or fen FEN",
        ),
        (
            "setoption name Hash value x",
            "option 'Hash': 'x' is not 1 to 65536 MiB",
        ),
        (
            "setoption name Hash value 0",
            "option 'Hash': '0' is not 1 to 65536 MiB",
        ),
        (
            "setoption name Hash value32",
            "option 'Hash value32': there is no such option",
        ),
        (
            "setoption name UCI_Variant value chess",
            "option 'UCI_Variant': 'chess' is not flipello",
        ),
        (
            "setoption name MultiPV value 0",
            "option 'MultiPV': '0' is not 1 to 64",
        ),
        (
            "setoption name Skill value 3",
            "option 'Skill': there is no such option",
        ),
        (
            "setoption name Weights value /nowhere",
            "option 'Weights': '/nowhere': No such file or directory (os error 2)",
        ),
        (
            "setoption Hash 3",
            "setoption: expected 'setoption name NAME value VALUE'",
        ),
        (
            "setoption name Level value h99",
            "option 'Level': 'h99' is not a level from 1 to 60, or h1 to h14 for those of people",
        ),
        ("xyzzy", "unknown command 'xyzzy'"),
        ("go depth x nodes 50", "go depth 'x': expected a number"),
    ] {
        engine.send(line);
        assert_eq!(engine.line().unwrap(), format!("info string {sentence}"));
    }
    assert!(best_move(&mut engine).1.starts_with("P@"));
    engine.send("d");
    engine.line_starting("info string position ---------------------------OX------XX-------X---");
    engine.line_starting("info string fen 8/8/8/3pP3/3PP3/4P3/8/8[");
    assert_eq!(engine.line().unwrap(), "info string moves P@f5 P@d3 P@f3");
    engine.finish();
}

#[test]
fn human_levels_ignore_the_depth_of_go() {
    let mut engine = engine();
    engine.send("setoption name Level value h3");
    engine.send("setoption name Seed value 5");
    engine.send("go depth 3");
    let (lines, _) = best_move(&mut engine);
    assert_eq!(lines[0], "info string go depth: level h3 has its own");
    let mut moves = String::new();
    for _ in 0..10 {
        engine.send(&format!("position startpos moves{moves}"));
        engine.send("go movetime 1000");
        let (_, answer) = best_move(&mut engine);
        moves = format!("{moves} {}", answer.split(' ').next().unwrap());
    }
    engine.send(&format!("position startpos moves{moves}"));
    assert_eq!(ready(&mut engine), [""; 0]);
    engine.finish();
}

/// Returns whether Python has these packages.
fn has_python(packages: &str) -> bool {
    let import = format!("import {packages}");
    let known = Command::new("python3").args(["-c", &import]).output();
    let has = known.is_ok_and(|output| output.status.success());
    if !has {
        eprintln!("skipped: Python has no {packages}");
    }
    has
}

/// Starts the rules of Fairy-Stockfish in Python, if installed.
fn fairy_rules() -> Option<Process> {
    if !has_python("pyffish") {
        return None;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/uci/rules.py");
    Some(Process::start("python3", &[script]))
}

#[test]
fn whole_games_by_the_rules_of_fairy_stockfish() {
    let Some(mut rules) = fairy_rules() else {
        return;
    };
    let mut rng = fastrand::Rng::with_seed(1883);
    let mut engine = engine();
    let mut passes = 0;
    for game in 0..12 {
        let mut moves = Vec::new();
        loop {
            rules.send(&moves.join(" "));
            let answer = rules.line().unwrap();
            let legal: Vec<&str> = answer.split_whitespace().collect();
            engine.send(&format!("position startpos moves {}", moves.join(" ")));
            let is_ours = moves.len() % 2 == game % 2;
            if is_ours || legal.is_empty() {
                engine.send(
                    [
                        "go depth 2",
                        "go nodes 500",
                        "go movetime 2",
                        "go wtime 60 btime 60",
                    ][game % 4],
                );
                let (lines, answer) = best_move(&mut engine);
                let answer = answer.split(' ').next().unwrap();
                if legal.is_empty() {
                    assert_eq!(answer, "(none)", "{moves:?}");
                    break;
                }
                assert!(
                    legal.contains(&answer),
                    "{answer}: {legal:?} after {moves:?}"
                );
                // All moves of the PV are legal by these rules.
                if let Some((_, pv)) = lines.last().and_then(|line| line.split_once(" pv ")) {
                    let mut line = moves.clone();
                    for mv in pv.split(' ') {
                        rules.send(&line.join(" "));
                        let legal = rules.line().unwrap();
                        assert!(legal.split(' ').any(|legal| legal == mv), "{mv}: {legal}");
                        line.push(mv.to_owned());
                    }
                }
                moves.push(answer.to_owned());
            } else {
                engine.send("d");
                let ours = engine.line_starting("info string moves ");
                let mut ours: Vec<&str> = ours
                    .split(' ')
                    .skip(3)
                    .filter(|name| !name.is_empty())
                    .collect();
                ours.sort_unstable();
                // At the end of the game only these rules have passes.
                if !ours.is_empty() {
                    assert_eq!(ours, legal, "{moves:?}");
                }
                moves.push((*rng.choice(&legal).unwrap()).to_owned());
            }
            passes += usize::from(!moves.last().unwrap().starts_with("P@"));
        }
    }
    assert!(passes > 0, "no game has a pass");
    engine.finish();
    rules.finish();
}

#[test]
fn whole_games_through_the_client_of_python_chess() {
    if !has_python("chess, pyffish") {
        return;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/uci/client.py");
    let mut client = Process::start("python3", &[script, env!("CARGO_BIN_EXE_emilia"), "uci"]);
    let lines = client.finish();
    assert_eq!(lines.len(), 5, "{lines:?}");
    assert_eq!(lines[4], "done");
}

/// Plays a match, and checks that its last line of JSON has no faults.
fn match_without_faults(first: &str, second: &str) {
    let arguments = [
        "match", "--first", first, "--second", second, "--depth", "3", "--games", "4", "--json",
    ];
    let output = crate::common::run::emilia(&arguments, b"");
    assert_eq!(output.code, Some(0), "{output:?}");
    assert!(output.stdout.contains("\"games\":4"), "{output:?}");
    assert!(output.stdout.contains("\"faults\":[0,0]"), "{output:?}");
}

#[test]
fn matches_run_over_uci() {
    let emilia = env!("CARGO_BIN_EXE_emilia");
    let first =
        format!("uci:option.Hash=1,option.threads=1,option.Level=,option.Eval=net,{emilia} uci");
    match_without_faults(&first, &format!("gtp:{emilia} gtp --depth 2 --hash 1"));
}

#[test]
fn refused_options_end_the_match_before_its_first_game() {
    let emilia = env!("CARGO_BIN_EXE_emilia");
    for (option, message) in [
        (
            "Nope=3",
            "refused 'setoption name Nope value 3': no such option",
        ),
        (
            "Hash=0",
            "refused 'setoption name Hash value 0': expected 1 to 65536",
        ),
        (
            "Level=h99",
            "refused 'setoption name Level value h99': option 'Level': 'h99' is not a level",
        ),
    ] {
        let first = format!("uci:option.{option},{emilia} uci");
        let arguments = [
            "match",
            "--first",
            &first,
            "--second",
            "builtin",
            "--depth=1",
            "--games=2",
        ];
        let output = crate::common::run::emilia(&arguments, b"");
        assert_eq!(output.code, Some(2), "{output:?}");
        assert!(output.stderr.contains(message), "{output:?}");
    }
}

#[test]
fn matches_run_against_fairy_stockfish() {
    let Ok(command) = std::env::var("EMILIA_FAIRY_STOCKFISH") else {
        eprintln!("skipped: EMILIA_FAIRY_STOCKFISH names no program");
        return;
    };
    let first = format!("uci:{} uci --hash 1", env!("CARGO_BIN_EXE_emilia"));
    match_without_faults(
        &first,
        &format!("uci:option.Use NNUE=false,keep=yes,{command}"),
    );
}
