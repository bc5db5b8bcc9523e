//! Tests of generated openings and their order.

use std::collections::HashSet;

use crate::{Openings, Tournament};
use emilia_core::board::{Board, Color, Position, Transcript};
use emilia_core::search::{Limits, Settings, Silent};
use emilia_player::SCORE_DEPTH;

fn schedule(text: &str, seed: u64, pairs: Option<usize>) -> Vec<String> {
    let openings: Openings = text.parse().unwrap();
    let schedule = openings.schedule(seed, pairs).unwrap();
    (0..schedule.pairs())
        .map(|pair| schedule.opening(pair).to_string())
        .collect()
}

#[test]
fn schedules_are_deterministic_and_prefix_stable() {
    for openings in ["random:8", "xot"] {
        let many = schedule(openings, 7, Some(40));
        assert_eq!(many, schedule(openings, 7, Some(40)));
        assert_eq!(many[..10], schedule(openings, 7, Some(10)));
        assert_ne!(many, schedule(openings, 8, Some(40)));
        let different: HashSet<&String> = many.iter().collect();
        assert_eq!(different.len(), 40);
    }
}

#[test]
fn every_pairing_plays_the_same_openings() {
    let openings: Openings = "random:4".parse().unwrap();
    let alone = openings.schedule(1, Some(3)).unwrap();
    let mut schedule = alone.clone();
    schedule.pair(Tournament::RoundRobin, 3);
    assert_eq!((schedule.pairs(), schedule.pairs_of_pairing()), (9, 3));
    for pair in 0..9 {
        assert_eq!(schedule.opening(pair), alone.opening(pair / 3));
        assert_eq!(schedule.pairing(pair), pair % 3);
    }
}

#[test]
fn embedded_xot_openings_are_distinct() {
    let openings = schedule("xot", 5, None).into_iter();
    let games = openings.map(|moves| Transcript::parse(&moves, Position::START).unwrap());
    let different: HashSet<Board> = games.map(|game| game.end().board.canonical()).collect();
    assert_eq!(different.len(), 10_784);
}

#[test]
fn openings_repeat_when_exhausted() {
    // Two random plies lead to three positions that are not symmetric to each other.
    let pairs = schedule("random:2", 3, Some(7));
    let first: HashSet<&String> = pairs[..3].iter().collect();
    let second: HashSet<&String> = pairs[3..6].iter().collect();
    assert_eq!((first.len(), first), (3, second));
    assert_eq!(schedule("random:1", 3, Some(4)).len(), 4);
}

#[test]
fn kinds_of_openings_have_short_names() {
    for (given, expected) in [
        ("random", "random:8"),
        ("XOT", "xot"),
        ("random.txt", "random.txt"),
    ] {
        let openings: Openings = given.parse().unwrap();
        assert_eq!(openings.to_string(), expected);
    }
}

#[test]
fn invalid_openings_are_rejected() {
    for given in ["x", "51", "9-8", "4-51"] {
        let sentence = format!("expected a number of plies from 0 to 50, got '{given}'");
        let error = format!("random:{given}").parse::<Openings>();
        assert_eq!(error.unwrap_err(), sentence);
    }
    for given in ["1", "2..1", "-65..0", "a..b"] {
        let sentence = format!("expected a range of discs such as -2..2, got '{given}'");
        let error = format!("random:8,score={given}").parse::<Openings>();
        assert_eq!(error.unwrap_err(), sentence);
    }
    let missing: Openings = "no such file".parse().unwrap();
    let error = missing.schedule(1, None).unwrap_err();
    assert!(error.starts_with("openings 'no such file': "));
}

#[test]
fn openings_of_a_score_have_it_and_the_drawn_length() {
    let text = "random:6-9,score=-3..-1";
    let openings: Openings = text.parse().unwrap();
    assert_eq!(openings.to_string(), text);
    let Openings::Random(random) = openings else {
        panic!("{openings}")
    };
    let mut scorer = random.scorer(Settings::default()).unwrap();
    let mut seed = fastrand::Rng::with_seed(3);
    let drawn: Vec<_> = random.draw(&mut seed, &mut scorer).take(3).collect();
    let mut engine = scorer.unwrap();
    for (opening, score) in &drawn {
        assert!((6..=9).contains(&opening.moves.len()), "{opening}");
        engine.clear();
        let end = opening.end();
        let value = engine
            .search(&end, &Limits::depth(SCORE_DEPTH), &mut Silent)
            .value
            .discs();
        let for_black = if end.mover == Color::Black {
            value
        } else {
            -value
        };
        assert_eq!(*score, Some(for_black), "{opening}");
        assert!((-3.0..=-1.0).contains(&for_black), "{opening}: {for_black}");
    }
    let lengths: HashSet<usize> = drawn
        .iter()
        .map(|(opening, _)| opening.moves.len())
        .collect();
    assert!(drawn.len() == 3 && lengths.len() > 1);
}
