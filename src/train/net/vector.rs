//! Arithmetic of rows: loops that the compiler makes whole registers of.

use crate::eval::net::WIDTH;

/// One number for each unit of the accumulator.
pub(super) type Row = [f32; WIDTH];

/// Sums of a dot product that are added up side by side, in one register.
const LANES: usize = 8;

/// The dot product.
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

/// Takes a step against the gradient.
#[inline(never)]
pub(super) fn descend(weights: &mut Row, gradient: &Row, kept: f32, rate: f32) {
    for unit in 0..WIDTH {
        weights[unit] = weights[unit] * kept - rate * gradient[unit];
    }
}

/// Adds a row to a sum. Not inlined: elsewhere the compiler makes scalar sums of it, here it uses whole registers.
#[inline(never)]
pub(super) fn add(sum: &mut Row, row: &Row) {
    for unit in 0..WIDTH {
        sum[unit] += row[unit];
    }
}
