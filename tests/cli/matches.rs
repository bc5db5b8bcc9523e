//! End-to-end tests of `emilia match`: faulty players, signals, resumption, SPRT.
//! The helpers are in `tests/cli/common/matches.rs`.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Stdio;
use std::thread;

use crate::common::matches::{EMILIA, Scratch, numbers, script};
use crate::common::run::cases;
use crate::common::{send_signal, wait_until};
use nix::sys::signal::Signal;

/// Returns a shell pipeline of Emilia and `tests/misbehave/filter.sh`, which corrupts move 10.
///
/// The filter reads the engine's commands for the kinds `slow` and `deaf`, else its answers.
fn faulty_engine(protocol: &str, kind: &str) -> String {
    let filter = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/misbehave/filter.sh");
    let filter = format!("sh '{}' {kind}", filter.display());
    let engine = format!("'{EMILIA}' {protocol} --depth 1 --hash 1");
    match kind {
        "slow" | "deaf" => format!("{filter} | {engine}"),
        _ => format!("{engine} | {filter}"),
    }
}

/// Plays 4 games of a [`faulty_engine`] and asserts that it loses each by a fault.
///
/// The message of every fault starts with `what`.
fn expect_fault(protocol: &str, kind: &str, flags: &str, what: &str) {
    let scratch = Scratch::new(&format!("{protocol}-{kind}{}", flags.replace(' ', "-")));
    let player = script(&scratch, "player", &faulty_engine(protocol, kind));
    let arguments = format!("--second builtin:depth=1 --games 4 --concurrency 2 --out log {flags}");
    let player = format!("{protocol}:{player}");
    let printed = scratch.play_with(&arguments, &["--first", &player]);
    let log = scratch.log("log");
    assert_eq!(numbers(&log), (0..4).collect());
    for game in &log[1..] {
        let fault = &game["reason"]["fault"];
        assert_eq!(fault["by"], game["first"], "{protocol} {kind}: {game}");
        let message = fault["what"].as_str().unwrap();
        assert!(message.starts_with(what), "{protocol} {kind}: {message}");
        let expected = if game["first"] == "black" { -64 } else { 64 };
        assert_eq!(game["score"], expected);
        assert!(game["thoughts"].as_array().unwrap().len() >= 18);
    }
    let kind = what.split(':').next().unwrap();
    let kind = kind.split(" in ").next().unwrap();
    assert!(printed.contains(&format!(": 4 × {kind}")), "{printed}");
    let json = scratch.play_with(
        &format!("{arguments} --resume --json"),
        &["--first", &player],
    );
    let results: serde_json::Value = serde_json::from_str(&json).unwrap();
    let reasons = results["fault_reasons"][0].as_object().unwrap();
    let (reason, games) = reasons.iter().next().unwrap();
    assert!(reason.starts_with(kind) && games == 4, "{json}");
    let last = "match: W-D-L 0-0-4, discs -64.00 per game, elo at most +216.2";
    assert_eq!(printed.lines().last(), Some(last), "{printed}");
    scratch.expect_nobody_left();
}

#[test]
fn a_faulty_player_loses_its_game_and_the_match_goes_on() {
    // The players that never answer run in parallel: each costs seconds.
    let waits = [
        ("gtp", "hang", "--patience 4"),
        ("nboard", "slow", "--patience 4"),
        ("gtp", "hang", "--time 1.5"),
    ];
    let waits = waits.map(|(protocol, kind, flags)| {
        thread::spawn(move || expect_fault(protocol, kind, flags, "no answer in "))
    });
    for (kind, what) in [
        ("crash", "the program ended"),
        ("illegal", "illegal move: e4"),
        ("pass", "passed with a legal move"),
        ("garbage", "answered '"),
        ("flood", "sent a line without end"),
        ("deaf", "closed its input"),
    ] {
        for protocol in ["gtp", "nboard"] {
            expect_fault(protocol, kind, "--patience 20", what);
        }
    }
    for wait in waits {
        wait.join().unwrap();
    }
}

#[test]
fn players_start_each_game_without_state_unless_keep_is_set() {
    let scratch = Scratch::new("remember");
    // `sessions`: number of received `hello` commands. `cleared`: number of received `clear_cache`.
    for (protocol, keep, hello, filter, sessions, cleared) in [
        ("gtp", "", "name", "cat", 1, 5),
        ("gtp", "keep=yes,", "name", "cat", 1, 0),
        ("gtp", "", "name", "sed -u s/clear_cache/x/", 4, 0),
        ("nboard", "", "nboard 2", "cat", 4, 0),
    ] {
        let commands = scratch.path("commands");
        let _ = fs::remove_file(&commands);
        let player = format!(
            "{protocol}:{keep}tee -a {commands} | {filter} | \
             '{EMILIA}' {protocol} --depth 1 --hash 1 --eval classic"
        );
        scratch.play_with("--second builtin:depth=1 --games 4", &["--first", &player]);
        let commands = fs::read_to_string(commands).unwrap();
        let count = |word: &str| commands.lines().filter(|line| *line == word).count();
        let counts = (count(hello), count("clear_cache"));
        assert_eq!(counts, (sessions, cleared), "{player}:\n{commands}");
    }
}

#[test]
fn each_finished_game_is_a_line_on_stdout_as_it_ends() {
    let scratch = Scratch::new("lines");
    let players = "--first builtin:name=one,depth=1 --second builtin:name=two,depth=2";
    let arguments = format!("{players} --concurrency 2 --out log --games");
    let printed = scratch.play(&format!("{arguments} 6"));
    let mut lines = printed.lines().filter(|line| line.starts_with("game "));
    let mut standing = None;
    for game in &scratch.log("log")[1..] {
        let [black, white] = ["black", "white"].map(|name| game[name].as_str().unwrap());
        let (number, score) = (&game["game"], game["score"].as_i64().unwrap());
        let expected = format!("game {number}\t{black}\t{white}\t{score:+}\tplayed\t");
        standing = lines.next().unwrap().strip_prefix(&expected);
        assert!(standing.is_some(), "{expected}: {printed}");
        assert_eq!(
            game["date"].as_str().map(str::len),
            Some("2026-11-27".len())
        );
    }
    assert_eq!(standing, printed.lines().last());
    let quiet = scratch.play(&format!("{arguments} 8 --resume --quiet"));
    assert!(quiet.starts_with("player  won  drawn  lost"), "{quiet}");

    // The lines are written at once, also to a pipe.
    let mut command = scratch.command(&format!("{players} --games 20000"));
    let mut running = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(running.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().starts_with("game ")));
    assert!(running.try_wait().unwrap().is_none());
    running.kill().unwrap();
    running.wait().unwrap();
}

#[test]
fn pgn_written_while_a_match_runs_is_that_of_its_log() {
    let scratch = Scratch::new("pgn");
    let arguments = "--first builtin:depth=2 --second gtp:false --seed 3";
    let none = scratch.run(&format!("{arguments} --out log --pgn games.pgn"), &[]);
    none.assert_reports("emilia: player 'gtp:false' cannot begin a game: the program ended");
    assert!(!Path::new(&scratch.path("games.pgn")).exists());
    let named = scratch.run(&format!("{arguments} --out games.pgn"), &[]);
    named.assert_refused("--pgn FILE writes PGN");
    let arguments = arguments.replace("gtp:false", "builtin:depth=1");
    for (games, resume) in [(4, ""), (8, " --resume")] {
        let files = format!("--concurrency 2 --out log --pgn games.pgn{resume}");
        scratch.play(&format!("{arguments} {files} --games {games}"));
        let _ = fs::remove_file(scratch.path("converted.pgn"));
        assert_eq!(scratch.emilia("convert log converted.pgn").code, Some(0));
        let [written, converted] = ["games.pgn", "converted.pgn"]
            .map(|name| fs::read_to_string(scratch.path(name)).unwrap());
        assert_eq!(written, converted);
        assert_eq!(written.matches("[Result ").count(), games);
    }
    let other = scratch.run(&format!("{arguments} --games 2 --pgn games.pgn"), &[]);
    other.assert_refused("it has games already; give another name, or --force to begin again");
    let held = ["log", "games.pgn"].map(|name| fs::read(scratch.path(name)).unwrap());
    let fails = arguments.replace("builtin:depth=1", "gtp:false");
    let none = scratch.run(&format!("{fails} --force --out log --pgn games.pgn"), &[]);
    none.assert_reports("cannot begin a game");
    let left = ["log", "games.pgn"].map(|name| fs::read(scratch.path(name)).unwrap());
    assert_eq!(left, held);
    for seed in ["--seed 4 --force", "--seed 4 --resume"] {
        let files = format!("{seed} --out log --pgn games.pgn --games 2");
        scratch.play(&arguments.replace("--seed 3", &files));
        assert_eq!(scratch.log("log").len(), 1 + 2);
        let pgn = fs::read_to_string(scratch.path("games.pgn")).unwrap();
        assert_eq!(pgn.matches("[Result ").count(), 2);
    }
}

/// Returns SIGTERM and SIGHUP, except those that this process ignores.
///
/// Child processes inherit ignored signals. Under `nohup`, for example, SIGHUP is ignored.
fn deadly_signals() -> Vec<Signal> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let is_delivered = |signal: &Signal| ignored.unwrap_or(0) >> (*signal as i32 - 1) & 1 == 0;
    let signals = [Signal::SIGTERM, Signal::SIGHUP];
    signals.into_iter().filter(is_delivered).collect()
}

#[test]
fn a_signal_ends_a_match_and_its_players_and_keeps_the_log_whole() {
    let scratch = Scratch::new("signal");
    let engine = script(
        &scratch,
        "engine",
        &format!("'{EMILIA}' gtp --depth 1 --hash 1"),
    );
    for signal in deadly_signals().into_iter().chain([Signal::SIGINT]) {
        let start = |games: &str, resume: &str| {
            let arguments = "--second builtin:depth=1 --concurrency 2 --out log --seed 3 --games";
            let mut command = scratch.command(&format!("{arguments} {games}{resume} --first"));
            command.arg(format!("gtp:{engine}")).stdout(Stdio::null());
            command.spawn().unwrap()
        };
        let mut match_ = start("100000", "");
        wait_until(|| scratch.log("log").len() >= 4);
        send_signal(&match_, signal);
        let status = match_.wait().unwrap();
        let is_ended = match signal {
            Signal::SIGINT => status.code() == Some(130),
            _ => status.signal() == Some(signal as i32),
        };
        assert!(is_ended, "{signal}: {status}");
        scratch.expect_nobody_left();
        let before = scratch.log("log");
        let games = numbers(&before).len() + 2;
        let mut rest = start(&games.next_multiple_of(2).to_string(), " --resume");
        assert!(rest.wait().unwrap().success());
        let after = scratch.log("log");
        assert_eq!(after[..before.len()], before[..]);
        let all = 0..games.next_multiple_of(2) as u64;
        assert_eq!(numbers(&after), all.collect());
        fs::remove_file(scratch.path("log")).unwrap();
    }
}

#[test]
fn killing_the_runner_kills_its_players() {
    let scratch = Scratch::new("orphans");
    let player = script(&scratch, "player", &faulty_engine("gtp", "hang"));
    let mut command = scratch.command("--second builtin:depth=1 --concurrency 2 --out log");
    let log = scratch.path("player.stderr");
    command.arg("--first").arg(format!("gtp:{player} 2>>{log}"));
    let mut match_ = command.stdout(Stdio::null()).spawn().unwrap();
    wait_until(|| fs::read_to_string(&log).is_ok_and(|text| text.lines().count() >= 2));
    match_.kill().unwrap();
    match_.wait().unwrap();
    scratch.expect_nobody_left();
}

#[test]
fn an_accepted_sprt_hypothesis_ends_the_match() {
    let scratch = Scratch::new("sprt");
    let arguments =
        "--first builtin:depth=4 --second builtin:depth=1 --games 2000 --sprt 0,50 --out log";
    let printed = scratch.play(arguments);
    assert!(printed.contains("decided: the stronger (H1)"), "{printed}");
    let games = scratch.log("log").len();
    assert!(games < 500, "{games}");
    // Resuming a decided match plays no further game.
    scratch.play(&format!("{arguments} --resume"));
    assert_eq!(scratch.log("log").len(), games);
}

#[test]
fn an_adjudicated_game_is_named_in_the_log_the_pgn_and_the_report() {
    let scratch = Scratch::new("adjudicate");
    let players = "--first builtin:depth=4,exact=12 --second builtin:depth=3,exact=12 --games 4";
    let arguments = format!("{players} --openings xot");
    let printed = scratch.play(&format!(
        "{arguments} --adjudicate solved --out log --pgn log.pgn"
    ));
    scratch.play(&format!("{arguments} --out whole"));
    assert!(
        printed.contains("\tadjudicated\tmatch: ") && printed.contains("\nadjudicated: 4 games\n")
    );
    let pgn = fs::read_to_string(scratch.path("log.pgn")).unwrap();
    assert_eq!(pgn.matches("[Termination \"adjudication\"]").count(), 4);
    for (game, whole) in scratch.log("log")[1..]
        .iter()
        .zip(&scratch.log("whole")[1..])
    {
        assert_eq!(
            (&game["reason"], &game["score"]),
            (&"adjudicated".into(), &whole["score"])
        );
        let [moves, all] = [game, whole].map(|game| game["moves"].as_str().unwrap());
        assert!(all.len() > moves.len() + 2 * 6 && all.starts_with(moves));
    }
    let other = scratch.run(&format!("{arguments} --out log --resume"), &[]);
    other.assert_refused("to begin again): adjudicate \"solved\", not null");
}

#[test]
fn a_command_without_its_protocol_is_a_player_of_the_protocol_in_which_it_answers() {
    let scratch = Scratch::new("protocols");
    for protocol in ["gtp", "nboard", "uci"] {
        let command = format!("{EMILIA} {protocol} --depth 1 --hash 1");
        let arguments = "--depth 1 --games 2 --quiet --out log --first";
        let printed = scratch.play_with(arguments, &[&command, "--second", &command]);
        // One pair shows no strength.
        assert!(printed.ends_with(", elo n/a\n"), "{printed}");
        assert!(!printed.contains("\nElo ") && printed.contains("\nEmilia"));
        let [first, second] =
            ["first", "second"].map(|player| scratch.log("log")[0]["match"][player].clone());
        // The name that the program gives, which only one player may have.
        let first = first.as_str().unwrap();
        assert!(
            first.starts_with(&format!("{protocol}:name=Emilia")),
            "{first}"
        );
        assert_eq!(second, format!("{protocol}:{command}"));
        fs::remove_file(scratch.path("log")).unwrap();
    }
    for (command, why) in [
        (
            "./missing",
            ": the program ended (exit status 127: command not found)",
        ),
        ("sleep 9", ": no answer in 0.50 s"),
        (
            "gpt:emilia",
            " (expected a level from h0 to h14 or 1 to 60, builtin:KEY=VALUE,..., gtp:COMMAND, ",
        ),
    ] {
        let run = scratch.run("--second h0 --patience 0.5 --first", &[command]);
        run.assert_refused(&format!("'{command}' is not a player{why}"));
    }
    scratch.expect_nobody_left();
}

#[test]
fn lines_of_games_fit_the_terminal() {
    use crate::common::terminal::{Terminal, seen};
    let players = "match --games 4 --first builtin:depth=1,eval=classic,selectivity=100,hash=1 \
                   --second builtin:name=another-player-with-a-long-name-of-its,depth=1";
    let arguments: Vec<&str> = players.split_whitespace().collect();
    for columns in [80, 60] {
        let lines = seen(&Terminal::emilia(&arguments, columns).finish_with(0));
        let games: Vec<&String> = lines
            .iter()
            .filter(|line| line.starts_with("game "))
            .collect();
        assert!(games.len() >= 4, "{lines:?}");
        for line in games {
            assert!(
                line.chars().count() <= columns.into() && line.ends_with("played"),
                "{line}"
            );
        }
    }
}

#[test]
fn openings_of_a_match_are_games_and_positions_of_any_format() {
    let scratch = Scratch::new("opening-formats");
    let board = "---------------------------OX------XXX----XO-------------------- O";
    for (number, text) in [
        format!("{board};\n"),
        "8/8/8/3pP3/3PP3/4P3/8/8[] b 0 1\n".to_owned(),
        "[Black \"Ann\"]\n\n1. f5 d6 2. c3 *\n".to_owned(),
        "(;FF[4]GM[2];B[fe];W[df])\n".to_owned(),
    ]
    .iter()
    .enumerate()
    {
        fs::write(scratch.path("list"), text).unwrap();
        let players = "--first builtin:depth=1 --second builtin:depth=1 --games 2";
        let log = format!("log{number}");
        scratch.play(&format!("{players} --openings list --out {log}"));
        assert_eq!(numbers(&scratch.log(&log)), (0..2).collect(), "{text}");
    }
    fs::write(scratch.path("list"), "f5d6\nf5d6\n").unwrap();
    let printed = scratch.play("--first 1 --second 1 --openings list");
    let heading = "\nopenings  list, seed 1: 1 different (fewer than pairs";
    assert!(printed.contains(heading), "{printed}");
}

#[test]
fn drawn_openings_are_a_list_that_a_match_plays() {
    let scratch = Scratch::new("drawn-openings");
    let drawn = scratch.emilia("openings --plies 7 --score -6..6 --count 3 --named tiger");
    drawn.assert_done();
    let lines: Vec<&str> = drawn.stdout.lines().collect();
    let head = "# random:7,score=-6..6, seed 1, Tiger; scores for Black by a search of depth 14";
    assert_eq!((lines.len(), lines[0]), (4, head));
    assert!(lines[1..].iter().all(|line| line.starts_with("f5d6c3d3c4")));
    fs::write(scratch.path("list"), &drawn.stdout).unwrap();
    let players = "--first builtin:depth=1 --second builtin:depth=1";
    scratch.play(&format!("{players} --openings list --out log"));
    let log = scratch.log("log");
    assert_eq!(numbers(&log), (0..6).collect());
    let none = scratch.emilia("openings --plies 1 --score 9..9");
    let sentence = "only 0 openings of this length and score were found (expected 100)";
    assert!(none.code == Some(2) && none.stderr.contains(sentence));
}

#[test]
fn a_player_that_cannot_start_a_game_ends_the_match() {
    let scratch = Scratch::new("no-player");
    for [player, what] in cases(
        "gtp:false | the program ended (exit status 1)
         nboard:true | the program ended (exit status 0)
         gtp:./missing | the program ended (exit status 127: command not found): /bin/sh: 1:
         gtp:echo one >&2; echo >&2 two; echo >&2; exit 3 | the program ended (exit status 3): one … two
         nboard:kill -9 $$ | the program ended (signal: 9 (SIGKILL))
         gtp:yes a line without a blank line after it, again and again | sent an answer without end
         gtp:while sleep 0.02; do echo well; done | no answer in 1.00 s
         nboard:yes | no answer in 1.00 s (it said 'y')
         gtp:exec perl -e 'setpgrp(0, getpgrp(getppid())); sleep 1000' | no answer in 1.00 s",
    ) {
        // The last player is in the process group of the match, which does not block its end.
        let sentence = format!("player '{player}' cannot begin a game: {what}");
        let arguments = "--second builtin:depth=1 --out log --patience 1";
        let run = scratch.run(arguments, &["--first", player]);
        assert_eq!(run.code, Some(2), "{run:?}");
        run.assert_reports(&format!("emilia: {sentence}"));
        assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
        scratch.expect_nobody_left();
        assert!(!Path::new(&scratch.path("log")).exists(), "{player}");
    }
}
