//! Tests of adjudication: games that the referee ends early.

use crate::adjudication::Adjudicator;
use crate::{Adjudication, MoveRecord};
use emilia_core::board::{Color, Position, Score, Transcript};
use emilia_core::search::{Engine, Goal, Limits, Settings, Silent, StopFlag};

fn adjudicator(rule: &str) -> Adjudicator {
    let rule = rule.parse().unwrap();
    Adjudicator::new(rule, &StopFlag::default()).unwrap()
}

/// Record of a move at `depth` plies. `eval` is in discs in the view of the side that moved.
fn made(depth: u32, eval: Option<f64>) -> MoveRecord {
    MoveRecord {
        time: 0.0,
        depth: Some(depth),
        nodes: None,
        eval,
    }
}

#[test]
fn rules_are_parsed_and_written() {
    for rule in ["solved", "score=20,plies=6"] {
        let parsed: Adjudication = rule.parse().unwrap();
        assert_eq!(parsed.to_string(), rule);
    }
    for bad in ["", "score=20", "score=0,plies=6", "score=2,plies=1"] {
        let error = bad.parse::<Adjudication>().unwrap_err();
        assert!(
            error.contains("expected solved, or score=N,plies=K"),
            "{bad}"
        );
    }
}

#[test]
fn both_players_must_expect_the_win_for_all_plies() {
    let white: Position = "f5".parse().unwrap();
    // Rows of: evaluations for Black in the order of the moves, with the side that moved, and the
    // score that ends the game. `None`: the game goes on.
    for (evals, score) in [
        ("B10 W12 B9.6 W14", Some(10)),
        ("B-10 W-12 B-9.6 W-14", Some(-10)),
        ("B40 W9 B10 W12 B9.6 W14", Some(10)),
        ("B10 W12 B9.6 W8.9", None),
        ("B10 W-12 B9.6 W14", None),
        ("W12 B9.6 W14", None),
        ("B10 B12 B9.6 B14", None),
        ("B10 W12 B W14 B12 W14", None),
        ("B10 W12 B W14 B12 W14 B10", Some(10)),
    ] {
        let mut adjudicator = adjudicator("score=9,plies=4");
        let mut found = None;
        for word in evals.split(' ') {
            let (mover, eval) = word.split_at(1);
            let (position, sign) = match mover {
                "B" => (Position::START, 1.0),
                _ => (white, -1.0),
            };
            let eval = eval.parse::<f64>().ok();
            adjudicator.add(&position, &made(8, eval.map(|eval| sign * eval)));
            found = adjudicator.score(&position);
        }
        assert_eq!(found, score, "{evals}");
        adjudicator.begin();
        assert_eq!(adjudicator.score(&white), None);
    }
}

/// Returns the score for Black under best play, in discs.
fn solved(position: &Position) -> Score {
    let mut engine = Engine::try_new(Settings::default()).unwrap();
    let value = engine
        .search(position, &Limits::solve(Goal::Exact), &mut Silent)
        .value;
    value.round_to_score() * sign(position)
}

/// Returns 1 if Black is to move, and −1 if White is.
fn sign(position: &Position) -> Score {
    if position.mover == Color::Black {
        1
    } else {
        -1
    }
}

#[test]
fn a_score_on_which_both_agree_is_solved_before_it_counts() {
    let moves = "f5d6c6f6e6f4f3b6d7f2c4d3e7c3c2b4b3a3a2b5g4d8a6b2g6c5b1h5e8c1a4\
                 h7e2c8d2f7g7a1h6c7f8b7e3g5g3g8g2";
    let game = Transcript::parse(moves, Position::START).unwrap();
    let positions: Vec<Position> = game.positions().collect();
    let [.., first, second] = positions[..] else {
        panic!("{moves}");
    };
    assert_ne!(first.mover, second.mover);
    let end = game.end();
    let score = solved(&end);
    let empties = first.board.empty_count();
    for (depths, claims, expected) in [
        ([0, 0], [score, score], Some(score)),
        // In turn: both players agree on a wrong score, they disagree, the second has not solved
        // the position, the first has not solved it.
        ([0, 0], [score + 2, score + 2], None),
        ([0, 0], [score + 2, score], None),
        ([0, 1], [score, score], None),
        ([1, 0], [score, score], None),
    ] {
        let mut adjudicator = adjudicator("solved");
        for (at, position) in [first, second].into_iter().enumerate() {
            let depth = empties - at as u32 - depths[at];
            let claim = f64::from(sign(&position) * claims[at]);
            adjudicator.add(&position, &made(depth, Some(claim)));
            assert!(at > 0 || adjudicator.score(&second).is_none());
        }
        assert_eq!(adjudicator.score(&end), expected, "{depths:?} {claims:?}");
    }
}
