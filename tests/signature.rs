//! The signature of the search: how many nodes the bench visits, in every build, with each evaluation.

use std::sync::Arc;

use emilia::eval::{Classic, Evaluator, Pattern};
use emilia::search::{BENCH_DEPTH, SIGNATURE, SIGNATURE_CLASSIC, Selectivity, Settings, bench};

/// The nodes of `emilia bench` with this evaluation.
fn nodes(evaluator: Arc<dyn Evaluator>) -> u64 {
    let settings = Settings {
        evaluator,
        selectivity: Selectivity::PLAY,
        ..Settings::default()
    };
    bench(settings, BENCH_DEPTH)
        .map(|(_, line)| line.nodes)
        .sum()
}

#[test]
fn the_bench_visits_as_many_nodes_as_the_signature_says() {
    assert_eq!(nodes(Arc::new(Pattern::embedded())), SIGNATURE);
    assert_eq!(nodes(Arc::new(Classic)), SIGNATURE_CLASSIC);
}
