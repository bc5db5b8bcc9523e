//! Tests of game records and clocks.

use std::fs;
use std::time::Duration;

use crate::{
    Clock, EndReason, MARGIN, Match, MatchGame, MoveRecord, Openings, PgnFile, Standing,
    clock_text, parse_clock,
};
use emilia_core::board::Color;
use emilia_core::search::TimeControl;

fn record() -> MatchGame {
    let made = |time, eval| MoveRecord {
        time,
        depth: Some(2),
        nodes: None,
        eval: Some(eval),
    };
    MatchGame {
        game: 5,
        black: "a".to_owned(),
        white: "b".to_owned(),
        first: Color::White,
        start: String::new(),
        opening: "d3c3f5d2d1e1b2c1".to_owned(),
        // Black passes after the opening, so White makes the first of the two further moves.
        moves: "d3c3f5d2d1e1b2c1a3a1".to_owned(),
        score: 64,
        reason: EndReason::Fault {
            by: Color::White,
            what: "resigned".to_owned(),
        },
        date: "2026-11-27".to_owned(),
        move_records: vec![made(0.5, 1.25), made(0.25, -3.0)],
    }
}

#[test]
fn records_round_trip_through_json() {
    let json = serde_json::to_string(&record()).unwrap();
    assert_eq!(
        json,
        concat!(
            r#"{"game":5,"black":"a","white":"b","first":"white","#,
            r#""opening":"d3c3f5d2d1e1b2c1","moves":"d3c3f5d2d1e1b2c1a3a1","score":64,"#,
            r#""reason":{"fault":{"by":"white","what":"resigned"}},"date":"2026-11-27","#,
            r#""thoughts":[{"time":0.5,"depth":2,"eval":1.25},"#,
            r#"{"time":0.25,"depth":2,"eval":-3.0}]}"#,
        )
    );
    assert_eq!(serde_json::from_str::<MatchGame>(&json).unwrap(), record());
    assert_eq!((record().pair(), record().first_score()), (2, -64));
}

#[test]
fn move_data_aligns_with_moves_across_a_pass() {
    let record = record();
    let made = record.moves_by_color().unwrap();
    let colors = made.iter().map(|(color, _)| *color);
    assert!(colors.eq([Color::White, Color::Black]));
    let ggf = record.to_game().unwrap().to_ggf();
    assert!(
        ggf.contains("B[PA]W[A3/1.25/0.500]B[A1/-3.00/0.250]"),
        "{ggf}"
    );
    assert!(
        ggf.contains("DT[2026-11-27]PB[a]PW[b]RE[+64.00:l]"),
        "{ggf}"
    );
}

#[test]
fn a_pgn_file_is_completed_from_the_log_and_no_other_file_is_touched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let read = || fs::read_to_string(&path).unwrap();
    let text = record().to_game().unwrap().to_pgn();
    let mut file = PgnFile::open(&path, &[]).unwrap();
    file.add(&record()).unwrap();
    file.add(&record()).unwrap();
    drop(file);
    assert_eq!(read(), text.repeat(2));
    // The file was cut in the middle of a game, or is empty, as after a crash.
    for held in [text.len() + 9, 0] {
        fs::write(&path, &read()[..held]).unwrap();
        let mut file = PgnFile::open(&path, &[record(), record()]).unwrap();
        file.add(&record()).unwrap();
        assert_eq!(read(), text.repeat(3));
    }
    for (logged, why) in [
        (
            vec![],
            "it has games already; give another name, or --force",
        ),
        (
            vec![record()],
            "it has other games than the log of this match",
        ),
    ] {
        let error = PgnFile::open(&path, &logged).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
        assert_eq!(read(), text.repeat(3));
    }
}

/// Returns the standing after these games of a match from the initial position.
fn standing(games: &[(usize, &str)]) -> Standing {
    let openings: Openings = "random:0".parse().unwrap();
    let schedule = openings.schedule(1, Some(3)).unwrap();
    let mut standing = Standing::new(&schedule);
    for &(game, moves) in games {
        let played = MatchGame {
            game,
            first: Match::first_color(game),
            opening: String::new(),
            moves: moves.to_owned(),
            ..record()
        };
        standing.add(&played, &schedule).unwrap();
    }
    standing
}

#[test]
fn a_game_counts_before_its_partner_ends() {
    let games = [(1, "f5d6"), (0, "f5d6")];
    for (count, counts, pairs, discs) in [(1, [0, 0, 1], 0, "-64.00"), (2, [1, 0, 1], 1, "+0.00")] {
        let standing = standing(&games[..count]);
        let tally = standing.tally();
        assert_eq!((tally.games, tally.pair_count()), (counts, pairs));
        assert_eq!(format!("{:+.2}", tally.mean_discs()), discs);
    }
}

#[test]
fn a_pair_that_repeats_an_earlier_one_is_counted_once() {
    let games = ["f5d6", "f5f6", "f5d6", "f5f6", "f5d6", "f5f4"];
    let games: Vec<_> = games.into_iter().enumerate().collect();
    let standing = standing(&games);
    assert_eq!((standing.tally().pair_count(), standing.repeated), (2, 2));
    assert_eq!(standing.tally().games.iter().sum::<u64>(), 4);
}

#[test]
fn clocks_parse_and_display() {
    for [text, shown, key] in [
        ["60+0.5", "60 s + 0.5 s", "clock=60+0.5"],
        ["90", "90 s + 0 s", "clock=90+0"],
        ["1:00", "60 s + 0 s", "clock=60+0"],
        ["1:02:03.5+0:02", "3723.5 s + 2 s", "clock=3723.5+2"],
        ["40/60", "40 moves in 60 s + 0 s", "clock=40/60+0"],
        ["5/1:00+1", "5 moves in 60 s + 1 s", "clock=5/60+1"],
    ] {
        let clock = parse_clock(text).unwrap();
        assert_eq!([clock_text(Some(clock)), clock.to_string()], [shown, key]);
        assert_eq!(parse_clock(&key["clock=".len()..]), Ok(clock));
    }
    let bad = "|0|+1|60+|1+2+3|-1|1:-1|inf|nan|1e99|0/60|/60|x/60|1:|4/0";
    for bad in bad.split('|') {
        let error = parse_clock(bad).unwrap_err();
        assert!(error.contains("is not a clock"), "{bad}");
    }
}

#[test]
fn spending_subtracts_time_and_adds_the_increment() {
    let seconds = Duration::from_secs;
    let mut clock = parse_clock("10+1").unwrap();
    clock.spend(seconds(4));
    assert_eq!(clock.longest_move(), seconds(7) + MARGIN);
    // A move that exceeds the clock by at most `MARGIN` leaves only the increment.
    clock.spend(seconds(7) + MARGIN);
    assert_eq!(clock.longest_move(), seconds(1) + MARGIN);

    let mut clock = Clock::from(TimeControl::PerMove(seconds(2)));
    clock.spend(seconds(1));
    assert_eq!(clock.longest_move(), seconds(2) + MARGIN);
}

#[test]
fn a_period_ends_with_its_moves_and_its_time_left_is_kept() {
    let seconds = Duration::from_secs;
    let mut clock = parse_clock("2/10+1").unwrap();
    for (spent, left) in [(4, 7), (3, 15), (1, 15), (15, 11)] {
        clock.spend(seconds(spent));
        assert_eq!(clock.longest_move(), seconds(left) + MARGIN);
    }
    // 11 s and two moves are left in the period. With 5 empties the period ends before the game, so
    // the search gets half of the 11 s and the increment of 1 s. With 4 empties the game ends
    // first.
    let whole = clock.control;
    assert_eq!(
        clock.of_search(5),
        TimeControl::PerMove(seconds(11) / 2 + seconds(1))
    );
    assert_eq!(clock.of_search(4), whole);
    assert_eq!(Clock::from(whole).of_search(60), whole);
}
