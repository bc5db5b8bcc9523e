//! `emilia match` with more than two players: pairings, ratings, logs, shards and own clocks.
#![cfg(unix)]

mod matches;
mod terminal;

use std::collections::BTreeMap;
use std::fs;

use matches::{EMILIA, Scratch, numbers, text};
use terminal::Terminal;

/// Three players of different strength.
const THREE: &str = "--player builtin:name=one,depth=1 --player builtin:name=two,depth=2 \
                     --player builtin:name=four,depth=4";

/// Returns the output after the heading.
fn results(printed: &str) -> &str {
    let (_, results) = printed.split_once("\n\n").unwrap();
    results
}

/// Returns the lines without the table of times, which depends on the machine.
fn without_times(printed: &str) -> String {
    let tables = results(printed).split("\n\n");
    let kept = tables.filter(|table| !table.contains("s/move"));
    kept.collect::<Vec<_>>().join("\n\n")
}

#[test]
fn a_round_robin_rates_all_players() {
    let scratch = Scratch::new("round-robin");
    let printed = scratch.play(&format!("{THREE} --openings xot --games 8 --out log"));
    assert!(
        printed.contains("\npairings  3, round-robin\n"),
        "{printed}"
    );
    assert!(printed.contains("\ngames     24, 8 for each pairing, 1 at a time\n"));
    let last = printed.lines().last().unwrap();
    assert!(
        last.starts_with("tournament: 3 players, 24 games, first four, elo +"),
        "{last}"
    );

    // The log has the name of the tournament, and its results agree with the table.
    let log = scratch.log("log");
    assert_eq!(numbers(&log), (0..24).collect());
    assert_eq!(log[0]["match"]["tournament"], "round-robin");
    assert!(
        log[0]["match"]["others"][0]
            .as_str()
            .unwrap()
            .contains("name=four")
    );
    let mut points: BTreeMap<String, (f64, u32)> = BTreeMap::new();
    for game in &log[1..] {
        let score = game["score"].as_i64().unwrap();
        for (color, score) in [("black", score), ("white", -score)] {
            let player = points.entry(game[color].as_str().unwrap().to_owned());
            let (sum, games) = player.or_default();
            *sum += (1 + score.signum()) as f64 / 2.0;
            *games += 1;
        }
    }
    assert_eq!(points.len(), 3);
    let mut elo = Vec::new();
    for line in results(&printed).lines().skip(1).take(3) {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let (sum, games) = points[cells[1]];
        assert_eq!(games, 16);
        assert_eq!(
            (cells[4], cells[5]),
            (&*format!("{sum:.1}"), "16"),
            "{line}"
        );
        elo.push(cells[2].parse::<f64>().unwrap());
    }
    assert!(elo.is_sorted_by(|one, other| one >= other), "{elo:?}");
    assert!(elo.iter().sum::<f64>().abs() < 0.2, "{elo:?}");

    // Each pairing plays the same openings.
    let mut openings: BTreeMap<String, u32> = BTreeMap::new();
    for game in &log[1..] {
        *openings.entry(game["opening"].to_string()).or_default() += 1;
    }
    assert_eq!(openings.into_values().collect::<Vec<_>>(), [6; 4]);
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

    // A truncated log, as after a kill, is continued, here to a larger number of games.
    let log = fs::read_to_string(scratch.path("whole")).unwrap();
    let some: Vec<&str> = log.split_inclusive('\n').take(6).collect();
    fs::write(scratch.path("torn"), some.concat() + "{\"game\":9").unwrap();
    let resumed = scratch.play(&format!("{arguments} --out torn --resume"));
    assert_eq!(without_times(&resumed), without_times(&whole));
    scratch.play(&format!("{arguments} --games 10 --out torn --resume").replace("--games 6 ", ""));
    assert_eq!(numbers(&scratch.log("torn")), (0..30).collect());
}

#[test]
fn in_a_gauntlet_the_first_player_meets_all_others() {
    let scratch = Scratch::new("gauntlet");
    let output = scratch.run(&format!(
        "{THREE} --tournament gauntlet --games 4 --anchor two=1500 --json --out log"
    ));
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let pairings = object["pairings"].as_array().unwrap();
    assert_eq!(pairings.len(), 2);
    assert!(pairings.iter().all(|pairing| pairing["first"] == "one"));
    let players = object["players"].as_array().unwrap();
    let two = players
        .iter()
        .find(|player| player["name"] == "two")
        .unwrap();
    let value = two["elo"]["value"].as_f64().unwrap();
    assert!((value - 1500.0).abs() < 1e-9, "{value}");
    assert_eq!((&two["games"], &players[2]["los"]), (&4.into(), &().into()));
    assert_eq!(numbers(&scratch.log("log")), (0..8).collect());
}

/// A log of two players gives a rating table, even if it was written before tournaments existed.
#[test]
fn ratings_of_two_players_equal_those_of_their_match() {
    let scratch = Scratch::new("two-rated");
    let games = "--games 20 --openings xot --out log";
    let players = ["builtin:name=one,depth=1", "builtin:name=two,depth=2"];
    let [one, two] = players;
    let printed = scratch.play(&format!("--first {one} --second {two} {games}"));
    let log = fs::read_to_string(scratch.path("log")).unwrap();
    let older = log.replace(",\"others\":[],\"tournament\":null", "");
    assert_ne!(older, log);
    fs::write(scratch.path("log"), older).unwrap();
    let output = scratch.run(&format!(
        "--player {one} --player {two} {games} --resume --json"
    ));
    let rated: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let value = |rank: usize| rated["players"][rank]["elo"]["value"].as_f64().unwrap();
    assert_eq!(rated["players"][0]["name"], "two");
    let elo = format!(", elo {:+.1} ± ", value(1) - value(0));
    assert!(printed.trim_end().contains(&elo), "{printed} {elo}");
}

/// A terminal shows the standings while games run. A pipe shows nothing.
#[test]
fn only_a_terminal_shows_the_standings() {
    let live = |players: &str, texts: &[&str]| {
        let arguments = format!("match {players} --games 1000000");
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let mut match_ = Terminal::emilia(&arguments, 160);
        for text in texts {
            match_.wait_for(text);
        }
        match_.interrupt();
        assert_eq!(match_.finish().1.code(), Some(130));
    };
    live(
        "--first builtin:depth=3 --second builtin:depth=3 --sprt=-5,5",
        &["W-D-L ", "elo +0.0 ", "LOS ", "LLR ", "(-2.94, +2.94)"],
    );
    live(THREE, &["four +", " ± ", "two ", "one -"]);

    let scratch = Scratch::new("no-live");
    let output = scratch.run(&format!("{THREE} --games 40"));
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn players_may_have_different_clocks() {
    let scratch = Scratch::new("own-clocks");
    let player = |clock: &str, log_file: &str| {
        let engine = format!("'{EMILIA}' gtp --depth 1 --hash 1 --eval classic");
        format!(
            "gtp:{clock}name={log_file},tee -a {} | {engine}",
            scratch.path(log_file)
        )
    };
    let mut command = scratch.command("--games 2 --time 7 --player builtin:depth=1");
    for (clock, log_file) in [("time=2.5,", "a"), ("clock=60+2,", "b"), ("", "c")] {
        command.arg("--player").arg(player(clock, log_file));
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    assert!(
        printed.contains("\nclock     7 s a move, or the player's own, margin 0.05 s\n"),
        "{printed}"
    );
    for (log_file, settings, has_time_left) in [
        ("a", "time_settings 0 2.50 1", false),
        ("b", "time_settings 60 2 0", true),
        ("c", "time_settings 0 7 1", false),
    ] {
        let received = fs::read_to_string(scratch.path(log_file)).unwrap();
        let count = |word: &str| {
            received
                .lines()
                .filter(|line| line.starts_with(word))
                .count()
        };
        // Settings are sent for six games and for the trial before the first.
        assert_eq!(
            (count(settings), count("time_settings")),
            (7, 7),
            "{received}"
        );
        assert_eq!(count("time_left ") > 0, has_time_left, "{received}");
    }
    scratch.expect_nobody_left();
}

#[test]
fn invalid_tournaments_are_refused_in_one_sentence() {
    let scratch = Scratch::new("no-tournament");
    for (arguments, sentence) in [
        (
            "--player builtin:depth=1",
            "emilia: --player: a tournament needs two players at least\n",
        ),
        (
            "--player builtin:depth=1 --player builtin:depth=1",
            "emilia: --player: two players are called 'builtin:depth=1': name=NAME tells them \
             apart\n",
        ),
        (
            &format!("{THREE} --player gtp:name=two,x"),
            "emilia: --player: two players are called 'two': name=NAME tells them apart\n",
        ),
        (
            &format!("{THREE} --anchor three=100"),
            "emilia: --anchor three: there is no player of this name\n",
        ),
        (
            &format!("{THREE} --games 10 --out log --tournament gauntlet --resume"),
            "emilia: 'log': line 1: it is the log of another match: tournament \
             \"round-robin\", not \"gauntlet\"\n",
        ),
        (
            &format!("{THREE} --tournament swiss"),
            "error: invalid value 'swiss' for '--tournament <KIND>'",
        ),
        (
            &format!("{THREE} --anchor two"),
            "error: invalid value 'two' for '--anchor <NAME=ELO>': expected the name of a player \
             and its Elo, like Rhino=1500",
        ),
        (
            &format!("{THREE} --sprt 0,5"),
            "error: the argument '--player <SPEC>' cannot be used with '--sprt",
        ),
        (
            &format!("{THREE} --first builtin:depth=1 --second builtin:depth=2"),
            "error: the argument '--player <SPEC>' cannot be used with",
        ),
        (
            "--first builtin:depth=1",
            "error: the following required arguments were not provided:\n  --second <SPEC>",
        ),
        (
            "--games 2",
            "emilia: give --first and --second, or --player for each player\n",
        ),
    ] {
        if arguments.contains("--resume") {
            scratch.play(&format!("{THREE} --games 2 --out log"));
        }
        let output = scratch.run(arguments);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {errors}");
        assert!(errors.starts_with(sentence), "{arguments}: {errors}");
    }
}

#[test]
fn a_tournament_chart_shows_names_ratings_and_points() {
    let scratch = Scratch::new("tournament-svg");
    let printed = scratch.play(&format!(
        "{THREE} --player builtin:level=h1 --games 4 --svg svg"
    ));
    let svg = fs::read_to_string(scratch.path("svg")).unwrap();
    for text in [
        ">Tournament of 4 players<",
        ">24 games",
        ". one<",
        ". two<",
        ". builtin:level=h1<",
    ] {
        assert!(svg.contains(text), "{text}: {svg}");
    }
    assert_eq!(svg.matches("<circle ").count(), 4);
    assert!(printed.contains("builtin:level=h1 "), "{printed}");
}

#[test]
fn reports_name_levels_and_the_log_their_depths() {
    let scratch = Scratch::new("tournament-levels");
    let arguments = "--first builtin:level=2 --second builtin:level=h2 --games 2 --out log";
    let report = scratch.play(&format!("{arguments} --svg svg --ggf ggf"));
    let json = scratch.play(&format!("{arguments} --resume --json"));
    let read = |name: &str| fs::read_to_string(scratch.path(name)).unwrap();
    for text in [report, json, read("svg"), read("ggf")] {
        assert!(text.contains("builtin:level=2"), "{text}");
        assert!(text.contains("builtin:level=h2"), "{text}");
        assert!(!text.contains("depth=2"), "{text}");
    }
    // Logs of earlier versions have depths, and can still be resumed.
    assert_eq!(
        scratch.log("log")[0]["match"]["first"],
        "builtin:depth=2,eval=net,selectivity=73"
    );
    // The level of the match applies to players without their own.
    let printed = scratch.play("--level 2 --first builtin --second builtin:depth=1 --games 2");
    assert!(printed.contains("first     builtin:level=2,"), "{printed}");
}
