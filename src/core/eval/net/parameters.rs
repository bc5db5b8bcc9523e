//! The network in floating point, for training. Play uses the quantised network.

use std::fmt;

/// The linear path clamps accumulator entries to ±`MAX_LINEAR`.
pub const MAX_LINEAR: f32 = 4.0;

/// The floating-point parameters of the network.
#[derive(Clone, PartialEq)]
pub struct Parameters {
    /// Pattern rows of [`WIDTH`](super::shape::WIDTH) weights, by phase (a range of numbers of
    /// empties), then by reduced index.
    pub rows: Vec<f32>,
    /// The [`EXTRAS`](super::shape::EXTRAS) extra rows, of [`WIDTH`](super::shape::WIDTH) weights
    /// each.
    pub extras: Vec<f32>,
    /// The layers after the accumulator, for each of the
    /// [`OUTPUT_BUCKETS`](super::shape::OUTPUT_BUCKETS).
    pub buckets: Vec<OutputBucket>,
    /// The [`BIASES`](super::shape::BIASES) output biases, by number of empties.
    pub biases: Vec<f32>,
}

impl fmt::Debug for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Parameters({} weights of rows)", self.rows.len())
    }
}

/// The layers after the accumulator, for one output bucket.
#[derive(Clone, PartialEq)]
pub struct OutputBucket {
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

impl fmt::Debug for OutputBucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OutputBucket({} neurons)", self.output.len())
    }
}
