//! Bench signature: the node count of `emilia bench` with each evaluation, equal in every build.

use emilia_core::AnyEvaluator;
use emilia_core::eval::{Classic, Net, Simple};
use emilia_core::search::{
    BENCH_DEPTH, SIGNATURE, SIGNATURE_CLASSIC, SIGNATURE_SIMPLE, Settings, bench,
};

/// Returns the node count of `emilia bench` with this evaluation.
fn nodes(evaluator: impl Into<AnyEvaluator>) -> u64 {
    let settings = Settings::default().with_evaluator(evaluator);
    bench(settings, BENCH_DEPTH)
        .map(|(_, line)| line.nodes)
        .sum()
}

#[test]
fn bench_nodes_equal_the_signature_of_each_evaluation() {
    assert_eq!(nodes(Net::embedded()), SIGNATURE);
    assert_eq!(nodes(Classic), SIGNATURE_CLASSIC);
    assert_eq!(nodes(Simple), SIGNATURE_SIMPLE);
}
