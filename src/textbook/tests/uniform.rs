//! Tests of leaf counts on uniform trees: every inner node has b moves, and every leaf is at depth
//! d. The expected counts are from Knuth and Moore, 1975.

use crate::{Algorithm, Counts, Tree};

/// Calls `check` with uniform trees, each with its number of moves per node and its depth. `order`
/// is the move order, such as `best`.
fn for_uniform_trees(order: &str, check: impl Fn(&Tree, u64, u32)) {
    for (moves, depth) in (2..=5).flat_map(|moves| (1..=6).map(move |depth| (moves, depth))) {
        let text = format!("{order} {moves} {depth}");
        check(&text.parse().unwrap(), moves, depth);
    }
}

#[test]
fn perfect_order_visits_the_critical_leaves() {
    for_uniform_trees("best", |tree, moves, depth| {
        for algorithm in [
            Algorithm::AlphaBeta,
            Algorithm::FailHard,
            Algorithm::FailSoft,
            Algorithm::NegaScout,
        ] {
            let mut counts = Counts::default();
            assert_eq!(algorithm.run(&tree.root(), depth, &mut counts), 0);
            // Minimum number of leaves that alpha-beta visits: b^⌈d/2⌉ + b^⌊d/2⌋ − 1.
            let critical = moves.pow(depth.div_ceil(2)) + moves.pow(depth / 2) - 1;
            assert_eq!(counts.leaves, critical, "{algorithm:?} on {tree}");
        }
    });
}

#[test]
fn worst_order_visits_every_leaf() {
    for_uniform_trees("worst", |tree, moves, depth| {
        let all = Counts {
            leaves: moves.pow(depth),
            nodes: (moves.pow(depth + 1) - 1) / (moves - 1),
            ..Counts::default()
        };
        for algorithm in [
            Algorithm::Minimax,
            Algorithm::AlphaBeta,
            Algorithm::FailHard,
            Algorithm::FailSoft,
        ] {
            let mut counts = Counts::default();
            algorithm.run(&tree.root(), depth, &mut counts);
            assert_eq!(counts, all, "{algorithm:?} on {tree}");
        }
    });
}

#[test]
fn static_values_bring_cuts_to_the_worst_order() {
    for_uniform_trees("worst", |tree, moves, depth| {
        let algorithm = Algorithm::named("sorted").unwrap();
        let mut counts = Counts::default();
        algorithm.run(&tree.root(), depth, &mut counts);
        // The algorithm `sorted` orders moves by static values. Leaves have none, so at depth 1 the
        // order stays the worst one, and all leaves are visited.
        let is_sorted = counts.leaves < moves.pow(depth);
        assert_eq!(is_sorted, depth > 1, "{tree}");
    });
}
