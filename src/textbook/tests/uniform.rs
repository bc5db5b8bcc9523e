//! Leaf counts on uniform trees, where every node has b moves and every leaf is at depth d.
//! The expected counts are those of Knuth and Moore, 1975.

use crate::{Algorithm, Counts, Side, Tree};

/// Writes the uniform tree below a node of `side` with the value `sum`. Each move adds its number
/// times a step to the value, or subtracts it: the best move is first, or else last.
/// A difference of one step outweighs all moves below it.
fn uniform(moves: i32, depth: u32, side: Side, best_first: bool, sum: i32) -> String {
    if depth == 0 {
        return sum.to_string();
    }
    let step = moves.pow(depth - 1) * side.from_max(if best_first { -1 } else { 1 });
    let child = |mv| uniform(moves, depth - 1, side.other(), best_first, sum + mv * step);
    let children: Vec<String> = (0..moves).map(child).collect();
    format!("[{}]", children.join(", "))
}

/// Calls `check` with uniform trees, their numbers of moves and their depths.
fn for_uniform_trees(best_first: bool, check: impl Fn(&Tree, u64, u32)) {
    for (moves, depth) in (2..=5).flat_map(|moves| (1..=6).map(move |depth| (moves, depth))) {
        let text = uniform(moves, depth, Side::Max, best_first, 0);
        check(&text.parse().unwrap(), moves as u64, depth);
    }
}

#[test]
fn perfect_order_visits_the_critical_leaves() {
    for_uniform_trees(true, |tree, moves, depth| {
        for algorithm in [
            Algorithm::AlphaBeta,
            Algorithm::FailHard,
            Algorithm::FailSoft,
            Algorithm::NegaScout,
        ] {
            let mut counts = Counts::default();
            assert_eq!(algorithm.run(&tree.root(), depth, &mut counts), 0);
            // The minimum number of leaves: b^⌈d/2⌉ + b^⌊d/2⌋ − 1.
            let critical = moves.pow(depth.div_ceil(2)) + moves.pow(depth / 2) - 1;
            assert_eq!(counts.leaves, critical, "{algorithm:?} on {tree}");
        }
    });
}

#[test]
fn worst_order_visits_every_leaf() {
    for_uniform_trees(false, |tree, moves, depth| {
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
