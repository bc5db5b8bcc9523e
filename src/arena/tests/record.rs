//! Records of games, and clocks.

use std::time::Duration;

use crate::clock::{clock_text, longest_move, spend};
use crate::{EndReason, MARGIN, Match, MatchGame, MoveRecord, Openings, Standing, parse_clock};
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
        // Black passes before the first of the two moves after the opening.
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
    let pgn = record.to_game().unwrap().to_pgn();
    let moves = "-- a3 {+1.25/2 0.5s} 6. a1\n{-3.00/2 0.25s} 1-0";
    assert!(
        pgn.contains(moves) && pgn.contains("[Date \"2026.11.27\"]"),
        "{pgn}"
    );
}

#[test]
fn a_game_counts_before_its_partner_ends() {
    let openings: Openings = "random:0".parse().unwrap();
    let schedule = openings.schedule(1, Some(1)).unwrap();
    let mut standing = Standing::new(&schedule);
    for (game, games, pairs, discs) in [(1, [0, 0, 1], 0, "-64.00"), (0, [1, 0, 1], 1, "+0.00")] {
        let played = MatchGame {
            game,
            first: Match::first_color(game),
            opening: String::new(),
            moves: "f5d6".to_owned(),
            ..record()
        };
        standing.add(&played, &schedule).unwrap();
        let tally = standing.tally();
        assert_eq!((tally.games, tally.pair_count()), (games, pairs));
        assert_eq!(format!("{:+.2}", tally.mean_discs()), discs);
    }
}

#[test]
fn a_pair_that_repeats_an_earlier_one_is_counted_once() {
    let openings: Openings = "random:0".parse().unwrap();
    let schedule = openings.schedule(1, Some(3)).unwrap();
    let mut standing = Standing::new(&schedule);
    let games = ["f5d6", "f5f6", "f5d6", "f5f6", "f5d6", "f5f4"];
    for (game, moves) in games.into_iter().enumerate() {
        let played = MatchGame {
            game,
            first: Match::first_color(game),
            opening: String::new(),
            moves: moves.to_owned(),
            ..record()
        };
        standing.add(&played, &schedule).unwrap();
    }
    assert_eq!((standing.tally().pair_count(), standing.repeated), (2, 2));
    assert_eq!(standing.tally().games.iter().sum::<u64>(), 4);
}

#[test]
fn clocks_parse_and_display() {
    let clock = |text: &str| parse_clock(text).map(|clock| clock_text(Some(clock)));
    assert_eq!(clock("60+0.5").unwrap(), "60 s + 0.5 s");
    assert_eq!(clock("90").unwrap(), "90 s + 0 s");
    for bad in ["", "0", "+1", "60+", "1+2+3", "-1", "inf", "nan", "1e99"] {
        let error = clock(bad).unwrap_err();
        assert!(error.contains("is not a clock"), "{bad}");
    }
}

#[test]
fn spending_subtracts_time_and_adds_the_increment() {
    let seconds = Duration::from_secs;
    let mut clock = parse_clock("10+1").ok();
    spend(&mut clock, seconds(4));
    assert_eq!(longest_move(clock), Some(seconds(7) + MARGIN));
    // An overrun within the margin leaves the increment only.
    spend(&mut clock, seconds(7) + MARGIN);
    assert_eq!(longest_move(clock), Some(seconds(1) + MARGIN));

    let mut clock = Some(TimeControl::PerMove(seconds(2)));
    spend(&mut clock, seconds(1));
    assert_eq!(longest_move(clock), Some(seconds(2) + MARGIN));
    assert_eq!(longest_move(None), None);
}
