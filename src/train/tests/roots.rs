//! Tests of labelled positions: correct labels, even distribution, and independent roots.

use super::*;
use emilia_core::board::testing::negamax;
use emilia_core::search::Silent;

#[test]
fn positions_cover_all_empties_and_are_solved_below_the_limit() {
    let found = positions(&blocks(&roots(250, 2, None)));
    let mut counts = [[0; 10]; 2];
    for one in &found {
        let empties = one.board.empty_count() as usize;
        assert!(one.board.can_move());
        counts[one.sampling as usize][empties] += 1;
        assert_eq!(one.label.is_exact, empties <= 7, "{one:?}");
        if one.label.is_exact {
            let score = Value::from_score(negamax(one.board));
            assert_eq!(one.label.value, score, "{one:?}");
        }
    }
    for of_sampling in counts {
        assert!(
            of_sampling[..4].iter().all(|&count| count == 0),
            "{counts:?}"
        );
        let (least, most) = (of_sampling[4..].iter().min(), of_sampling[4..].iter().max());
        assert!(3 * least.unwrap() > *most.unwrap(), "{counts:?}");
    }
    // Roots alternate between leaves and continuations.
    assert_eq!(found[0].sampling, RootSampling::Leaf);
    let leaves = positions(&blocks(&roots(20, 1, Some(RootSampling::Leaf))));
    assert!(leaves.len() > 200 && leaves.iter().all(|one| one.sampling == RootSampling::Leaf));
    let mut unique: Vec<Board> = leaves.iter().map(|one| one.board).collect();
    unique.sort_unstable();
    unique.dedup();
    assert!(
        unique.len() * 20 > leaves.len() * 19,
        "at most 5 % duplicates"
    );
}

#[test]
fn inexact_labels_come_from_searches_to_an_even_number_of_empties() {
    let run = roots(40, 2, None);
    let RunKind::Positions(ref searching) = run.product else {
        panic!("expected a run of positions");
    };
    let mut found = positions(&blocks(&run));
    found.retain(|one| !one.label.is_exact);
    assert!(found.len() > 100);
    let mut engine = Engine::new(settings());
    for one in found {
        engine.clear();
        let label = searching.labels(&mut engine, &[one.board])[0];
        engine.clear();
        // From 8 or 9 empties, 2 or 3 plies lead to 6 empties.
        let limits = Limits::depth(one.board.empty_count() - 6);
        let line = engine.search(&one.board, &limits, &mut Silent);
        assert_eq!(
            (label.value, label.is_exact),
            (line.value, false),
            "{one:?}"
        );
    }
}

#[test]
fn labels_of_searches_to_the_end_are_exact() {
    let searching = Roots {
        empties: (4, 6),
        depth: 3,
        sampling: None,
        exact: 0,
        label_depth: 60,
    };
    let mut engine = Engine::new(settings());
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..20 {
        let board = emilia_core::board::testing::board_of_a_game(&mut random, 6);
        let exact = SearchValue {
            value: Value::from_score(negamax(board)),
            is_exact: true,
        };
        assert_eq!(searching.labels(&mut engine, &[board]), [exact]);
    }
}

#[test]
fn runs_resume_between_the_roots_of_one_game() {
    let whole = positions(&blocks(&roots(10, 1, None)));
    for end in 1..10 {
        let begun = blocks(&roots(end, 1, None));
        let rest = blocks_after(&roots(10, 2, None), &begun);
        assert_eq!(
            positions(&[begun, rest].concat()),
            whole,
            "resumed after {end} roots"
        );
    }
}
