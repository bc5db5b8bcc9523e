//! Laws of the model: probabilities, difficulty, and estimates of skill.

use std::collections::BTreeSet;

use fastrand::Rng;

use super::choice::softmax;
use super::*;
use emilia_core::board::{Bitboard, Board, Move, Square};
use emilia_core::search::Engine;

fn engine() -> Engine {
    small_engine().unwrap()
}

/// Returns `count` choices from random games, each with at least two moves and at least 8 empties.
fn choices(count: usize) -> Vec<Choice> {
    let mut engine = engine();
    let (mut rng, mut board) = (Rng::with_seed(5), Board::START);
    let mut boards = std::iter::repeat_with(|| {
        let square = rng.choice(board.legal_moves().squares());
        board = square.map_or(Board::START, |square| board.play(square));
        board
    })
    .filter(|board| board.legal_moves().count() > 1 && board.empty_count() >= 8);
    let step = 7;
    std::iter::from_fn(|| boards.nth(step))
        .take(count)
        .map(|board| Choice::search(&mut engine, &board))
        .collect()
}

#[test]
fn softmax_shares_are_proportional_to_exponentials() {
    let shares = softmax([2.0, 2.0, 1.0].into_iter());
    let e = std::f64::consts::E;
    for (share, weight) in shares.iter().zip([e, e, 1.0]) {
        assert!(
            (share - weight / (2.0 * e + 1.0)).abs() < 1e-12,
            "{shares:?}"
        );
    }
    // Extreme utilities do not overflow.
    assert_eq!(softmax([1e5, -1e5].into_iter()), [1.0, 0.0]);
}

#[test]
fn a_choice_has_all_legal_moves_with_their_values() {
    let choice = Choice::search(&mut engine(), &Board::START);
    assert_eq!(choice.candidates.len(), 4);
    // All first moves are symmetric to each other, so they are equally probable.
    for probability in Model::FITTED.probabilities(&choice, 1.0) {
        assert!((probability - 0.25).abs() < 1e-12, "{choice:?}");
    }
}

#[test]
fn the_value_at_once_of_a_final_move_is_the_final_score() {
    // The move c1 flips the last disc of the opponent.
    let board = Board {
        player: Bitboard(1),
        opponent: Bitboard(2),
    };
    let choice = Choice::search(&mut engine(), &board);
    let [only] = choice.candidates[..] else {
        panic!("{choice:?}");
    };
    assert!(only.at_once > 63.9 && only.searched > 63.9, "{choice:?}");
}

#[test]
fn words_name_levels() {
    let levels = "beginner h1 occasional h3 regular h4 weak h5 average h10 strong h13 best h14";
    for pair in levels.split(' ').collect::<Vec<_>>().chunks(2) {
        assert_eq!(pair[0].parse::<Human>().unwrap().to_string(), pair[1]);
    }
}

#[test]
fn skills_continue_the_levels() {
    for (number, human) in (0..).zip(Human::ALL) {
        let skill = Skill::from(human);
        assert_eq!(skill.to_string(), format!("h{number}.0"));
    }
    assert_eq!(Skill::new(-3.0).to_string(), "h0.0");
    assert_eq!(Skill::new(99.0).to_string(), "above h14");
    let factors: Vec<f64> = (0..=32)
        .map(|half| Skill::new(f64::from(half) / 2.0).factor())
        .collect();
    assert!(factors.is_sorted_by(|a, b| a > b), "{factors:?}");
}

#[test]
fn stronger_players_find_more_and_lose_less() {
    for choice in choices(30) {
        let of = |level: usize| Difficulty::of(&choice, &[], Human::ALL[level].into());
        let (weak, strong) = (of(2), of(13));
        let best = choice.candidates[0];
        let looks_best = (choice.candidates.iter()).all(|one| one.at_once <= best.at_once);
        if looks_best {
            assert!(weak.found <= strong.found + 1e-9, "{choice:?}");
        }
        assert!((0.0..=1.0 + 1e-9).contains(&weak.found));
        assert!(strong.loss <= weak.loss + 1e-9 || !looks_best, "{choice:?}");
    }
}

#[test]
fn moves_lose_what_is_known_or_else_their_distance_from_the_best() {
    let candidate = |index: u8, searched| ValuedMove {
        mv: Move::Place(Square::new(index).unwrap()),
        searched,
        at_once: 0.0,
    };
    let choice = Choice {
        empties: 30,
        candidates: vec![candidate(0, 4.0), candidate(1, 1.0), candidate(2, -3.0)],
    };
    let [first, second, third] = [0, 1, 2].map(|index| choice.candidates[index].mv);
    let skill = Skill::from(Human::AVERAGE);
    let shares = Model::FITTED.probabilities(&choice, skill.factor());
    for (known, losses) in [
        (vec![], [0.0, 3.0, 7.0]),
        (vec![(second, 0.0)], [3.0, 0.0, 4.0]),
        (vec![(second, 0.0), (third, 0.4)], [3.0, 0.0, 0.4]),
        (vec![(third, 0.0), (first, 9.0)], [9.0, 4.0, 0.0]),
    ] {
        assert!(choice.losses(&known).eq(losses), "{known:?}");
        let difficulty = Difficulty::of(&choice, &known, skill);
        let moves = || losses.iter().zip(&shares);
        let found = moves().filter(|&(loss, _)| *loss < HALF_A_DISC);
        let found: f64 = found.map(|(_, share)| share).sum();
        let loss: f64 = moves().map(|(loss, share)| loss * share).sum();
        assert!((difficulty.found - found).abs() <= 0.005 + 1e-12);
        assert!((difficulty.loss - loss).abs() < 1e-12);
    }
}

#[test]
fn no_number_of_tenths_has_two_grades() {
    let grades: BTreeSet<(String, DifficultyGrade)> = (0..=100)
        .map(|percent| Difficulty {
            found: f64::from(percent) / 100.0,
            loss: 0.0,
        })
        .map(|difficulty| (difficulty.found_in_words(), difficulty.grade()))
        .collect();
    assert_eq!(grades.len(), 11, "{grades:?}");
}

#[test]
fn the_estimate_recovers_the_skill_that_drew_the_moves() {
    let mut random = Rng::with_seed(3);
    let choices = choices(60);
    for level in [4, 10] {
        let skill = Skill::from(Human::ALL[level]);
        let mut likelihood = SkillLikelihood::default();
        for index in 0..1200 {
            let choice = &choices[index % choices.len()];
            let probabilities = Model::FITTED.probabilities(choice, skill.factor());
            let mut left = random.f64();
            let played = probabilities.iter().position(|probability| {
                left -= probability;
                left < 0.0
            });
            likelihood.add(choice, played.unwrap_or(0));
            let is_vague = likelihood.estimate().unwrap().is_vague();
            assert!(is_vague || index >= 3, "{likelihood:?}");
        }
        let estimate = likelihood.estimate().unwrap();
        let [low, high] = estimate.interval;
        let error = estimate.skill.number() - skill.number();
        assert!(error.abs() < 1.0, "{estimate:?}");
        assert!(low < estimate.skill && estimate.skill < high && !estimate.is_vague());
        assert_eq!(estimate.moves, 1200);
        assert_eq!(
            estimate.to_string(),
            format!("{} ({low}-{high})", estimate.skill)
        );
    }
    assert_eq!(SkillLikelihood::default().estimate(), None);
}

#[test]
fn an_interval_that_reaches_an_end_of_the_scale_is_open() {
    let slope = |sign: f64| SkillLikelihood {
        moves: 40,
        logarithms: std::array::from_fn(|index| sign * 2.0 * index as f64),
    };
    let [strong, weak] = [1.0, -1.0].map(|sign| slope(sign).estimate().unwrap().to_string());
    assert_eq!([&*strong, &weak], ["above h14", "h0.0 (up to h0.7)"]);
    // The limit of `above h14` applies to the rounded number.
    for (number, shown) in [(14.44, "h14.4"), (14.46, "above h14")] {
        assert_eq!(Skill::new(number).to_string(), shown);
    }
}
