//! From the parameters as they are trained to those of play: rounded to the units, and cut off at the limits.

use super::file::{SHAPE, UNITS};
use super::parameters::{Parameters, Stack};
use super::units::{
    ACTIVATION_BITS, HIDDEN_BITS, MOST_EXTRA, MOST_HIDDEN_BIAS, MOST_NEURON_WEIGHT,
    MOST_OUTPUT_BIAS, MOST_SKIP, NEURON_WEIGHT_BITS, OUTPUT_BITS, SKIP_BITS, SUM_BITS,
};
use super::weights::NetWeights;
use crate::eval::weights_file::Kind;
use crate::files::checksum;

impl Parameters {
    /// The parameters of play.
    ///
    /// # Panics
    /// If there are not as many as a network of this program has.
    pub(crate) fn quantised(&self) -> NetWeights {
        NetWeights::from_bytes(&self.pack()).expect("parameters of a network of this shape")
    }

    /// The file for these parameters.
    pub(crate) fn pack(&self) -> Vec<u8> {
        let mut parameters = Vec::new();
        // The cast keeps to the range of i8, of which the least is not needed.
        let rows = units(&self.rows, SUM_BITS, i8::MAX.into());
        parameters.extend(rows.map(|weight| weight as u8));
        push_shorts(&mut parameters, &self.extras, SUM_BITS, MOST_EXTRA);
        for stack in &self.stacks {
            stack.push_to(&mut parameters);
        }
        let mut file = Kind::Net.magic().to_vec();
        file.extend(NetWeights::feature_set().to_le_bytes());
        file.extend(SHAPE);
        file.extend(UNITS);
        file.extend(checksum(&parameters).to_le_bytes());
        file.extend(parameters);
        file
    }
}

impl Stack {
    fn push_to(&self, bytes: &mut Vec<u8>) {
        push_shorts(bytes, &self.hidden, HIDDEN_BITS, i16::MAX);
        push_longs(bytes, &self.hidden_bias, ACTIVATION_BITS, MOST_HIDDEN_BIAS);
        push_shorts(bytes, &self.output, NEURON_WEIGHT_BITS, MOST_NEURON_WEIGHT);
        push_shorts(bytes, &self.skip, SKIP_BITS, MOST_SKIP);
        push_longs(bytes, &[self.bias], OUTPUT_BITS, MOST_OUTPUT_BIAS);
    }
}

/// The numbers in units of 2^-`bits`, at most `most` units either way.
fn units(numbers: &[f32], bits: u32, most: i32) -> impl Iterator<Item = i32> {
    let one = f64::from(1 << bits);
    let units = move |&number: &f32| (f64::from(number) * one).round() as i32;
    numbers
        .iter()
        .map(move |number| units(number).clamp(-most, most))
}

/// Appends the numbers, 16 bits for each.
fn push_shorts(bytes: &mut Vec<u8>, numbers: &[f32], bits: u32, most: i16) {
    let units = units(numbers, bits, most.into());
    bytes.extend(units.flat_map(|unit| (unit as i16).to_le_bytes()));
}

/// Appends the numbers, 32 bits for each.
fn push_longs(bytes: &mut Vec<u8>, numbers: &[f32], bits: u32, most: i32) {
    bytes.extend(units(numbers, bits, most).flat_map(i32::to_le_bytes));
}
