//! End-to-end tests of `emilia eval-test`: tables, the fixed last line, shards and bad input.

use crate::common::run::emilia_line;
use crate::common::scratch::Scratch;

/// Positions 1 to 19 of the FFO endgame suite, with the scores of all moves.
const FFO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/fforum-1-19.obf");

/// Positions with 6 empties and their exact scores.
const ENDINGS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/endings-6.tsv");

/// Runs `eval-test` with the words of `line` and returns its output.
fn tested(line: &str) -> String {
    let run = emilia_line(&format!("eval-test {line}"));
    run.assert_done();
    run.stdout
}

/// Format: `eval-test: N positions, MAE x.xx, best y.yy %, SECONDS s, NODES nodes`.
#[test]
fn the_last_line_has_the_fixed_format() {
    for (line, expected) in [
        (format!("{FFO} --depth 3"), ["19", "", "", ""]),
        // Solved positions have no error. Depth 0 has an error, but no best move.
        (format!("{ENDINGS} --exact 6"), ["12", "0.00,", "-", ""]),
        (format!("{FFO} --depth 0"), ["19", "", "-", "19"]),
    ] {
        let output = tested(&line);
        let words: Vec<&str> = output.lines().last().unwrap().split(' ').collect();
        let fixed = [0, 2, 3, 5, 7, 9, 11].map(|at| words[at]).join(" ");
        assert_eq!(fixed, "eval-test: positions, MAE best %, s, nodes");
        for (at, expected) in [1, 4, 6, 10].into_iter().zip(expected) {
            let number = words[at].trim_end_matches(',').parse::<f64>();
            let is_right = match expected {
                "" => number.is_ok_and(|number| number > 0.0),
                _ => words[at] == expected,
            };
            assert!(is_right, "{words:?}");
        }
    }
}

/// Returns the rows of the table of errors by empties.
///
/// Columns: empties, positions, positions with exact labels, MAE, mean error, RMSE (discs), mean
/// error with Black and with White to move. The mean of no positions is NaN.
fn rows(line: &str) -> Vec<Vec<f64>> {
    let output = tested(line);
    let number = |cell: &str| match cell {
        "-" => f64::NAN,
        _ => cell.parse().expect("a number"),
    };
    let table = output
        .lines()
        .skip_while(|line| !line.starts_with("empties"));
    let rows = table.skip(1).take_while(|line| !line.is_empty());
    rows.map(|line| line.split_whitespace().map(number).collect())
        .collect()
}

#[test]
fn positions_of_games_are_labelled_with_the_final_scores() {
    let games = Scratch::new("eval-test.games", "");
    let made = "selfplay --games 9 --depth 1 --exact 5 --random-plies 8-8 --out";
    emilia_line(&format!("{made} {}", games.path())).assert_done();
    let rows = rows(&format!("{} --depth 1 --exact 5", games.path()));
    assert!(rows[0][0].max(rows[rows.len() - 1][0]) > 50.0, "{rows:?}");
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
    let run = emilia_line(&format!("eval-test {} --depth 1", file.path()));
    assert_eq!(run.code, Some(2));
    run.assert_shows("eval-test: 10 positions, MAE ");
    run.assert_reports("X: no score (expected one in the column best, or scores of moves)\n");
    run.assert_reports("line 3: column 66: mover unknown: 'Q' (expected X, O, black or white)\n");
    run.assert_reports("emilia: 2 of 12 positions could not be read and were left out\n");
    emilia_line("eval-test /dev/null").assert_refused("no positions (expected OBF lines, or a");
}

#[test]
fn explained_searches_find_the_moves_that_the_plain_search_finds_or_misses() {
    let output = tested(&format!("{FFO} --depth 6 --explain"));
    let row = |name: &str| -> Vec<u64> {
        let row = output
            .lines()
            .find_map(|line| line.strip_prefix(name))
            .unwrap();
        let cells = row.split_whitespace().take(5);
        cells.map(|cell| cell.parse().unwrap()).collect()
    };
    let all = row("all ");
    let percent = format!("best {:.2} %", 100.0 * all[0] as f64 / 19.0);
    assert!(output.contains(&percent), "{output}");
    for name in ["- probcut ", "- late move pruning ", "at 99% "] {
        let [best, found, lost, _, cuts] = row(name)[..] else {
            panic!("{output}");
        };
        assert_eq!(best + lost, all[0] + found, "{output}");
        assert!(cuts <= found, "{output}");
    }
}
