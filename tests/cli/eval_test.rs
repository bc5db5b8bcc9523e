//! End-to-end tests of `emilia eval-test`: tables, the fixed last line, shards and bad input.

use crate::common::run::{emilia, emilia_line};
use crate::common::scratch::Scratch;

/// Positions 1 to 19 of the FFO endgame suite, with the scores of all moves.
const FFO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/fforum-1-19.obf");

/// Positions with 6 empties and their exact scores.
const ENDINGS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/endings-6.tsv");

/// Leaves of searches of 8 plies with 8 to 16 empties, labelled with exact scores.
const LEAVES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/leaves.positions");

/// Leaves with 17 to 30 empties. Labels are exact scores up to 20 empties and search values above.
const EARLY_LEAVES: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/data/leaves-17-30.positions"
);

/// Runs `eval-test`, asserts success, and returns the words of the last line.
fn last_line(arguments: &[&str]) -> Vec<String> {
    let run = emilia(&[&["eval-test"], arguments].concat(), b"");
    run.assert_done();
    let last = run.stdout.lines().last().expect("a line");
    last.split(' ').map(str::to_owned).collect()
}

/// Format: `eval-test: N positions, MAE x.xx, best y.yy %, SECONDS s, NODES nodes`.
#[test]
fn the_last_line_has_the_fixed_format() {
    let words = last_line(&[FFO, "--depth", "3"]);
    let fixed = [0, 1, 2, 3, 5, 7, 9, 11].map(|at| words[at].as_str());
    let expected = "eval-test: 19 positions, MAE best %, s, nodes";
    assert_eq!((words.len(), &fixed.join(" ")[..]), (12, expected));
    let number = |at: usize| {
        words[at]
            .trim_end_matches(',')
            .parse::<f64>()
            .expect("a number")
    };
    let is_sound = (1.0..20.0).contains(&number(4)) && (10.0..100.0).contains(&number(6));
    assert!(
        is_sound && number(8) < 100.0 && number(10) > 0.0,
        "{words:?}"
    );
    // Solved positions have no error; depth 0 has an error, but no best move.
    let words = last_line(&[ENDINGS, "--exact", "6"]);
    assert_eq!(words[1..8].join(" "), "12 positions, MAE 0.00, best - %,");
    let words = last_line(&[FFO, "--depth", "0"]);
    assert_eq!(words[5..8].join(" "), "best - %,");
    assert_eq!(words[10..].join(" "), "19 nodes");
}

#[test]
fn threads_do_not_change_the_tables() {
    let table = |arguments: &str| {
        let run = emilia_line(&format!("eval-test {FFO} --depth 5 {arguments}"));
        let (table, _) = run.stdout.split_once("\neval-test").expect("a last line");
        table.to_owned()
    };
    let whole = table("--threads 1");
    assert!(whole.starts_with(" depth  positions "), "{whole}");
    let (depths, empties) = whole.split_once("\n\n").expect("two tables");
    let rows = depths.lines().map(|line| line.split_whitespace().next());
    let rows: Vec<&str> = rows.map(Option::unwrap_or_default).collect();
    assert_eq!(rows, ["depth", "1@73%", "3@73%", "5@73%", "result"]);
    assert!(empties.starts_with("empties  positions "), "{whole}");
    assert_eq!(table("--threads 3"), whole);
}

/// Returns the rows of the table of errors by empties.
///
/// Columns: empties, positions, positions with exact labels, MAE, mean error, RMSE (discs), mean
/// error with Black and with White to move. The mean of no positions is NaN.
fn rows_by_empties(output: &str) -> Vec<Vec<f64>> {
    let number = |cell: &str| match cell {
        "-" => f64::NAN,
        _ => cell.parse().expect("a number"),
    };
    output
        .lines()
        .skip_while(|line| !line.starts_with("empties"))
        .skip(1)
        .take_while(|line| !line.is_empty())
        .map(|line| line.split_whitespace().map(number).collect())
        .collect()
}

#[test]
fn search_labels_are_not_counted_as_exact() {
    let file = Scratch::new("eval-test.positions", "");
    let name = file.path();
    let made = "selfplay --roots 8 --depth 2 --empties 19-19 --exact 5 --label-depth 1 --out";
    assert_eq!(emilia_line(&format!("{made} {name}")).code, Some(0));
    let runs = ["net", "classic"].map(|eval| {
        let run = emilia(&["eval-test", name, "--depth", "1", "--eval", eval], b"");
        run.assert_done();
        rows_by_empties(&run.stdout)
    });
    for rows in &runs {
        assert_eq!((rows.len(), rows[0][0], rows[0][2]), (1, 19.0, 0.0));
    }
    // The labels are depth-1 values of the net, so the net has no error and `classic` has some.
    assert!(runs[0][0][3] < 0.01 && runs[1][0][3] > 0.5, "{runs:?}");
}

#[test]
fn errors_of_leaves_are_grouped_by_empties() {
    for (line, least, most, limit) in [
        (format!("{LEAVES} --shard 1/50"), 8, 16, 10.0),
        (format!("{LEAVES} --empties 9-10"), 9, 10, 10.0),
        (EARLY_LEAVES.to_owned(), 17, 30, 12.0),
    ] {
        let run = emilia_line(&format!("eval-test --depth 0 {line}"));
        run.assert_done();
        let rows = rows_by_empties(&run.stdout);
        let empties = rows.iter().map(|row| row[0]);
        assert!(empties.eq((least..=most).map(f64::from)), "{rows:?}");
        for row in &rows {
            let exact = if row[0] <= 20.0 { row[1] } else { 0.0 };
            assert!((row[2] - exact).abs() < 0.5, "{row:?}");
            assert!((2.0..limit).contains(&row[3]), "{row:?}");
        }
    }
}

#[test]
fn positions_of_games_are_labelled_with_the_final_scores() {
    let games = Scratch::new("eval-test.games", "");
    let name = games.path();
    let made = "selfplay --games 9 --depth 1 --exact 5 --random-plies 8-8 --out";
    assert_eq!(emilia_line(&format!("{made} {name}")).code, Some(0));
    let run = emilia_line(&format!("eval-test {name} --depth 1 --exact 5"));
    run.assert_done();
    let rows = rows_by_empties(&run.stdout);
    assert!(rows.iter().any(|row| row[0] > 50.0), "{rows:?}");
    for row in &rows {
        let is_exact = row[0] <= 5.0;
        let exact = if is_exact { row[1] } else { 0.0 };
        assert!((row[2] - exact).abs() < 0.5, "{row:?}");
        assert_eq!(is_exact, row[3] < 0.01, "{row:?}");
    }
    // Mean errors for each side: before the first pass Black moves with an even number of empties.
    for row in rows.iter().filter(|row| row[0] > 45.0) {
        let [own, other] = if row[0] % 2.0 < 0.5 { [6, 7] } else { [7, 6] };
        assert!((row[own] - row[4]).abs() < 0.01, "{row:?}");
        assert!(row[other].is_nan(), "{row:?}");
    }
}

#[test]
fn bad_lines_are_reported_and_skipped() {
    let text = std::fs::read_to_string(ENDINGS).expect("the data is there");
    let text = text
        .replacen("\t6\t-24", "\t6\t", 1)
        .replacen("\tX\t6\t-14", "\tQ\t6\t-14", 1);
    let file = Scratch::new("eval-test.tsv", &text);
    let name = file.path();
    let run = emilia(&["eval-test", name, "--depth", "1"], b"");
    assert_eq!(run.code, Some(2));
    run.assert_shows("eval-test: 10 positions, MAE ");
    let errors: Vec<&str> = run.stderr.lines().collect();
    assert!(
        errors[0].ends_with("X: no score (expected one in the column best, or scores of moves)")
    );
    assert_eq!(
        errors[1..],
        [
            format!("emilia: {name}, line 3: column 66: mover unknown: 'Q' (expected X or O)"),
            "emilia: 2 of 12 positions could not be read".to_owned(),
        ]
    );
}

#[test]
fn unusable_input_gets_one_error_line() {
    for (file, sentence) in [
        (
            "no/such.tsv",
            "emilia: 'no/such.tsv': No such file or directory",
        ),
        (
            "/dev/null",
            "emilia: '/dev/null': no positions (expected OBF lines, or a table",
        ),
    ] {
        emilia(&["eval-test", file], b"").assert_refused(sentence);
    }
    let run = emilia(&["eval-test", FFO, "--shard", "3/2"], b"");
    run.assert_refused("expected K/N with K from 1 to N");
}
