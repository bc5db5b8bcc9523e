//! End-to-end tests of `emilia compare`: a table to parse, equal values, exit codes.

use crate::common::run::{cases, emilia_line};
use crate::common::scratch::Scratch;

#[test]
fn a_tree_is_drawn_as_svg() {
    let file = Scratch::new("tree.svg", "");
    let line = format!("compare --game tree [5,[4,x,x]] --svg {}", file.path());
    emilia_line(&line).assert_refused("--force");
    emilia_line(&format!("{line} --force")).assert_shows("all values equal");
    let drawn = std::fs::read_to_string(file.path()).unwrap();
    assert!(
        drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"),
        "{drawn}"
    );
    assert_eq!(drawn.matches("class=\"scissors\"").count(), 2);
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
fn invalid_input_is_refused_in_one_sentence() {
    for [line, sentence] in cases(
        "f5d6c9 | position: column 5, move 3: 'c9' is not a move
         --game tree [1, [2, 3 | tree: column 10: the text ends where a comma or ]
         --game tree --depth 3 [1, 2] | --depth: a tree is searched to its leaves
         --game tictactoe f5 | moves of tic-tac-toe: 'f5' is not a legal move
         --depth 6 --svg tree.svg f5 | --svg: the tree has more than 3000 nodes, too many to draw
         --algorithm magic | 'magic'
         --game chess | 'chess'",
    ) {
        emilia_line(&format!("compare {line}")).assert_refused(sentence);
    }
}
