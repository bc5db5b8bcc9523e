//! Runs the suites beside this file by every way to count, up to a number of positions; `emilia perft --suite` runs
//! them whole.

use std::fs;
use std::num::NonZero;
use std::path::Path;

use emilia::board::perft::{Case, Convention, Counting, Perft, parse_suite};

/// Cases with more positions than this are left to `emilia perft --suite`: some seconds in all.
const MAX_NODES: u64 = 4_000_000;

/// The cases of `perft/NAME.perft`.
fn cases(name: &str) -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("perft/{name}.perft"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    parse_suite(&text).unwrap_or_else(|error| panic!("{name}, {error}"))
}

/// Checks the suite of a convention, each case by each way to count.
fn check(name: &str, convention: Convention) {
    let cases = cases(name);
    assert!(cases.iter().all(|case| case.convention == convention));
    let small = cases.iter().filter(|case| case.nodes <= MAX_NODES);
    for case in small {
        for (counting, threads) in [
            (Counting::Plain, 1),
            (Counting::Bulk, 1),
            (Counting::Bulk, 3),
            (Counting::Hashed(1), 1),
            (Counting::Hashed(1), 3),
        ] {
            let perft = Perft {
                convention,
                counting,
                threads: NonZero::new(threads).expect("not zero"),
                ..Perft::default()
            };
            let nodes = perft.count(&case.position.board, case.depth, &|_, _| ());
            assert_eq!(
                nodes, case.nodes,
                "{}, depth {}, {perft:?}",
                case.id, case.depth
            );
        }
    }
}

#[test]
fn convention_a() {
    check("convention-a", Convention::A);
}

#[test]
fn convention_f() {
    check("convention-f", Convention::F);
}

#[test]
fn convention_b() {
    check("convention-b", Convention::B);
}

#[test]
fn suites_have_the_same_positions_and_the_start_to_depth_12() {
    let ids = |name| -> Vec<(String, String, u32)> {
        let cases = cases(name).into_iter();
        cases
            .map(|case| (case.id, case.position.to_string(), case.depth))
            .collect()
    };
    let a = ids("convention-a");
    assert_eq!(a, ids("convention-f"));
    assert_eq!(a, ids("convention-b"));
    let deepest = a.iter().filter(|(id, ..)| id == "start").map(|case| case.2);
    assert_eq!(deepest.max(), Some(12));
}
