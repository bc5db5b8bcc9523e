//! End-to-end tests of `emilia compare`: a table to parse, equal values, exit codes.

use crate::common::run::{Run, cases, emilia, emilia_line};

fn compare(arguments: &[&str]) -> Run {
    emilia(&[&["compare"], arguments].concat(), b"")
}

/// Returns the table of a successful run: name, value, nodes, leaves.
fn table(arguments: &[&str]) -> Vec<(String, String, u64, u64)> {
    let run = compare(arguments);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stderr.is_empty());
    let text = run.stdout;
    let mut lines = text
        .lines()
        .skip_while(|line| !line.starts_with("algorithm"));
    let width = "algorithm                 ".len();
    let header: Vec<&str> = lines.next().unwrap()[width..].split_whitespace().collect();
    assert_eq!(header[..3], ["value", "nodes", "leaves"]);
    let rows: Vec<_> = lines
        .by_ref()
        .take_while(|line| !line.starts_with("left out to fit 80 columns: alpha cuts, beta cuts"))
        .map(|line| {
            let fields: Vec<&str> = line[width..].split_whitespace().collect();
            assert_eq!(fields.len(), 6, "{line}");
            let number = |index: usize| fields[index].parse().unwrap();
            let name = line[..width].trim().to_owned();
            (name, fields[0].to_owned(), number(1), number(2))
        })
        .collect();
    assert!(rows.iter().all(|row| row.1 == rows[0].1), "{text}");
    rows
}

#[test]
fn othello_counts_from_the_start_equal_perft() {
    let rows = table(&["--depth", "5"]);
    assert_eq!(rows.len(), 13);
    // Perft 0 to 5: 1 + 4 + 12 + 56 + 244 + 1396.
    assert_eq!((rows[0].2, rows[0].3), (1713, 1396));
}

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
fn only_selectivity_may_change_the_value() {
    // At 73 % selectivity the value of this position depends on the techniques.
    let text = |selectivity: &[&str]| {
        let position = ["--depth", "6", "--no-minimax", "f5d6c3d3c4"];
        let run = compare(&[&position, selectivity].concat());
        assert_eq!(run.code, Some(0), "{run:?}");
        run.stdout
    };
    let last = |text: &str, count: usize| -> Vec<String> {
        let lines: Vec<&str> = text.lines().rev().take(count).collect();
        lines.iter().rev().map(|&line| line.to_owned()).collect()
    };
    let rows = [
        "- all of these",
        "+ selectivity 73%",
        "- probcut",
        "- static cut",
        "- late move pruning",
        "- late move reductions",
    ];
    let selective = last(&text(&[]), rows.len() + 1);
    for (line, row) in selective.iter().zip(rows) {
        assert!(line.starts_with(row), "{selective:?}");
    }
    let whole = last(&text(&["--selectivity", "100"]), 2);
    assert!(whole[0].starts_with("- all of these"), "{whole:?}");
    assert_eq!(whole[1], "all values equal");
}

#[test]
fn the_root_is_the_game_and_position_that_are_given() {
    let rows = table(&["--depth", "1", "--no-minimax", "f5d6c3"]);
    assert_eq!(rows[0].0, "alpha-beta, Max and Min");
    let over = format!("{} X", "X".repeat(64));
    let rows = table(&[&over]);
    assert_eq!((rows[0].1.as_str(), rows[0].2), ("+64.00", 1));
    let rows = table(&["--game", "tic-tac-toe"]);
    assert_eq!((rows[0].1.as_str(), rows[0].2), ("0", 549_946));
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
        compare(&["--game", "tree", tree]).assert_shows(line);
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
         --size 4 | --size and --row are for --game tictactoe
         --depth 0 | '0'
         --game chess | 'chess'",
    ) {
        emilia_line(&format!("compare {line}")).assert_refused(sentence);
    }
}
