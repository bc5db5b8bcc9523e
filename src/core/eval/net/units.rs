//! Fixed-point units of the network, and the limits that keep every sum within 32 bits.

use super::patterns::INSTANCES;
use super::shape::{HIDDEN, OUTPUT_DISCS, OWN_EXTRAS, WIDTH};
use crate::eval::Value;

/// Rows and accumulator are in units of 2^-`SUM_BITS`.
pub(super) const SUM_BITS: u32 = 9;

/// Weights of the hidden layer are in units of 2^-`HIDDEN_BITS`.
pub(super) const HIDDEN_BITS: u32 = 10;

/// Outputs of neurons are in units of 2^-`NEURON_BITS`.
pub(super) const NEURON_BITS: u32 = 12;

/// Weights of neurons in the output are in units of 2^-`NEURON_WEIGHT_BITS`.
pub(super) const NEURON_WEIGHT_BITS: u32 = 10;

/// Weights of the linear path are in units of 2^-`SKIP_BITS`.
pub(super) const SKIP_BITS: u32 = 13;

/// Inputs of neurons are in units of 2^-`ACTIVATION_BITS`.
pub(super) const ACTIVATION_BITS: u32 = SUM_BITS + HIDDEN_BITS;

/// The output is in units of 2^-`OUTPUT_BITS`.
pub(super) const OUTPUT_BITS: u32 = NEURON_BITS + NEURON_WEIGHT_BITS;

/// The linear path clamps accumulator entries to ±2^`LINEAR_BITS`.
pub(super) const LINEAR_BITS: u32 = 2;

/// The accumulator value 1.0 as an integer. Inputs of the hidden layer are clamped to
/// 0..=`SUM_ONE`.
pub(super) const SUM_ONE: i16 = 1 << SUM_BITS;

/// The upper limit of accumulator entries in the linear path.
pub(super) const MAX_LINEAR: i16 = (1 << (SUM_BITS + LINEAR_BITS)) - 1;

/// The lower limit of accumulator entries in the linear path.
pub(super) const MIN_LINEAR: i16 = -MAX_LINEAR - 1;

/// Smallest input for which a neuron has the output 1.0. Greater inputs give 1.0 too.
pub(super) const ACTIVATION_ONE: i32 = 1 << ACTIVATION_BITS;

/// Number of low bits of a neuron's input that are dropped before the input is squared.
pub(super) const ACTIVATION_SHIFT: u32 = ACTIVATION_BITS - NEURON_BITS;

/// Right shift that converts the output to the unit of [`Value`].
pub(super) const OUTPUT_SHIFT: u32 = OUTPUT_BITS - (OUTPUT_DISCS * Value::PER_DISC).ilog2();

/// Largest absolute weight of an extra row.
pub(super) const MAX_EXTRA: i16 = 1 << 12;

/// Largest absolute bias of a neuron.
pub(super) const MAX_HIDDEN_BIAS: i32 = 32 << ACTIVATION_BITS;

/// Largest absolute weight of a neuron in the output. It is inversely proportional to the number of
/// neurons, so that the output fits 32 bits.
pub(super) const MAX_NEURON_WEIGHT: i16 = ((1 << 17) / HIDDEN) as i16;

/// Largest absolute weight of the linear path: from an accumulator entry to the output, past the
/// hidden layer.
pub(super) const MAX_SKIP: i16 = 1 << 13;

/// Largest absolute bias of the output: of an output bucket, or of a number of empties.
pub(super) const MAX_OUTPUT_BIAS: i32 = 4 << OUTPUT_BITS;

const _: () = {
    let least_row = i8::MIN as i64;
    let sum = INSTANCES as i64 * -least_row + OWN_EXTRAS as i64 * MAX_EXTRA as i64;
    assert!(sum <= i16::MAX as i64, "sums fit 16 bits");
    let hidden = WIDTH as i64 * SUM_ONE as i64 * -(i16::MIN as i64) + MAX_HIDDEN_BIAS as i64;
    assert!(hidden <= i32::MAX as i64, "inputs of neurons fit 32 bits");
    let neurons = (HIDDEN as i64 * MAX_NEURON_WEIGHT as i64) << NEURON_BITS;
    let skip = WIDTH as i64 * -(MIN_LINEAR as i64) * MAX_SKIP as i64;
    let rounding = 1 << (OUTPUT_SHIFT - 1);
    let output = neurons + skip + 2 * MAX_OUTPUT_BIAS as i64 + rounding;
    assert!(output <= i32::MAX as i64, "the output fits 32 bits");
    assert!(
        SUM_BITS + SKIP_BITS == OUTPUT_BITS,
        "both paths have the same unit"
    );
};
