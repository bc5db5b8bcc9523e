//! Leaf counts on uniform trees, where every node has b moves and every leaf is at depth d.
//! The expected counts are those of Knuth and Moore, 1975.

use crate::{Algorithm, Counts, Game, Side};

/// The order of the moves at each node.
#[derive(Clone, Copy)]
enum Order {
    BestFirst,
    BestLast,
}

/// A node of a uniform tree, generated during the search.
/// Each move adds its number times a step to the value, or subtracts it.
/// A difference of one step outweighs all moves below it.
#[derive(Clone)]
struct Uniform {
    branching: i32,
    order: Order,
    side: Side,
    /// The value accumulated by the moves so far.
    sum: i32,
    /// The branching factor to the power of the remaining depth.
    step: i32,
}

impl Uniform {
    fn new(branching: i32, depth: u32, order: Order) -> Uniform {
        Uniform {
            branching,
            order,
            side: Side::Max,
            sum: 0,
            step: branching.pow(depth),
        }
    }
}

impl Game for Uniform {
    type Value = i32;
    type Move = i32;
    /// All leaves have different sums, and inner nodes differ by their depth.
    type Key = (i32, i32);

    fn to_move(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<i32> {
        (self.step == 1).then_some(self.sum)
    }

    fn estimate(&self) -> i32 {
        self.sum
    }

    fn moves(&self) -> Vec<i32> {
        (0..self.branching).collect()
    }

    fn play(&self, mv: i32) -> Uniform {
        let gain = match self.order {
            Order::BestFirst => -mv,
            Order::BestLast => mv,
        };
        let step = self.step / self.branching;
        Uniform {
            side: self.side.other(),
            sum: self.sum + self.side.from_max(gain) * step,
            step,
            ..*self
        }
    }

    fn key(&self) -> (i32, i32) {
        (self.sum, self.step)
    }
}

const CUTTING: [Algorithm; 4] = [
    Algorithm::AlphaBeta,
    Algorithm::FailHard,
    Algorithm::FailSoft,
    Algorithm::NegaScout,
];

/// The minimum number of leaves: b^⌈d/2⌉ + b^⌊d/2⌋ − 1.
fn critical_leaves(branching: u64, depth: u32) -> u64 {
    branching.pow(depth.div_ceil(2)) + branching.pow(depth / 2) - 1
}

#[test]
fn perfect_order_visits_the_critical_leaves() {
    for (branching, depth) in (2..=8).flat_map(|b| (1..=8).map(move |d| (b, d))) {
        let root = Uniform::new(branching, depth, Order::BestFirst);
        for algorithm in CUTTING {
            let mut counts = Counts::default();
            assert_eq!(algorithm.run(&root, depth, &mut counts), 0);
            assert_eq!(
                counts.leaves,
                critical_leaves(branching as u64, depth),
                "{algorithm:?}, {branching} moves, depth {depth}"
            );
        }
    }
}

#[test]
fn worst_order_visits_every_leaf() {
    for (branching, depth) in (2..=8).flat_map(|b| (1..=8).map(move |d| (b, d))) {
        let leaves = (branching as u64).pow(depth);
        if leaves > 2_000_000 {
            continue;
        }
        let root = Uniform::new(branching, depth, Order::BestLast);
        let values = [
            Algorithm::Minimax,
            Algorithm::AlphaBeta,
            Algorithm::FailHard,
            Algorithm::FailSoft,
        ]
        .map(|algorithm| {
            let mut counts = Counts::default();
            let value = algorithm.run(&root, depth, &mut counts);
            assert_eq!(
                (counts.leaves, counts.alpha_cuts, counts.beta_cuts),
                (leaves, 0, 0),
                "{algorithm:?}, {branching} moves, depth {depth}"
            );
            value
        });
        assert!(values.iter().all(|&value| value == values[0]));
    }
}

#[test]
fn minimax_visits_every_leaf_and_every_node() {
    let mut counts = Counts::default();
    let root = Uniform::new(3, 6, Order::BestFirst);
    Algorithm::Minimax.run(&root, 6, &mut counts);
    assert_eq!(counts.leaves, 729);
    assert_eq!(counts.nodes, (729 * 3 - 1) / 2);
}
