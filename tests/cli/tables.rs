//! Width of tables and other output: at most that of the terminal, 80 columns by default.

use crate::common::run::emilia_at_width as emilia;
use crate::common::scratch::Scratch;

/// Returns the output of a successful run, after checking that its lines fit.
fn fitted(arguments: &[&str], columns: usize) -> String {
    let run = emilia(arguments, columns);
    run.assert_done();
    // The last line of a match has a fixed form for scripts, whatever the names.
    let lines = run.stdout.lines();
    let is_fixed = |line: &&str| line.starts_with("match: ") || line.starts_with("tournament: ");
    for line in lines.filter(|line| !is_fixed(line)) {
        let length = line.chars().count();
        assert!(length <= columns, "{arguments:?}: {length}: {line}");
    }
    run.stdout
}

/// Returns whether a heading has these columns. The note of columns left out does not count.
fn has_columns(text: &str, names: &[&str]) -> bool {
    let headings = text.lines().filter(|line| line.contains("  "));
    names
        .iter()
        .all(|name| headings.clone().any(|line| line.contains(name)))
}

/// Returns the names of the columns left out, from the notes.
fn left_out(text: &str, columns: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let start = format!("left out to fit {columns} columns: ");
    let text = words.join(" ");
    let notes = text.split(&start).skip(1);
    let names = notes.map(|note| note.split(" (").next().unwrap_or_default());
    names.collect::<Vec<_>>().join(", ")
}

/// Asserts that a table has the columns `names` at a width of 120 characters, but not at 80.
fn expect_left_out(arguments: &[&str], names: &[&str]) {
    let narrow = fitted(arguments, 80);
    let wide = fitted(arguments, 120);
    let left_out = left_out(&narrow, 80);
    for name in names {
        assert!(left_out.contains(name), "{name}: {narrow}");
    }
    assert!(has_columns(&wide, names), "{wide}");
    assert!(!wide.contains("left out to fit"), "{wide}");
}

#[test]
fn compare_leaves_out_the_columns_of_cut_offs() {
    let arguments = ["compare", "--depth", "3"];
    expect_left_out(&arguments, &["alpha cuts", "beta cuts"]);
    fitted(&["compare", "--game", "tictactoe", "--depth", "4"], 80);
    fitted(
        &["compare", "--game", "tree", "[[-5, 1, -7], [3, -9, x]]"],
        80,
    );
}

#[test]
fn a_match_leaves_out_the_columns_of_effort() {
    let players = [
        "builtin:name=The first of two players,depth=1",
        "builtin:name=Somebody else,depth=2",
    ];
    let [first, second] = players;
    let arguments = [
        "match", "--first", first, "--second", second, "--games", "2",
    ];
    expect_left_out(&arguments, &["nodes/move"]);
}

#[test]
fn tournament_tables_fit_five_players() {
    let names = [
        "one",
        "two",
        "three",
        "the fourth of five",
        "a fifth one with a name",
    ];
    let players: Vec<String> = (1..)
        .zip(names)
        .map(|(depth, name)| format!("builtin:name={name},depth={depth}"))
        .collect();
    let mut arguments = vec!["match", "--games", "2"];
    for player in &players {
        arguments.extend(["--player", player]);
    }
    let narrow = fitted(&arguments, 80);
    assert!(left_out(&narrow, 80).contains("nodes/move"), "{narrow}");
    let wide = fitted(&arguments, 120);
    assert!(has_columns(
        &wide,
        &["LOS %", "nodes/move", "points against"]
    ));
    assert!(!wide.contains("left out to fit"), "{wide}");
}

#[test]
fn levels_are_aligned_in_the_command_and_in_its_help() {
    for columns in [80, 120] {
        let tables = fitted(&["levels"], columns);
        let help = fitted(&["help", "levels"], columns.min(100));
        for row in [
            "h9     between weak and average\n",
            "h10    an average club player\n",
            "level  plays like  depth  exact from  selectivity\n",
            "    1  h10             1           4          73%\n",
            "    5  above h14       5          12          73%\n",
            "   60  above h14      60          44          73%\n",
        ] {
            assert!(tables.contains(row), "{row}: {tables}");
            assert!(help.contains(row), "{row}: {help}");
        }
        let words = tables.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("Beginners start with h1"), "{tables}");
    }
}

#[test]
fn player_names_are_shortened_as_little_as_possible() {
    let name = "Somebody with a name that is longer than half of a terminal";
    let games = Scratch::new(
        "tables.txt",
        &format!("% Black: {name}\n% White: Bob\nf5d6c3\n% Black: Bob\n% White: {name}\nf5f4\n"),
    );
    let arguments = ["analyze", games.path(), "--depth", "2"];
    expect_left_out(&arguments, &["choices"]);
    let narrow = fitted(&arguments, 80);
    assert!(
        narrow.contains("\nSomebody with a name that is longer"),
        "{narrow}"
    );
    assert!(fitted(&arguments, 120).contains(&format!("\n{name}  ")));
    fitted(&["analyze", games.path(), "--depth", "2", "--moves"], 80);
}

#[test]
fn boards_and_best_moves_fit_a_narrow_terminal() {
    let board = emilia(&["show", "f5d6c3"], 36).stdout;
    let (view, rest) = board.split_once("\n\n").unwrap();
    assert!(
        view.lines().all(|line| line.chars().count() <= 36),
        "{view}"
    );
    assert!(view.contains("57 empty squares"), "{view}");
    assert!(rest.contains("legal     d3 f3 f4 g5 (4)"), "{rest}");
    let hints = fitted(&["hint", "f5d6c3", "--depth", "2"], 36);
    assert!(
        hints.starts_with("move  discs for white  search\nf4"),
        "{hints}"
    );
}

#[test]
fn all_other_tables_fit() {
    for arguments in [
        &["bench", "--depth", "2"][..],
        &["hint", "f5d6c3", "--depth", "8"],
        &["show", "f5d6c3"],
        &["eval-test", "tests/data/fforum-1-19.obf", "--depth", "2"],
    ] {
        for columns in [50, 80] {
            let run = emilia(arguments, columns);
            assert_eq!(run.code, Some(0), "{run:?}");
            let tables = run.stdout.split("\n\n");
            for line in tables
                .filter(|text| text.contains("  "))
                .flat_map(str::lines)
            {
                let is_fixed = line.starts_with("eval-test: ") || line.starts_with("position");
                let length = line.chars().count();
                assert!(is_fixed || length <= columns, "{length}: {line}");
            }
        }
    }
}
