//! The probability of a bit: adaptive estimates in several contexts, mixed in the logistic domain.
//! All arithmetic is on integers, so that every machine computes the same probabilities
//! (logistic mixing as in lpaq, Mahoney 2007).

use std::array::from_fn;

use super::coder::Coder;

/// Number of contexts of a bit.
pub(crate) const CONTEXTS: usize = 5;

/// Number of different bits in a number's binary code. Each has its own estimates.
pub(crate) const NODES: usize = 64;

/// Largest argument of the logistic function, in units of 1/256.
const MAX_LOGIT: i32 = 2047;

/// Number of bits after which an estimate follows the latest bits at a constant rate.
const MAX_COUNT: u16 = 250;

/// Learning rate of the mixing weights.
const LEARNING_RATE: i32 = 3;

/// Initial mixing weight of each context (16 fractional bits).
const FIRST_WEIGHT: i32 = (1 << 16) * 3 / 8;

/// An estimate of the probability of a 1.
#[derive(Clone, Copy, Debug)]
struct BitEstimate {
    /// The probability, times 65536.
    one: u16,
    /// Number of bits seen, at most [`MAX_COUNT`].
    count: u16,
}

/// Mixes the estimates of all contexts.
#[derive(Debug)]
pub(crate) struct Mixer {
    /// ln(p / (1 − p)) in units of 1/256, by the upper 12 bits of a probability.
    logits: Vec<i16>,
    /// Probabilities (16 bits) by logit + [`MAX_LOGIT`].
    probabilities: Vec<u16>,
    /// The estimates of each context, [`NODES`] for each value of the context.
    estimates: [Vec<BitEstimate>; CONTEXTS],
    /// Mixing weights by set (selected by the caller) and node (bit of a number's code).
    weights: Vec<[i32; CONTEXTS]>,
    /// Adaptation rate of an estimate (14 fractional bits), by its count.
    rates: Vec<i32>,
    /// The estimates for the current values of the contexts.
    selected: [usize; CONTEXTS],
    /// The current set of weights.
    set: usize,
}

/// The logistic function of `logit` / 256 in 16 bits, interpolated between integral points.
fn probability(logit: i32) -> u16 {
    const POINTS: [i32; 33] = [
        1, 2, 3, 6, 10, 16, 27, 45, 73, 120, 194, 310, 488, 747, 1101, 1546, 2047, 2549, 2994,
        3348, 3607, 3785, 3901, 3975, 4022, 4050, 4068, 4079, 4085, 4089, 4092, 4093, 4094,
    ];
    let (at, between) = (((logit >> 7) + 16) as usize, logit & 127);
    ((POINTS[at] * (128 - between) + POINTS[at + 1] * between) >> 3) as u16
}

impl Mixer {
    /// A mixer with `sets` sets of weights.
    pub(crate) fn new(sets: usize) -> Mixer {
        let probabilities: Vec<u16> = (-MAX_LOGIT..=MAX_LOGIT).map(probability).collect();
        let logit = |p: u16| {
            let at = probabilities.partition_point(|&other| other >> 4 < p) as i32;
            (at - MAX_LOGIT).min(MAX_LOGIT) as i16
        };
        Mixer {
            logits: (0..4096).map(logit).collect(),
            estimates: from_fn(|_| Vec::new()),
            weights: vec![[FIRST_WEIGHT; CONTEXTS]; sets * NODES],
            rates: (0..=i32::from(MAX_COUNT))
                .map(|count| (2 << 14) / (2 * count + 3))
                .collect(),
            selected: [0; CONTEXTS],
            set: 0,
            probabilities,
        }
    }

    /// Selects the values of the contexts and the set of weights for the next bits.
    pub(crate) fn select(&mut self, contexts: [usize; CONTEXTS], set: usize) {
        self.set = set * NODES;
        for (at, estimates) in self.estimates.iter_mut().enumerate() {
            let first = contexts[at] * NODES;
            self.selected[at] = first;
            if estimates.len() < first + NODES {
                let even = BitEstimate {
                    one: 1 << 15,
                    count: 0,
                };
                estimates.resize(first + NODES, even);
            }
        }
    }

    /// Codes the bit `node` of a number, and adapts estimates and weights to it.
    pub(crate) fn code(&mut self, coder: &mut impl Coder, bit: bool, node: usize) -> bool {
        let weights = &mut self.weights[self.set + node];
        let mut logits = [0; CONTEXTS];
        let mut sum = 0_i32;
        for at in 0..CONTEXTS {
            let estimate = self.estimates[at][self.selected[at] + node];
            logits[at] = i32::from(self.logits[usize::from(estimate.one >> 4)]);
            sum = sum.wrapping_add(logits[at].wrapping_mul(weights[at]) >> 2);
        }
        let logit = (sum >> 14).clamp(-MAX_LOGIT, MAX_LOGIT);
        let one = i32::from(self.probabilities[(logit + MAX_LOGIT) as usize]).clamp(16, 65520);
        let bit = coder.code(bit, one as u32);
        let error = ((i32::from(bit) << 16) - one) >> 4;
        for at in 0..CONTEXTS {
            let change = (logits[at] * error * LEARNING_RATE + (1 << 13)) >> 14;
            weights[at] = weights[at].wrapping_add(change);
            let estimate = &mut self.estimates[at][self.selected[at] + node];
            let target = if bit { 65535 } else { 0 };
            let distance = target - i32::from(estimate.one);
            let step = (distance * self.rates[usize::from(estimate.count)]) >> 14;
            estimate.one = (i32::from(estimate.one) + step) as u16;
            estimate.count = (estimate.count + 1).min(MAX_COUNT);
        }
        bit
    }
}
