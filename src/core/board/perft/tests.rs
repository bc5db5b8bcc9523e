//! Tests that all perft algorithms give the same counts, and that the message of an error in a
//! suite contains the number of the line. The suite files have more expected counts.

use super::*;

#[test]
fn divide_sums_to_the_count() {
    let forced_pass = "---------------------------------------------------XX---OOOOOOOO X";
    for text in ["start", "f5", forced_pass] {
        let position: Position = text.parse().expect("a position");
        for convention in Convention::ALL {
            let perft = Perft {
                convention,
                ..Perft::default()
            };
            for depth in 1..7 {
                let parts = perft.divide(&position, depth, &|_, _| ());
                assert_eq!(parts.len(), position.moves().len());
                let sum: u64 = parts.iter().map(|&(_, nodes)| nodes).sum();
                let count = perft.count(&position.board, depth, &|_, _| ());
                assert_eq!(sum, count, "{text} {depth} {perft:?}");
                let plain = plain::count(convention, &position.board, depth);
                assert_eq!(count, plain, "{text} {depth} {perft:?}");
            }
        }
    }
}

#[test]
fn shards_add_up_to_the_count() {
    let whole = Perft::default();
    for (depth, shards) in [(0, 2), (3, 5), (8, 1), (8, 7), (8, 60)] {
        let count = |part: u64| {
            let shard = format!("{part}/{shards}").parse().expect("a shard");
            Perft { shard, ..whole }.count(&Board::START, depth, &|_, _| ())
        };
        let sum: u64 = (1..=shards).map(count).sum();
        let count = whole.count(&Board::START, depth, &|_, _| ());
        assert_eq!(sum, count, "{depth} {shards}");
    }
}

#[test]
fn unique_matches_reference_counts_from_the_start() {
    let counts = [1, 1, 3, 14, 60, 322, 1773, 10_649, 67_245, 434_029];
    for (depth, expected) in (0..).zip(counts) {
        assert_eq!(unique(&Board::START, depth, &|_, _| ()), expected);
    }
}

#[test]
fn suite_errors_name_the_line_and_the_problem() {
    // Each line is a suite, ` -> ` and the expected error. `|` stands for a line break in the
    // suite.
    for case in "\
convention C -> line 1: convention: 'C' is not a convention (expected A, F or B)
||id -> line 3: 'id' without a name
# comment|position XO -> line 2: position: wrong length: 2 squares (expected 64, then the side to move)
epd start -> line 1: 'epd' is unknown (expected convention, id, position or perft)
convention A|id one|position start|id two|perft 1 4 -> line 5: perft before the position of this id \
(expected a line 'position BOARD SIDE')"
        .lines()
    {
        let (text, expected) = case.split_once(" -> ").expect("an error");
        let error = parse_suite(&text.replace('|', "\n"));
        assert_eq!(error.expect_err(text), expected);
    }
    let expected = "(expected a depth of 0 to 120 and a count, like 'perft 6 8200')";
    for numbers in ["", "1 x", "1 4 5", "121 4", "1 99999999999999999999"] {
        let text = format!("convention A\nid start\nposition start\nperft {numbers}");
        let error = parse_suite(&text).expect_err(numbers);
        assert_eq!(error, format!("line 4: 'perft {numbers}' {expected}"));
    }
}
