//! Tests of the node counts of the refinements, on fixed openings.

use crate::{Algorithm, Counts, Othello};
use emilia_core::board::Position;
use emilia_core::eval::Classic;

/// Openings from the XOT list. Each has eight random plies and a value near zero by a deep search.
const OPENINGS: &str = "f5d6c5f4d7g6g5c7 f5f4d3c4c3e2c2c1 f5f4c3e6f3c5f6d3 f5f6e6d6d7f7c5f4 f5d6c3f3c5b4d7e7 \
    f5f4c3c6f3g5f6g4 f5f4g3e6f3g5h6c4 f5f4e3d2d3e6d1c5 f5d6c6f4e6c7c8e7 f5d6c6f4f3b6d3c5 \
    f5d6c4d3c3g6c7e6 f5d6c6b6c7f4c3c4 f5d6c5f4d3c4c3f6 f5f4e3f6g5f3e7c5 f5f6c4c5b6b3c6b5 \
    f5f4c3e6f6c4d3e2 f5f6e6d6d7f4c4e7 f5f4e3f2e2d6c5c4 f5d6c3d3c7f6c4b5 f5d6c3f4c5d3g4h4";

/// Returns the sum of the counts over all openings.
fn total(algorithm: Algorithm, height: u32) -> Counts {
    let mut counts = Counts::default();
    for opening in OPENINGS.split(' ') {
        let position: Position = opening.parse().unwrap();
        algorithm.run(&Othello::new(position.board, &Classic), height, &mut counts);
    }
    counts
}

#[test]
fn each_step_visits_fewer_nodes() {
    let mut more = total(Algorithm::FailSoft, 8).nodes;
    for (name, _, algorithm) in &Algorithm::ALL[5..11] {
        let fewer = total(*algorithm, 8).nodes;
        assert!(fewer < more, "{name}: {fewer}, the step before: {more}");
        more = fewer;
    }
}

/// Without move ordering, the re-searches of `NegaScout` may cost up to a quarter more nodes.
#[test]
fn re_searches_cost_at_most_a_quarter_of_the_nodes() {
    let [soft, scout] = [Algorithm::FailSoft, Algorithm::NegaScout].map(|one| total(one, 4).nodes);
    assert!(scout < soft * 5 / 4, "{scout} {soft}");
}
