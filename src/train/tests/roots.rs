//! Tests of labelled positions: their labels equal the values of searches, they are distributed
//! evenly over the numbers of empties, and the positions of a root do not depend on other roots.

use std::collections::BTreeSet;

use super::*;
use emilia_textbook::{Othello, minimax};

#[test]
fn positions_cover_all_empties_and_are_solved_below_the_limit() {
    let found = positions(&blocks(&roots(250, None), 2));
    let mut counts = [[0; 10]; 2];
    for one in &found {
        let empties = one.board.empty_count() as usize;
        assert!(one.board.can_move());
        counts[one.sampling as usize][empties] += 1;
        assert_eq!(one.label.is_exact, empties <= 7, "{one:?}");
        if one.label.is_exact {
            let value = minimax(&Othello::new(one.board, &Classic), 7, &mut ());
            assert_eq!(one.label.value, value, "{one:?}");
        }
    }
    for of_sampling in counts {
        assert_eq!(of_sampling[..4], [0; 4]);
        let (least, most) = (of_sampling[4..].iter().min(), of_sampling.iter().max());
        assert!(3 * least.unwrap() > *most.unwrap(), "{counts:?}");
    }
    let leaves = positions(&blocks(&roots(20, Some(RootSampling::Leaf)), 1));
    assert!(leaves.iter().all(|one| one.sampling == RootSampling::Leaf));
    let unique: BTreeSet<Board> = leaves.iter().map(|one| one.board).collect();
    assert!(unique.len() > 190, "{} of {}", unique.len(), leaves.len());
}

#[test]
fn inexact_labels_come_from_searches_to_an_even_number_of_empties() {
    let run = roots(40, None);
    let mut found = positions(&blocks(&run, 2));
    found.retain(|one| !one.label.is_exact);
    assert!(found.len() > 100);
    let mut engine = Engine::new(settings());
    for one in found {
        engine.clear();
        let label = run.origin.labels(&mut engine, &[one.board])[0];
        engine.clear();
        // From 8 and 9 empties, searches of 2 and 3 plies have leaves with 6 empties.
        let limits = Limits::depth(one.board.empty_count() - 6);
        let value = engine.search(&one.board, &limits, &mut Silent).value;
        assert_eq!((label.value, label.is_exact), (value, false), "{one:?}");
    }
}
