//! `emilia match` with more than two players: pairings, ratings, logs, shards and own clocks.
#![cfg(unix)]

use std::fs;

use crate::common::matches::{EMILIA, Scratch, numbers};

/// Three players of different strength.
const THREE: &str = "--player builtin:name=one,depth=1 --player builtin:name=two,depth=2 \
                     --player builtin:name=four,depth=4";

/// Returns the lines after the heading without the games, and without the table of times, which
/// depends on the machine.
fn without_times(printed: &str) -> String {
    let tables = printed.split("\n\n").skip(1);
    let kept = tables.filter(|table| !table.contains("s/move") && !table.starts_with("game "));
    kept.collect::<Vec<_>>().join("\n\n")
}

#[test]
fn shards_of_a_tournament_are_merged_and_resumed() {
    let scratch = Scratch::new("tournament-parts");
    let arguments = format!("{THREE} --games 6 --seed 3");
    let whole = scratch.play(&format!("{arguments} --concurrency 2 --out whole"));
    let mut parts = String::new();
    for part in ["1/3", "2/3", "3/3"] {
        let name = part.replace('/', "-");
        scratch.play(&format!("{arguments} --shard {part} --out {name}"));
        parts += &fs::read_to_string(scratch.path(&name)).unwrap();
    }
    fs::write(scratch.path("parts"), parts).unwrap();
    let merged = scratch.play(&format!("{arguments} --out parts --resume"));
    assert_eq!(without_times(&merged), without_times(&whole));
    let gauntlet = format!("{arguments} --out whole --tournament gauntlet --resume");
    let other = "to begin again): tournament \"round-robin\", not \"gauntlet\"\n";
    scratch.run(&gauntlet, &[]).assert_refused(other);
    // A log is continued to a larger number of games.
    scratch.play(&format!("{arguments} --games 10 --out whole --resume").replace("--games 6 ", ""));
    assert_eq!(numbers(&scratch.log("whole")), (0..30).collect());
}

#[test]
fn players_may_have_different_clocks() {
    let scratch = Scratch::new("own-clocks");
    let arguments = "--games 2 --time 7 --player builtin:depth=1 --player";
    let players = [
        ("time=2.5,", "a", "time_settings 0 2.50 1"),
        ("clock=60+2,", "b", "time_settings 60 2 0"),
        ("", "c", "time_settings 0 7 1"),
        ("clock=40/1:00,", "d", "time_settings 0 60 40"),
    ];
    let [a, b, c, d] = players.map(|(clock, name, _)| {
        let engine = format!("'{EMILIA}' gtp --depth 1 --hash 1 --eval classic");
        let log = scratch.path(name);
        format!("gtp:{clock}name={name},tee -a {log} | {engine}")
    });
    let printed = scratch.play_with(
        arguments,
        &[&a, "--player", &b, "--player", &c, "--player", &d],
    );
    let clock = "\nclock     7 s a move, or the player's own, margin 0.05 s\n";
    assert!(printed.contains(clock), "{printed}");
    for (_, name, settings) in players {
        let received = fs::read_to_string(scratch.path(name)).unwrap();
        let mut lines: Vec<&str> = received.lines().collect();
        let mut count = |word: &str| lines.extract_if(.., |line| line.starts_with(word)).count();
        // Settings are sent for eight games and for the trial before the first.
        let counts = [count(settings), count("time_settings")];
        assert_eq!(counts, [9, 0], "{received}");
        let has_moves = received
            .lines()
            .any(|line| line.starts_with("time_left ") && line.ends_with(" 39"));
        assert_eq!(has_moves, name == "d", "{received}");
        let is_clock = ["b", "d"].contains(&name);
        assert_eq!(count("time_left ") > 0, is_clock, "{received}");
    }
    scratch.expect_nobody_left();
}

#[test]
fn a_swiss_tournament_resumed_after_a_kill_equals_an_uninterrupted_one() {
    let scratch = Scratch::new("swiss");
    let players = "--player builtin:name=five,depth=5,exact=1";
    let arguments = format!("{THREE} --player builtin:name=three,depth=3 {players} --games 2");
    let swiss = format!("{arguments} --tournament swiss:3 --seed 3 --concurrency 2 --out");
    let whole = scratch.play(&format!("{swiss} whole"));
    let games = |name: &str| {
        let mut games = scratch.log(name).split_off(1);
        games.sort_by_key(|game| game["game"].as_u64());
        let parts = ["game", "black", "white", "moves"];
        let parts = |game: &serde_json::Value| parts.map(|part| game[part].to_string()).join(" ");
        games.iter().map(parts).collect::<Vec<_>>()
    };
    let log = fs::read_to_string(scratch.path("whole")).unwrap();
    assert_eq!(games("whole").len(), 3 * 2 * 2);
    for name in ["one", "two", "three", "four", "five"] {
        let count = |color| log.matches(&format!("\"{color}\":\"{name}\"")).count();
        assert_eq!(count("black"), count("white"), "{name}");
    }
    for lines in [2, 4, 5, 9, 12] {
        let killed: Vec<&str> = log.split_inclusive('\n').collect();
        fs::write(
            scratch.path("part"),
            killed[..lines].concat() + &killed[lines][..40],
        )
        .unwrap();
        let resumed = scratch.play(&format!("{swiss} part --resume"));
        assert_eq!(games("part"), games("whole"), "{lines}");
        assert_eq!(without_times(&resumed), without_times(&whole));
    }
}

#[test]
fn players_without_common_opponents_are_ranked_by_points_and_have_no_elo() {
    let scratch = Scratch::new("unconnected");
    let players = format!("{THREE} --player builtin:name=three,depth=3 --games 2");
    let swiss = scratch.play(&format!("{players} --tournament swiss:1 --json"));
    let results: serde_json::Value = serde_json::from_str(&swiss).unwrap();
    let ranking = results["players"].as_array().unwrap();
    let points = ranking.iter().map(|player| player["points"].as_f64());
    assert!(points.is_sorted_by(|one, other| one >= other), "{swiss}");
    assert_ne!(ranking[0]["name"], "one");
    for player in ranking {
        let parts = [&player["elo"]["value"], &player["los"]];
        assert!(parts.iter().all(|part| part.is_null()), "{player}");
    }
    assert_eq!(results["prior"], false);
    // The gauntlet's first game, which the first player loses, connects two players.
    let gauntlet = format!("{players} --tournament gauntlet --sprt 0,9,players=two/four");
    let printed = scratch.play(&gauntlet);
    let game = printed.lines().find(|line| line.starts_with("game 0\t"));
    assert!(
        game.unwrap().ends_with("1 games, first two, elo n/a"),
        "{game:?}"
    );
    assert!(
        printed.contains("\nSPRT             its players have not met\n"),
        "{printed}"
    );
}

#[test]
fn a_test_of_two_players_ends_a_tournament() {
    let scratch = Scratch::new("tournament-sprt");
    let test = "--sprt 0,60,alpha=0.1,beta=0.1,model=logistic,players";
    let arguments = format!("{THREE} --games 600 --openings xot {test}");
    let printed = scratch.play(&format!("{arguments}=one/four --out log"));
    let heading = "SPRT      one over four: 0 to 60 Elo, alpha 0.1, beta 0.1\n";
    assert!(printed.contains(heading), "{printed}");
    assert!(printed.contains("decided: not the stronger (H0)"));
    assert!(scratch.log("log").len() < 600);
}
