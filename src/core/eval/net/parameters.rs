//! The network in floating point, as it is trained. Its rounded form is used for play.

use std::sync::LazyLock;

use super::shape::{OUTPUT_DISCS, WIDTH, bias, extras, phase, stack};
use crate::board::Board;
use crate::eval::pattern::fitting::{Features, Full, ReducedIndex};

/// The linear path clamps accumulator entries to ±`MAX_LINEAR`.
pub const MAX_LINEAR: f32 = 4.0;

/// The best final score, in discs.
const MAX_DISCS: f32 = 64.0;

/// The floating-point parameters of the network.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    /// Pattern rows of [`WIDTH`] weights, by phase, then by reduced index.
    pub rows: Vec<f32>,
    /// The extra rows of [`WIDTH`] weights, [`EXTRAS`](super::shape::EXTRAS) in number.
    pub extras: Vec<f32>,
    /// The layers after the accumulator, one set for each of
    /// [`OUTPUT_BUCKETS`](super::shape::OUTPUT_BUCKETS).
    pub stacks: Vec<Stack>,
    /// Added to the output, by number of empties: [`BIASES`](super::shape::BIASES) in number.
    pub biases: Vec<f32>,
}

/// The layers after the accumulator, for one output bucket.
#[derive(Clone, Debug, PartialEq)]
pub struct Stack {
    /// Weights of the hidden layer, by neuron, then by accumulator entry.
    pub hidden: Vec<f32>,
    /// The bias of each neuron.
    pub hidden_bias: Vec<f32>,
    /// The weight of each neuron in the output.
    pub output: Vec<f32>,
    /// The weight of each accumulator entry in the output (linear path).
    pub skip: Vec<f32>,
    /// The bias of the output.
    pub bias: f32,
}

impl Parameters {
    /// The value of `board` in discs, −64..=64.
    pub fn value(&self, board: &Board) -> f32 {
        let sums = self.sums(board);
        let empties = board.empty_count();
        let output = self.stacks[stack(empties)].output(&sums) + self.biases[bias(empties)];
        (output * OUTPUT_DISCS as f32).clamp(-MAX_DISCS, MAX_DISCS)
    }

    /// The accumulator: the sum of the pattern and extra rows of `board`.
    fn sums(&self, board: &Board) -> [f32; WIDTH] {
        static INDEX: LazyLock<ReducedIndex<Full>> = LazyLock::new(ReducedIndex::new);
        let first = phase(board.empty_count()) * INDEX.configurations();
        let configurations = INDEX.row(board);
        let patterns = configurations[..Full::INSTANCES]
            .iter()
            .map(|&index| row(&self.rows, first + index as usize));
        let extras = extras(board, board.legal_moves()).map(|extra| row(&self.extras, extra));
        let mut sums = [0.0; WIDTH];
        for row in patterns.chain(extras) {
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum += weight;
            }
        }
        sums
    }
}

impl Stack {
    /// The output of the layers for the accumulator `sums`.
    fn output(&self, sums: &[f32; WIDTH]) -> f32 {
        let clipped = sums.map(|sum| sum.clamp(0.0, 1.0));
        let linear = sums.map(|sum| sum.clamp(-MAX_LINEAR, MAX_LINEAR));
        let neurons: Vec<f32> = self
            .hidden
            .chunks_exact(WIDTH)
            .zip(&self.hidden_bias)
            .map(|(weights, bias)| (bias + dot(weights, &clipped)).clamp(0.0, 1.0).powi(2))
            .collect();
        self.bias + dot(&self.output, &neurons) + dot(&self.skip, &linear)
    }
}

/// The row with the index `number`.
fn row(rows: &[f32], number: usize) -> &[f32] {
    &rows[number * WIDTH..][..WIDTH]
}

fn dot(weights: &[f32], inputs: &[f32]) -> f32 {
    weights
        .iter()
        .zip(inputs)
        .map(|(weight, input)| weight * input)
        .sum()
}
