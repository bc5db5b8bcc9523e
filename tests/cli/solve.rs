//! End-to-end tests of `emilia solve`: output lines, published scores, JSON, shards, bad input.

use crate::common::run::{Run, emilia};
use crate::common::scratch::Scratch;
#[cfg(unix)]
use crate::common::terminal::Terminal;

/// Positions 1 to 19 of the FFO endgame suite.
const FFO: &str = "tests/data/fforum-1-19.obf";

fn solve(arguments: &[&str], input: &str) -> Run {
    emilia(&[&["solve"], arguments].concat(), input.as_bytes())
}

/// Returns the fields of the line of each position, and the counts of positions and wrong scores.
fn rows(run: &Run) -> (Vec<Vec<&str>>, usize, usize) {
    let mut lines: Vec<&str> = run.stdout.lines().collect();
    let (positions, wrong) = summary(lines.pop().expect("a last line"));
    let rows = lines.into_iter().map(|line| line.split('\t').collect());
    (rows.collect(), positions, wrong)
}

/// Parses the last line `solve: N positions, M wrong, SECONDS s, NODES nodes, NPS nps` to (N, M).
fn summary(line: &str) -> (usize, usize) {
    let words: Vec<&str> = line.split(' ').collect();
    let labels: Vec<&str> = words.iter().copied().step_by(2).collect();
    let expected = ["solve:", "positions,", "wrong,", "s,", "nodes,", "nps"];
    assert_eq!(labels, expected, "{line}");
    assert!([5, 7, 9].iter().all(|&at| words[at].parse::<f64>().is_ok()));
    (words[1].parse().unwrap(), words[3].parse().unwrap())
}

/// Returns the first line of the FFO file that is not a comment.
fn first_problem() -> &'static str {
    let mut lines = include_str!("../data/fforum-1-19.obf").lines();
    lines.find(|line| !line.starts_with('%')).unwrap()
}

#[test]
#[cfg(unix)]
fn on_a_terminal_solutions_stand_in_columns_below_a_heading() {
    let ending = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    let text = Terminal::emilia(&["solve", ending], 200).finish_with(0);
    assert!(!text.contains('\t'), "{text}");
    assert!(text.contains("#k ") && text.contains("#1 "), "{text}");
}

#[test]
fn ffo_positions_have_a_line_each_and_exact_scores_of_all_moves() {
    let run = solve(&[FFO, "--all-moves"], "");
    run.assert_done();
    let (rows, positions, wrong) = rows(&run);
    assert_eq!((rows.len(), positions, wrong), (19, 19, 0));
    for (index, row) in rows.iter().enumerate() {
        let [number, empties, score, best, seconds, nodes, speed, pv, _] = row[..] else {
            panic!("{row:?}");
        };
        assert_eq!(number, format!("#{}", index + 1));
        assert!(score.starts_with(['+', '-']), "{row:?}");
        assert!(seconds.parse::<f64>().is_ok() && speed.parse::<u64>().is_ok());
        assert!(nodes.parse::<u64>().is_ok_and(|nodes| nodes > 0));
        let pv: Vec<&str> = pv.split(' ').collect();
        assert_eq!(best, pv[0]);
        let placed = pv.iter().filter(|&&mv| mv != "pass").count();
        assert!(placed <= empties.parse().unwrap(), "{row:?}");
    }
    // Sorted by score. h7 and a2 have equal scores, so either order is accepted.
    let either = ["h7:+6 a2:+6", "a2:+6 h7:+6"]
        .map(|equals| format!("g8:+18 h1:+12 {equals} a3:+4 b1:-4 a4:-22 g2:-24"));
    assert!(
        either.iter().any(|moves| moves == rows[0][8]),
        "{:?}",
        rows[0]
    );
}

#[test]
fn a_wrong_expected_score_is_marked() {
    let wrong = first_problem()
        .replace("G8:+18", "G8:+20")
        .replace("B1:-4", "B1:+4");
    let run = solve(&["-"], &wrong);
    assert_eq!(run.code, Some(1));
    run.assert_shows("\tWRONG +18 expected +20\n");
    let run = solve(&["-", "--all-moves"], &wrong);
    run.assert_shows("\tWRONG +18 expected +20, g8:+18 expected +20, b1:-4 expected +4\n");
    let run = solve(&["-", "--wld"], &wrong);
    // The sign of the score is right.
    assert_eq!(run.code, Some(0), "{run:?}");
}

#[test]
fn finished_games_have_no_best_move_and_forced_passes_are_scored() {
    let over = "X".repeat(64);
    let must_pass = "---XX-XO--XXXXXOX-XXXOXOXXXXXOXOXXXXOXXOXXXXXOXO--XOOXOOOOOOOOOO";
    let run = solve(&[&over, "O", must_pass, "X", "--all-moves"], "");
    assert_eq!(run.code, Some(0), "{run:?}");
    let (rows, positions, _) = rows(&run);
    assert_eq!(positions, 2);
    assert_eq!(rows[0][1..4], ["0", "-64", "-"]);
    let score = rows[1][2];
    assert_eq!(rows[1][1..4], ["9", score, "pass"]);
    assert_eq!(rows[1][8], format!("pass:{score}"));
}

#[test]
fn unreadable_lines_are_reported_and_the_rest_is_solved() {
    let good = first_problem();
    let board = &good[..64];
    let text = format!("{good}\n{board} Z\n\n{board} X; A1:+2;\n{good}\n");
    let file = Scratch::new("bad.obf", &text);
    let run = solve(&[file.path()], "");
    assert_eq!(run.code, Some(2));
    let (rows, positions, wrong) = rows(&run);
    assert_eq!((positions, wrong), (2, 0));
    assert_eq!([rows[0][0], rows[1][0]], ["#1", "#4"]);
    let path = file.path();
    run.assert_reports(&format!(
        "emilia: '{path}': game 2: line 2, column 66: mover unknown: 'Z'"
    ));
    run.assert_reports(&format!("emilia: '{path}': game 3: line 4: 'A1:+2' "));
    run.assert_reports("emilia: 2 of 4 positions could not be read and were left out\n");
    // An empty shard is not an error: the only position is in shard 1.
    solve(&["-", "--shard", "2/2"], good).assert_done();
}
