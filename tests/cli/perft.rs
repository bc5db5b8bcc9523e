//! End-to-end tests of `emilia perft`: the fixed output lines, the exit codes and the errors.

use crate::common::run::emilia;
use crate::common::scratch::Scratch;
use crate::dialogues::fits;

/// Runs `emilia perft`, asserts exit code `code` and an empty stderr, and returns the stdout lines.
fn lines(arguments: &[&str], code: i32) -> Vec<String> {
    let run = emilia(&[&["perft"], arguments].concat(), b"");
    assert_eq!(run.stderr, "", "{arguments:?}");
    assert_eq!(run.code, Some(code), "{arguments:?}");
    run.stdout.lines().map(str::to_owned).collect()
}

#[test]
fn the_last_line_has_depth_nodes_seconds_and_speed() {
    for flags in ["8", "8 --threads 2", "8 --divide"] {
        let lines = lines(&flags.split(' ').collect::<Vec<_>>(), 0);
        let last = lines.last().expect("a line");
        assert!(fits(last, "perft 8 390216 0... ..."), "{flags}: {last}");
    }
}

#[test]
fn divide_lists_root_moves_and_unique_counts_distinct_positions() {
    let divided = lines(&["4", "f5", "--divide"], 0);
    assert_eq!(divided[..3], ["f4 130", "d6 122", "f6 97"]);
    assert_eq!(divided.len(), 4);
    assert!(divided[3].starts_with("perft 4 349 "), "{divided:?}");
    let unique = lines(&["6", "--unique"], 0);
    assert_eq!(unique.len(), 1);
    assert!(unique[0].starts_with("perft 6 1773 "), "{unique:?}");
}

#[test]
fn suites_report_each_case_and_fail_on_a_wrong_count() {
    let suite = Scratch::new(
        "suite.perft",
        "convention A\nid start\nposition start\nperft 5 1396\nperft 6 8201\nperft 12 1939886636\n",
    );
    let other = Scratch::new(
        "other.perft",
        "convention F\nid full board\n\
         position XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOOOOOOOOOOOOOOOOOOOO X\n\
         perft 3 0\n",
    );
    let limited = ["--suite", suite.path(), other.path(), "--max-nodes", "8300"];
    let failed = "FAIL A start: depth 6, expected 8201 got 8200";
    assert_eq!(
        lines(&limited, 1)[..2],
        ["ok A start: depth 5, 1396", failed]
    );
    let passed = "perft suite: 1 passed, 0 failed";
    let other = lines(&["--suite", other.path()], 0);
    assert_eq!(other, ["ok F full board: depth 3, 0", passed]);
}
