//! Vector arithmetic on parameter rows, written in loops that the compiler can vectorise, and the
//! settings of a gradient step.

use emilia_core::eval::net::WIDTH;

/// Settings of one gradient step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) learning_rate: f32,
    /// Weight decay per step, relative to the learning rate.
    pub(super) decay: f32,
    /// ε of Adam: added to the root of the second moment. It limits the step of rows that are
    /// rarely used.
    pub(super) epsilon: f32,
}

/// Decay factor per step of the running mean of the squared gradient in Adam.
pub(super) const BETA_2: f32 = 0.99;

/// Row of parameters: one number for each accumulator unit.
pub(super) type RowVector = [f32; WIDTH];

/// Number of partial sums in a dot product: the lanes of one SIMD register.
const LANES: usize = 8;

/// Returns the dot product of two slices of the same length, which must be a multiple of [`LANES`].
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

/// Takes a gradient step: multiplies `weights` by `kept`, which is the weight decay, and then
/// subtracts `rate` times `gradient`.
#[inline(never)]
pub(super) fn descend(weights: &mut RowVector, gradient: &RowVector, kept: f32, rate: f32) {
    for unit in 0..WIDTH {
        weights[unit] = weights[unit] * kept - rate * gradient[unit];
    }
}

/// Adds `row` to `sum`. The function is not inlined, because the compiler vectorises the loop only
/// out of line.
#[inline(never)]
pub(super) fn add(sum: &mut RowVector, row: &RowVector) {
    for unit in 0..WIDTH {
        sum[unit] += row[unit];
    }
}
