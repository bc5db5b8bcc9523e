//! Step sizes, and vector arithmetic on rows of parameters, written so that the compiler vectorises
//! the loops.

use emilia_core::eval::net::WIDTH;

/// Parameters of one gradient step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) learning_rate: f32,
    /// Weight decay per step, relative to the learning rate.
    pub(super) decay: f32,
    /// Number added to the root of the second moment. Limits the step of rows that are rarely read.
    pub(super) epsilon: f32,
}

/// Decay factor per step of the running mean of the squared gradient.
pub(super) const BETA_2: f32 = 0.99;

/// A row of parameters: one number for each unit of the accumulator.
pub(super) type RowVector = [f32; WIDTH];

/// Number of partial sums of a dot product: the lanes of one SIMD register.
const LANES: usize = 8;

/// Returns the dot product. The lengths are multiples of [`LANES`].
pub(super) fn dot(left: &[f32], right: &[f32]) -> f32 {
    let mut sums = [0.0; LANES];
    let (left, _) = left.as_chunks::<LANES>();
    let (right, _) = right.as_chunks::<LANES>();
    for (left, right) in left.iter().zip(right) {
        for lane in 0..LANES {
            sums[lane] += left[lane] * right[lane];
        }
    }
    sums.iter().sum()
}

/// Moves `weights` against `gradient` by `rate`, after weight decay by the factor `kept`.
#[inline(never)]
pub(super) fn descend(weights: &mut RowVector, gradient: &RowVector, kept: f32, rate: f32) {
    for unit in 0..WIDTH {
        weights[unit] = weights[unit] * kept - rate * gradient[unit];
    }
}

/// Adds `row` to `sum`. Not inlined, because the compiler vectorises the loop only out of line.
#[inline(never)]
pub(super) fn add(sum: &mut RowVector, row: &RowVector) {
    for unit in 0..WIDTH {
        sum[unit] += row[unit];
    }
}
