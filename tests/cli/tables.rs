//! Width of tables and other output: at most that of the terminal, 80 columns by default.

use crate::common::run::emilia_at_width as emilia;
use crate::common::scratch::Scratch;

/// Returns the output of a successful run, after checking that the lines of its tables fit.
fn fitted(arguments: &[&str], columns: usize) -> String {
    let run = emilia(arguments, columns);
    run.assert_done();
    // Lines for scripts have a fixed form.
    let fixed = ["match: ", "tournament: ", "eval-test: ", "position"];
    let tables = run.stdout.split("\n\n").filter(|text| text.contains("  "));
    for line in tables.flat_map(str::lines) {
        let fits = line.chars().count() <= columns;
        let is_fixed = fixed.iter().any(|start| line.starts_with(start));
        assert!(is_fixed || fits, "{arguments:?}: {line}");
    }
    run.stdout
}

#[test]
fn tables_fit_and_name_the_columns_left_out() {
    let name = "Somebody with a name that is longer than half of a terminal";
    let games = Scratch::new(
        "tables.txt",
        &format!("% Black: {name}\n% White: Bob\nf5d6c3\n% Black: Bob\n% White: {name}\nf5f4\n"),
    );
    let games = games.path();
    let two = "match|--games|2|--first|builtin:name=The first of two players,depth=1|\
               --second|builtin:name=Somebody else,depth=2";
    let five = "match|--games|2|--player|builtin:name=one,depth=1|--player|builtin:name=two,depth=2|\
                --player|builtin:name=three,depth=3|\
                --player|builtin:name=the fourth of five,depth=1,seed=2|\
                --player|builtin:name=a fifth one with a name,depth=2,seed=2";
    for (line, names) in [
        ("compare|--depth|3", "alpha cuts, beta cuts"),
        (two, "nodes/move"),
        (five, "nodes/move"),
        (&format!("analyze|{games}|--depth|2"), "choices"),
    ] {
        let arguments: Vec<&str> = line.split('|').collect();
        let narrow = fitted(&arguments, 80);
        let words = narrow.split_whitespace().collect::<Vec<_>>().join(" ");
        let (_, note) = words.split_once("left out to fit 80 columns: ").unwrap();
        let wide = fitted(&arguments, 120);
        assert!(!wide.contains("left out to fit"), "{wide}");
        for name in names.split(", ") {
            assert!(
                note.contains(name) && wide.contains(name),
                "{name}: {narrow}"
            );
        }
    }
}

#[test]
fn other_tables_fit_narrow_terminals() {
    for line in [
        "bench --depth 2",
        "hint f5d6c3 --depth 8",
        "levels",
        "show f5d6c3",
        "eval-test tests/data/fforum-1-19.obf --depth 2",
        "compare --game tictactoe --depth 4",
    ] {
        fitted(&line.split(' ').collect::<Vec<_>>(), 50);
    }
}
