//! The tuner of the endgame's order of moves: one weight after another is made larger and smaller for as long as the positions
//! are solved with fewer nodes. Other positions, which it does not see, judge what comes out.

use crate::board::Position;
use crate::search::endgame::weights::{ALL, Weight};
use crate::search::{Engine, Goal, Limits, Settings, Silent};

/// Each position whose number leaves this remainder by [`SHARE`] is tuned on; those of the next remainder judge what comes out.
const TUNED: usize = 0;
const SHARE: usize = 8;

/// Nodes are a rough measure: a change that saves less than this share of them means nothing.
const LEAST_GAIN: f64 = 0.001;

/// Positions with 20 empty squares, `remainder` of every [`SHARE`].
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

/// The nodes that it takes to solve all positions, each with an empty table.
fn nodes(engine: &mut Engine, positions: &[Position]) -> u64 {
    let mut nodes = 0;
    for position in positions {
        engine.clear();
        let limits = Limits::solve(Goal::Exact);
        nodes += engine.search(&position.board, &limits, &mut Silent).nodes;
    }
    nodes
}

/// Moves the weight by `step` for as long as that saves nodes; `best` are those so far. Whether it has moved.
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
#[ignore = "takes minutes in a release build: cargo test --release --lib tuner -- --ignored --nocapture"]
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
