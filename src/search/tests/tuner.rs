//! Tuner of the weights of endgame move ordering, by coordinate descent on node counts.
//! Each weight is raised and lowered for as long as the training positions take fewer nodes.
//! Other positions measure the result.

use crate::board::Position;
use crate::search::endgame::weights::{ALL, Weight};
use crate::search::{Engine, Goal, Limits, Settings, Silent};

/// Remainder, modulo [`SHARE`], of the position numbers to tune on.
/// Positions of the next remainder measure the result.
const TUNED: usize = 0;
const SHARE: usize = 8;

/// Least share of the nodes that a change must save to be kept. Smaller savings are noise.
const LEAST_GAIN: f64 = 0.001;

/// Returns the positions with 20 empties whose number has this `remainder` modulo [`SHARE`].
fn positions(remainder: usize) -> Vec<Position> {
    include_str!("../../../tests/data/hard-20.tsv")
        .lines()
        .skip(1)
        .enumerate()
        .filter(|(number, _)| number % SHARE == remainder)
        .map(|(_, line)| {
            let mut fields = line.split('\t');
            let mut field = || fields.next().expect("a field");
            let text = format!("{} {}", field(), field());
            text.parse().expect("a position")
        })
        .collect()
}

/// Returns the nodes needed to solve all positions, each with an empty table.
fn nodes(engine: &mut Engine, positions: &[Position]) -> u64 {
    let mut nodes = 0;
    for position in positions {
        engine.clear();
        let limits = Limits::solve(Goal::Exact);
        nodes += engine.search(&position.board, &limits, &mut Silent).nodes;
    }
    nodes
}

/// Changes the weight by `step` for as long as that saves nodes. Returns whether it changed.
/// `best` is the least node count so far, and is updated.
fn walk(
    name: &str,
    weight: &Weight,
    step: i32,
    best: &mut u64,
    mut nodes: impl FnMut() -> u64,
) -> bool {
    let start = weight.get();
    loop {
        let kept = weight.get();
        weight.set(kept + step);
        let now = nodes();
        let better = (now as f64) < *best as f64 * (1.0 - LEAST_GAIN);
        println!(
            "{name:20} {kept:3} -> {:3}  {now:11}  {}",
            kept + step,
            if better { "kept" } else { "" }
        );
        if !better {
            weight.set(kept);
            return kept != start;
        }
        *best = now;
    }
}

/// Weights that save more than this share of the nodes on positions that they were not tuned on are
/// better ones.
const MOST_GAIN: f64 = 0.02;

#[test]
#[ignore = "takes minutes in a release build: \
            cargo test --release --lib tuner -- --ignored --nocapture"]
fn the_weights_of_the_order_are_at_their_optimum() {
    let mut engine = Engine::new(Settings::default().with_hash_mib(64));
    let (tuned, others) = (positions(TUNED), positions(TUNED + 1));
    let others_before = nodes(&mut engine, &others);
    let before = nodes(&mut engine, &tuned);
    println!("{} positions: {before} nodes", tuned.len());

    let mut best = before;
    for divisor in [4, 8] {
        loop {
            let mut moved = false;
            for (name, weight) in ALL {
                let step = (weight.get() / divisor).max(1);
                let mut nodes = || nodes(&mut engine, &tuned);
                moved |= walk(name, weight, step, &mut best, &mut nodes)
                    || walk(name, weight, -step, &mut best, &mut nodes);
            }
            if !moved {
                break;
            }
        }
    }

    for (name, weight) in ALL {
        println!("{name:20} {:3}", weight.get());
    }
    let others_now = nodes(&mut engine, &others);
    println!("tuned on: {before} -> {best}; others: {others_before} -> {others_now}");
    assert!(
        others_now as f64 >= others_before as f64 * (1.0 - MOST_GAIN),
        "the weights above are better"
    );
}
