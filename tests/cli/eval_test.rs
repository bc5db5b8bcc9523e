//! End-to-end tests of `emilia eval-test`: tables, the fixed last line, shards and bad input.

use crate::common::run::{cases, emilia_line};
use crate::common::scratch::Scratch;
use crate::dialogues::fits;

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
    // Solved positions have no error. Depth 0 has an error, but no best move.
    for [line, pattern] in cases(
        "FFO --depth 3 | 19 positions, MAE ..., best ... %, ... s, ... nodes
         ENDINGS --exact 6 | 12 positions, MAE 0.00, best - %, ... s, ... nodes
         FFO --depth 0 | 19 positions, MAE ..., best - %, ... s, 19 nodes",
    ) {
        let output = tested(&line.replace("FFO", FFO).replace("ENDINGS", ENDINGS));
        let last = output.lines().last().unwrap();
        assert!(fits(last, &format!("eval-test: {pattern}")), "{last}");
    }
}

/// Returns the rows of the table of errors by empties.
///
/// Columns: empties, positions, positions with exact labels, MAE, mean error, RMSE (discs), best
/// moves in percent, discs lost by a move. The mean of no positions is NaN.
fn rows(line: &str) -> Vec<Vec<f64>> {
    let output = tested(line);
    let number = |cell: &str| match cell {
        "-" => f64::NAN,
        _ => cell.parse().expect("a number"),
    };
    let table = output
        .lines()
        .skip_while(|line| !line.starts_with("empties"));
    let rows = table
        .skip(1)
        .take_while(|line| !line.trim_start().starts_with("all"));
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
}
