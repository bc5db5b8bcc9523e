//! Runs the perft suites beside this file with one and several threads, up to a node limit.
//! `emilia perft --suite` runs them without a limit.

use std::fs;
use std::num::NonZero;
use std::path::Path;

use emilia_core::board::perft::{Case, Convention, Perft, parse_suite};

/// Node limit of a case, to keep the run to some seconds. Larger cases are skipped.
const MAX_NODES: u64 = 1_000_000;

/// Reads the cases of `perft/NAME.perft`.
fn cases(name: &str) -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../perft/{name}.perft"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    parse_suite(&text).unwrap_or_else(|error| panic!("{name}, {error}"))
}

/// Counts each small case of a suite with one and three threads, and checks the node count.
fn check(name: &str, convention: Convention) {
    let cases = cases(name);
    assert!(cases.iter().all(|case| case.convention == convention));
    let small = cases.iter().filter(|case| case.nodes <= MAX_NODES);
    for case in small {
        for threads in [1, 3] {
            let perft = Perft {
                convention,
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
fn counts_of_the_suites_are_correct() {
    check("convention-a", Convention::A);
    check("convention-f", Convention::F);
    check("convention-b", Convention::B);
}
