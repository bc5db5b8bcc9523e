//! The signature of the search: how many nodes the bench visits, in every build, with each evaluation.

use emilia::AnyEvaluator;
use emilia::eval::{Classic, Net, Pattern};
use emilia::search::{
    BENCH_DEPTH, SIGNATURE, SIGNATURE_CLASSIC, SIGNATURE_PATTERN, Settings, bench,
};

/// The nodes of `emilia bench` with this evaluation.
fn nodes(evaluator: impl Into<AnyEvaluator>) -> u64 {
    let settings = Settings::default().with_evaluator(evaluator);
    bench(settings, BENCH_DEPTH)
        .map(|(_, line)| line.nodes)
        .sum()
}

#[test]
fn the_bench_visits_as_many_nodes_as_the_signature_says() {
    assert_eq!(nodes(Net::embedded()), SIGNATURE);
    assert_eq!(nodes(Pattern::embedded()), SIGNATURE_PATTERN);
    assert_eq!(nodes(Classic), SIGNATURE_CLASSIC);
}
