//! Trees from course notes, with their values, visited leaves and cuts.

use crate::{Algorithm, Game, Trace, Tree};

/// The forms of alpha-beta, which visit the same nodes and make the same cuts.
const CUTTING: [Algorithm; 3] = [
    Algorithm::AlphaBeta,
    Algorithm::FailHard,
    Algorithm::FailSoft,
];

/// Asserts the value, visited leaves and cuts of all forms of alpha-beta, in rows like
/// `TREE = VALUE | LEAVES | CUT, CUT`.
/// Minimax must return the same value and visit every leaf.
fn check(row: &str) {
    let parts: Vec<&str> = row.split(" | ").collect();
    let (tree, value) = parts[0].split_once(" = ").unwrap();
    let (tree, value): (Tree, i32) = (tree.parse().unwrap(), value.parse().unwrap());
    for algorithm in CUTTING {
        let mut trace = Trace::default();
        let found = algorithm.run(&tree.root(), tree.height(), &mut trace);
        let visited = trace.leaves.iter().map(|(_, value)| value.to_string());
        let cuts_of_trace = trace.cuts.iter();
        let places = cuts_of_trace.map(|(node, cut)| format!("{node}: {cut}"));
        let [visited, places] = [
            visited.collect::<Vec<_>>().join(" "),
            places.collect::<Vec<_>>().join(", "),
        ];
        assert_eq!(found, value, "{algorithm:?} on {tree}");
        assert_eq!(visited, parts[1], "{algorithm:?} on {tree}");
        assert_eq!(places, parts[2], "{algorithm:?} on {tree}");
    }
    let mut trace = Trace::default();
    let found = Algorithm::Minimax.run(&tree.root(), tree.height(), &mut trace);
    assert_eq!(found, value, "minimax on {tree}");
    assert_eq!(trace.cuts.len(), 0);
    let nodes: Vec<_> = trace.leaves.into_iter().map(|(node, _)| node).collect();
    let shown = tree.showing(&nodes);
    assert_eq!(shown, tree.to_string(), "minimax visits every leaf");
}

#[test]
fn cut_depends_on_the_order_of_replies() {
    for row in [
        // After 3 and −9 the second move cannot be better than the first: x is never visited.
        "[[-5, 1, -7], [3, -9, x]] = -7 | -5 1 -7 3 -9 | 2: alpha cut after 2 of 3",
        // With −9 first, a single reply refutes the second move.
        "[[-5, 1, -7], [-9, 3, x]] = -7 | -5 1 -7 -9 | 2: alpha cut after 1 of 3",
        // With −9 last, no leaf is skipped. x counts as 0, which is above −7.
        "[[-5, 1, -7], [3, x, -9]] = -7 | -5 1 -7 3 0 -9 | ",
        // The replies to the first move have no bound.
        "[[0, 0, 0]] = 0 | 0 0 0 | ",
    ] {
        check(row);
    }
}

#[test]
fn values_at_or_beyond_the_bound_cut() {
    for row in [
        "[5, [4, x, x]] = 5 | 5 4 | 2: alpha cut after 1 of 3",
        "min [3, [4, x, x]] = 3 | 3 4 | 2: beta cut after 1 of 3",
        "[6, [8, 6, x, x]] = 6 | 6 8 6 | 2: alpha cut after 2 of 4",
        "min [6, [4, 6, x]] = 6 | 6 4 6 | 2: beta cut after 2 of 3",
    ] {
        check(row);
    }
}

/// ```text
///                        Max
///                    /         \
///                 Min           7
///              /       \
///      α = 10 Max       Max β = 10
///          /   \         /   \
///       Min    Min     Min    Min
///       / \    / \     / \    / \
///      10 12  9   x   14 15  x   x
/// ```
#[test]
fn tree_of_height_four_has_an_alpha_cut_and_a_beta_cut() {
    check(
        "[[[[10, 12], [9, x]], [[14, 15], [x, x]]], 7] = 10 | 10 12 9 14 15 7 | \
         1.1.2: alpha cut after 1 of 2, 1.2: beta cut after 1 of 2",
    );
}

/// Deep cut-off: the bound α = 5 of the root cuts a node three plies below.
#[test]
fn bound_of_a_distant_ancestor_cuts() {
    check("[5, [[[4, x], 6], 7]] = 6 | 5 4 6 7 | 2.1.1: alpha cut after 1 of 2");
}

#[test]
fn showing_replaces_unvisited_leaves_by_dots() {
    let tree: Tree = "[[-5, 1, -7], [3, -9, x]]".parse().unwrap();
    let mut trace = Trace::default();
    Algorithm::FailSoft.run(&tree.root(), tree.height(), &mut trace);
    let nodes: Vec<_> = trace.leaves.into_iter().map(|(node, _)| node).collect();
    assert_eq!(tree.showing(&nodes), "[[-5, 1, -7], [3, -9, ·]]");
}

#[test]
fn tree_text_round_trips() {
    for text in ["[[-5, 1, -7], [3, -9, x]]", "min [3, [4, x]]", "7", "[x]"] {
        assert_eq!(text.parse::<Tree>().unwrap().to_string(), text);
    }
    let loose: Tree = " MAX[ [\u{2212}5,1 ],X\n]".parse().unwrap();
    assert_eq!(loose.to_string(), "[[-5, 1], x]");
    assert_eq!(loose.height(), 2);
    assert!(loose.has_unknown());
    assert!(loose.root().play(1).moves().is_empty());
}

#[test]
fn tree_errors_name_column_found_and_expected() {
    let number = "a list [...], x, or a whole number up to a million";
    let deep = "[".repeat(100);
    for (text, column, found, expected) in [
        ("", 1, "the text ends", number),
        ("[]", 2, "found ']'", number),
        ("[1, [2, y]]", 9, "found 'y'", number),
        ("[1, 1000001]", 5, "found '1000001'", number),
        ("[1 2]", 4, "found '2'", "a comma or ]"),
        ("[1, [2, 3]", 11, "the text ends", "a comma or ]"),
        ("[1] 2", 5, "found '2'", "the end of the text"),
        (&deep, 61, "found '['", "a leaf (at most 60 nested lists)"),
    ] {
        let error = text.parse::<Tree>().unwrap_err();
        let sentence = format!("column {column}: {found} where {expected} was expected");
        assert_eq!(error, sentence, "{text}");
    }
}
