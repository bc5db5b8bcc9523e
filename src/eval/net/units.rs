//! The network in integers: the unit of each layer as a power of two, and the limits that no sum can leave 32 bits by.

use super::shape::{HIDDEN, OUTPUT_DISCS, OWN_EXTRAS, WIDTH};
use crate::eval::Value;
use crate::eval::pattern::features::{Features, Full};

/// Rows and the sums of rows are in units of 2^-`SUM_BITS`.
pub(super) const SUM_BITS: u32 = 9;

/// Weights of the hidden layer are in units of 2^-`HIDDEN_BITS`.
pub(super) const HIDDEN_BITS: u32 = 10;

/// What a neuron puts out is in units of 2^-`NEURON_BITS`.
pub(super) const NEURON_BITS: u32 = 12;

/// Weights of neurons in the output are in units of 2^-`NEURON_WEIGHT_BITS`.
pub(super) const NEURON_WEIGHT_BITS: u32 = 10;

/// Weights of sums in the output are in units of 2^-`SKIP_BITS`.
pub(super) const SKIP_BITS: u32 = 13;

/// The input of a neuron is in units of 2^-`ACTIVATION_BITS`.
pub(super) const ACTIVATION_BITS: u32 = SUM_BITS + HIDDEN_BITS;

/// The output is in units of 2^-`OUTPUT_BITS`.
pub(super) const OUTPUT_BITS: u32 = NEURON_BITS + NEURON_WEIGHT_BITS;

/// Sums count in the linear path up to 2^`LINEAR_BITS`.
pub(super) const LINEAR_BITS: u32 = 2;

/// A sum of 1, the most that a neuron sees.
pub(super) const SUM_ONE: i16 = 1 << SUM_BITS;

/// The most that the linear path sees.
pub(super) const MOST_LINEAR: i16 = (1 << (SUM_BITS + LINEAR_BITS)) - 1;

/// The least that the linear path sees.
pub(super) const LEAST_LINEAR: i16 = -MOST_LINEAR - 1;

/// The input from which on a neuron puts out 1.
pub(super) const ACTIVATION_ONE: i32 = 1 << ACTIVATION_BITS;

/// Bits of its input that a neuron does without.
pub(super) const ACTIVATION_SHIFT: u32 = ACTIVATION_BITS - NEURON_BITS;

/// Bits of the output below a unit of [`Value`].
pub(super) const OUTPUT_SHIFT: u32 = OUTPUT_BITS - (OUTPUT_DISCS * Value::PER_DISC).ilog2();

/// The largest weight of an extra, either way.
pub(super) const MOST_EXTRA: i16 = 1 << 12;

/// The largest bias of a neuron, either way.
pub(super) const MOST_HIDDEN_BIAS: i32 = 32 << ACTIVATION_BITS;

/// The largest weight of a neuron in the output, either way: the fewer neurons, the larger.
pub(super) const MOST_NEURON_WEIGHT: i16 = ((1 << 17) / HIDDEN) as i16;

/// The largest weight of a sum in the output, either way.
pub(super) const MOST_SKIP: i16 = 1 << 13;

/// The largest bias of the output, either way.
pub(super) const MOST_OUTPUT_BIAS: i32 = 4 << OUTPUT_BITS;

const _: () = {
    let least_row = i8::MIN as i64;
    let sum = Full::INSTANCES as i64 * -least_row + OWN_EXTRAS as i64 * MOST_EXTRA as i64;
    assert!(sum <= i16::MAX as i64, "sums fit 16 bits");
    let hidden = WIDTH as i64 * SUM_ONE as i64 * -(i16::MIN as i64) + MOST_HIDDEN_BIAS as i64;
    assert!(hidden <= i32::MAX as i64, "inputs of neurons fit 32 bits");
    let neurons = (HIDDEN as i64 * MOST_NEURON_WEIGHT as i64) << NEURON_BITS;
    let skip = WIDTH as i64 * -(LEAST_LINEAR as i64) * MOST_SKIP as i64;
    let rounding = 1 << (OUTPUT_SHIFT - 1);
    let output = neurons + skip + MOST_OUTPUT_BIAS as i64 + rounding;
    assert!(output <= i32::MAX as i64, "the output fits 32 bits");
    assert!(
        SUM_BITS + SKIP_BITS == OUTPUT_BITS,
        "both paths are in one unit"
    );
};
