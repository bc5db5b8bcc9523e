//! End-to-end tests of `emilia compare`: a table to parse, equal values, exit codes.

use crate::common::run::{cases, emilia, emilia_line};
use crate::common::scratch::Scratch;

#[test]
fn steps_are_lines_of_json() {
    let tree = "[[-5, 1, -7], [3, -9, x]]";
    let run = emilia(&["compare", "--game", "tree", tree, "--steps"], b"");
    run.assert_done();
    let lines = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<serde_json::Value> = lines.collect();
    assert_eq!(lines[0]["kind"], "lesson");
    let cut = lines.iter().find(|line| line["step"] == "cut").unwrap();
    assert_eq!(cut["cut"], serde_json::json!(["alpha", 2, 3]));
    let node = cut["node"].as_u64().unwrap() as usize;
    assert_eq!(lines[0]["nodes"][node]["name"], "2");
}

#[test]
fn a_tree_is_drawn_as_svg() {
    let file = Scratch::new("tree.svg", "");
    let line = format!("compare --game tree [5,[4,x,x]] --svg {}", file.path());
    emilia_line(&line).assert_refused("--force");
    emilia_line(&format!("{line} --force")).assert_shows("alpha cut after 1 of 3");
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
fn cut_offs_of_a_given_tree_are_explained() {
    for [tree, line] in cases(
        "[[-5, 1, -7], [3, -9, x]] | alpha-beta visits the leaves -5, 1, -7, 3, -9
         [[-5, 1, -7], [3, -9, x]] | node 2: alpha cut after 2 of 3
         [[-5, 1, -7], [3, -9, x]] | tree as searched: [[-5, 1, -7], [3, -9, \u{b7}]]
         [[-5, 1, -7], [3, -9, x]] | x does not matter: the root is worth -7
         [[-5, 1, -7], [3, -9, x]] | On a tree this small some rows visit more nodes than the first
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
         --game tictactoe f5 | moves of tic-tac-toe: 'f5' is not a legal move
         --depth 6 --steps f5 | --steps: the tree has more than 3000 nodes, too many to draw
         --game tree worst 9 9 | 9 moves to height 9: more than 20000 leaves
         --algorithm magic | 'magic'
         --game chess | 'chess'",
    ) {
        emilia_line(&format!("compare {line}")).assert_refused(sentence);
    }
}
