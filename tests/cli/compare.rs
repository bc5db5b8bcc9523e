//! End-to-end tests of `emilia compare`: a table to parse, equal values, exit codes.

use crate::common::run::{cases, emilia, emilia_line};

#[test]
fn the_table_of_the_readme_is_printed() {
    let readme = include_str!("../../README.md");
    let command = "emilia compare --depth 6 f5d6c3";
    let (_, after) = readme
        .split_once(&format!("`{command}`:\n\n```text\n"))
        .unwrap();
    let (rows, _) = after.split_once("```").unwrap();
    let printed = emilia_line(command.strip_prefix("emilia ").unwrap()).stdout;
    let mut lines = printed.lines();
    for row in rows.lines() {
        assert!(lines.any(|line| line.starts_with(row)), "{row}\n{printed}");
    }
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let run = emilia_line("compare --game tic-tac-toe");
    run.assert_done();
    let row = run.stdout.lines().find(|line| line.starts_with("minimax"));
    let fields = row
        .unwrap()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert!(fields.contains(" 0 549946 "), "{run:?}");
    run.assert_shows("left out to fit 80 columns: alpha cuts, beta cuts");
}

#[test]
fn each_forward_pruning_has_a_row_at_the_selectivity_given() {
    let command = "compare --depth 6 --no-minimax f5d6c3d3c4";
    let run = emilia_line(command);
    run.assert_done();
    let printed: Vec<&str> = run.stdout.lines().collect();
    let rows = [
        "- all of these",
        "+ selectivity 73%",
        "- probcut",
        "- static cut",
        "- late move pruning",
        "- late move reductions",
    ];
    for (line, row) in printed[printed.len() - rows.len() - 1..].iter().zip(rows) {
        assert!(line.starts_with(row), "{run:?}");
    }
    let whole = emilia_line(&format!("{command} --selectivity 100"));
    assert!(whole.stdout.ends_with("all values equal\n"), "{whole:?}");
}

#[test]
fn cut_offs_of_a_given_tree_are_explained() {
    for [tree, line] in cases(
        "[[-5, 1, -7], [3, -9, x]] | alpha-beta visits the leaves -5, 1, -7, 3, -9
         [[-5, 1, -7], [3, -9, x]] | node 2: alpha cut after 2 of 3
         [[-5, 1, -7], [3, -9, x]] | tree as searched: [[-5, 1, -7], [3, -9, \u{b7}]]
         [[-5, 1, -7], [3, -9, x]] | x does not matter: the root is worth -7
         [[-5, 1], [3, x]] | x matters: the root is worth -5 to 3; here x is 0",
    ) {
        emilia(&["compare", "--game", "tree", tree], b"").assert_shows(line);
    }
}

#[test]
fn invalid_input_is_refused_in_one_sentence() {
    for [line, sentence] in cases(
        "f5d6c9 | position: column 5, move 3: 'c9' is no move
         --game tree [1, [2, 3 | tree: column 10: the text ends where a comma or ]
         --game tree --depth 3 [1, 2] | --depth: a tree is searched to its leaves
         --game tictactoe --size 9 | board size 9 (expected 3 to 8)
         --game tictactoe f5 | position 'f5': tic-tac-toe begins with the empty board
         --game chess | 'chess'",
    ) {
        emilia_line(&format!("compare {line}")).assert_refused(sentence);
    }
}
