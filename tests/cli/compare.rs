//! End-to-end tests of `emilia compare`: a table to parse, equal values, exit codes.

use crate::common::run::{Run, emilia, emilia_line};

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
    let names: Vec<&str> = rows.iter().map(|row| row.0.as_str()).collect();
    assert_eq!(
        names,
        [
            "minimax",
            "negamax",
            "alpha-beta, Max and Min",
            "alpha-beta, fail-hard",
            "alpha-beta, fail-soft",
            "NegaScout",
            "MTD(f), with its memory",
            "fail-soft + static order",
            "+ killer moves",
            "+ deepening and table",
            "+ mobility order",
            "NegaScout, all of these",
            "MTD(f), all of these",
        ]
    );
    // Perft 0 to 5: 1 + 4 + 12 + 56 + 244 + 1396.
    assert_eq!((rows[0].2, rows[0].3), (1713, 1396));
    assert_eq!(rows[0].2, rows[1].2);
    assert!(rows[2..].iter().all(|row| row.2 < rows[0].2 / 2));
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
    let selective = last(&text(&[]), 3);
    assert!(selective[0].starts_with("- all of these"), "{selective:?}");
    assert!(
        selective[1].starts_with("+ selectivity 73%"),
        "{selective:?}"
    );
    let whole = last(&text(&["--selectivity", "100"]), 2);
    assert!(whole[0].starts_with("- all of these"), "{whole:?}");
    assert_eq!(whole[1], "all values equal");
}

#[test]
fn a_given_position_is_the_root() {
    let rows = table(&["--depth", "3", "--no-minimax", "f5d6c3"]);
    assert_eq!(rows[0].0, "alpha-beta, Max and Min");
    let over = format!("{} X", "X".repeat(64));
    let rows = table(&[&over]);
    assert_eq!((rows[0].1.as_str(), rows[0].2), ("+64.00", 1));
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let rows = table(&["--game", "tic-tac-toe"]);
    assert_eq!((rows[0].1.as_str(), rows[0].2), ("0", 549_946));
    let four = "--game tictactoe --size 4 --row 3 --depth 4";
    let rows = table(&four.split(' ').collect::<Vec<_>>());
    assert_eq!(rows[0].3, 16 * 15 * 14 * 13);
}

#[test]
fn cut_offs_of_a_given_tree_are_explained() {
    let arguments = ["--game", "tree", "[[-5, 1, -7], [3, -9, x]]"];
    let rows = table(&arguments);
    assert_eq!((rows[0].1.as_str(), rows[0].3, rows[2].3), ("-7", 6, 5));
    let text = compare(&arguments).stdout;
    for line in [
        "alpha-beta visits the leaves -5, 1, -7, 3, -9",
        "  node 2: alpha cut after 2 of 3",
        "  tree as searched: [[-5, 1, -7], [3, -9, ·]]",
        "x does not matter: the root is worth -7",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    let run = compare(&["--game", "tree", "[[-5, 1, -7], [3, x, -9]]"]);
    assert_eq!(run.code, Some(0));
    let run = compare(&["--game", "tree", "[[-5, 1], [3, x]]"]);
    let text = run.stdout;
    assert!(text.contains("x matters: the root is worth -5 to 3; here x is 0"));
}

#[test]
fn invalid_input_is_refused_in_one_sentence() {
    for (line, sentence) in [
        (
            "f5d6c9",
            "position: column 5, move 3: 'c9' is no move (expected a1..h8 or pass)",
        ),
        (
            "--game tree [1, [2, 3",
            "tree: column 10: the text ends where a comma or ] was expected",
        ),
        (
            "--game tree --depth 3 [1, 2]",
            "--depth: a tree is searched to its leaves, expected none",
        ),
        (
            "--game tictactoe --size 9",
            "board size 9 (expected 3 to 8)",
        ),
        (
            "--game tictactoe --size 4 --row 7",
            "7 in a row (expected 3 to 4 on a board of size 4)",
        ),
        (
            "--game tictactoe f5",
            "position 'f5': tic-tac-toe begins with the empty board, expected none",
        ),
        ("--size 4", "--size and --row are for --game tictactoe"),
    ] {
        let run = emilia_line(&format!("compare {line}"));
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{line}");
        assert_eq!(run.stderr, format!("emilia: {sentence}\n"));
    }
    assert_eq!(compare(&["--depth", "0"]).code, Some(2));
    assert_eq!(compare(&["--game", "chess"]).code, Some(2));
}
