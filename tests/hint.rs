//! The best moves of a position.

mod run;

use run::emilia;

#[test]
fn the_best_moves_come_first_and_json_says_the_same() {
    let arguments = ["hint", "f5d6c3", "--depth", "8", "--threads", "1"];
    let table = emilia(&arguments, b"");
    assert_eq!(table.code, Some(0), "{table:?}");
    let json = emilia(&[&arguments[..], &["--json"]].concat(), b"");
    let object: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(
        (&object["schema"], &object["kind"]),
        (&2.into(), &"hint".into())
    );
    let hints = object["hints"].as_array().unwrap();
    assert_eq!(hints.len(), 3);
    let scores = hints.iter().map(|hint| hint["score"].as_f64().unwrap());
    assert!(scores.is_sorted_by(|a, b| a >= b), "{json:?}");
    for (hint, row) in hints.iter().zip(table.stdout.lines().skip(1)) {
        let cells: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(hint["move"], cells[0]);
        assert_eq!(hint["line"][0], cells[0]);
        let shown: f64 = cells[1].parse().unwrap();
        assert!((hint["score"].as_f64().unwrap() - shown).abs() < 0.01);
    }
}

#[test]
fn levels_and_counts_are_kept_to() {
    let run = emilia(&["hint", "--level", "4", "--count", "9", "--json"], b"");
    let object: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let hints = object["hints"].as_array().unwrap();
    // The start has four moves.
    assert_eq!(hints.len(), 4);
    assert!(
        hints
            .iter()
            .all(|hint| (&hint["depth"], &hint["selectivity"]) == (&4.into(), &73.into())),
        "{run:?}"
    );
    for (arguments, sentence) in [
        (
            &["hint", "--level", "h3"][..],
            "--level h3: this is a level to play at",
        ),
        (&["hint", "--count", "0"], "1..=64"),
        (
            &["hint", "--level", "4", "--depth", "3"],
            "cannot be used with",
        ),
        (&["hint", "f4"], "f4"),
    ] {
        let run = emilia(arguments, b"");
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains(sentence), "{run:?}");
    }
}

#[test]
fn a_finished_game_has_no_hints() {
    let over = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX X";
    let run = emilia(&["hint", over, "--depth", "3"], b"");
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (Some(0), "The game is over: black wins 64-0.\n")
    );
}
