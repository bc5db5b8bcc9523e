//! End-to-end tests of `emilia hint`: limits and inputs.

use crate::common::run::{emilia, emilia_line};
use crate::common::scratch::Scratch;

#[test]
fn the_first_hint_is_the_same_line_for_every_count() {
    // With forward pruning a list of all moves finds a better score for d8.
    let moves = "f5f4g3c6e3g5g6h2c5f6c7c3e6f2h4d7d2f7e1d6g4h5e8b4a5";
    for count in ["1", "3", "20"] {
        let run = emilia_line(&format!(
            "hint {moves} --depth 6 --threads 1 --count {count} --json"
        ));
        let object: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(object["hints"][0]["move"], "h3", "{run:?}");
    }
}

#[test]
fn levels_and_counts_limit_the_hints() {
    let run = emilia(&["hint", "--level", "4", "--count", "9", "--json"], b"");
    let object: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let hints = object["hints"].as_array().unwrap();
    // The start position has four moves.
    assert_eq!(hints.len(), 4);
    assert!(hints.iter().all(|hint| hint["depth"] == 4), "{run:?}");
    let over = format!("{} X", "X".repeat(64));
    let run = emilia(&["hint", &over, "--depth", "3"], b"");
    assert_eq!(run.stdout, "The game is over: black wins 64-0.\n");
}

#[test]
fn of_each_file_three_errors_are_reported_and_the_rest_is_counted() {
    let wrong = |count: usize| format!("f5d6c3\n{}", "a1\n".repeat(count));
    let [many, few] =
        [("many.txt", 73), ("few.txt", 2)].map(|(name, count)| Scratch::new(name, &wrong(count)));
    let paths = [many.path(), few.path()];
    let run = emilia(&["hint", paths[0], paths[1], "--depth", "1"], b"");
    assert_eq!(run.code, Some(2), "{run:?}");
    for (path, lines) in [(paths[0], 4), (paths[1], 2)] {
        assert_eq!(run.stderr.matches(path).count(), lines, "{run:?}");
    }
    run.assert_reports(&format!("emilia: '{}': and 70 more\n", paths[0]));
    run.assert_reports("emilia: 75 of 77 games could not be read and were left out\n");
}
