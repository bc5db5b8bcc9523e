//! Quantisation: converts the trained parameters to integers, rounded and clamped.

use super::file::{MAGIC, NetFile, SHAPE, UNITS, split};
use super::parameters::{OutputBucket, Parameters};
use super::shape::{BIASES, EXTRAS, HIDDEN, OUTPUT_BUCKETS, WIDTH};
use super::units::{
    ACTIVATION_BITS, HIDDEN_BITS, MAX_EXTRA, MAX_HIDDEN_BIAS, MAX_NEURON_WEIGHT, MAX_OUTPUT_BIAS,
    MAX_SKIP, NEURON_WEIGHT_BITS, OUTPUT_BITS, SKIP_BITS, SUM_BITS,
};
use super::weights::NetWeights;
use crate::eval::{WeightsError, checksum, checksum_after};

impl Parameters {
    /// Returns the integer parameters for play.
    ///
    /// # Panics
    /// If the number of parameters does not match the shape of the network.
    pub fn quantised(&self) -> NetWeights {
        NetWeights::from_bytes(&self.pack()).expect("parameters match the shape of the network")
    }

    /// Encodes the parameters as a file.
    pub fn pack(&self) -> Vec<u8> {
        // The cast is lossless, because the values are clamped to ±127.
        let rows = units(&self.rows, SUM_BITS, i8::MAX.into());
        let rows: Vec<u8> = rows.map(|weight| weight as u8).collect();
        let mut others = Vec::new();
        push_shorts(&mut others, &self.extras, SUM_BITS, MAX_EXTRA);
        for bucket in &self.buckets {
            bucket.push_to(&mut others);
        }
        push_longs(&mut others, &self.biases, OUTPUT_BITS, MAX_OUTPUT_BIAS);
        let mut file = MAGIC.to_vec();
        file.extend(NetWeights::feature_set().to_le_bytes());
        file.extend(SHAPE);
        file.extend(UNITS);
        file.extend(checksum_after(checksum(&rows), &others).to_le_bytes());
        file.extend(split(&rows));
        file.extend(others);
        file
    }

    /// Decodes the parameters of a file, in floating point.
    pub fn from_bytes(file: &[u8]) -> Result<Parameters, WeightsError> {
        NetWeights::from_bytes(file)?;
        let NetFile { rows, others, .. } = NetFile::read(file)?;
        let (mut rows, mut rest) = (&rows[..], others);
        let count = rows.len();
        Ok(Parameters {
            rows: take(&mut rows, count, SUM_BITS, |[byte]| i32::from(byte as i8)),
            extras: take_shorts(&mut rest, EXTRAS * WIDTH, SUM_BITS),
            buckets: (0..OUTPUT_BUCKETS)
                .map(|_| OutputBucket::take(&mut rest))
                .collect(),
            biases: take_longs(&mut rest, BIASES, OUTPUT_BITS),
        })
    }
}

impl OutputBucket {
    /// Decodes a bucket from the front of `bytes`, the inverse of [`push_to`](Self::push_to).
    fn take(bytes: &mut &[u8]) -> OutputBucket {
        OutputBucket {
            hidden: take_shorts(bytes, HIDDEN * WIDTH, HIDDEN_BITS),
            hidden_bias: take_longs(bytes, HIDDEN, ACTIVATION_BITS),
            output: take_shorts(bytes, HIDDEN, NEURON_WEIGHT_BITS),
            skip: take_shorts(bytes, WIDTH, SKIP_BITS),
            bias: take_longs(bytes, 1, OUTPUT_BITS)[0],
        }
    }

    fn push_to(&self, bytes: &mut Vec<u8>) {
        push_shorts(bytes, &self.hidden, HIDDEN_BITS, i16::MAX);
        push_longs(bytes, &self.hidden_bias, ACTIVATION_BITS, MAX_HIDDEN_BIAS);
        push_shorts(bytes, &self.output, NEURON_WEIGHT_BITS, MAX_NEURON_WEIGHT);
        push_shorts(bytes, &self.skip, SKIP_BITS, MAX_SKIP);
        push_longs(bytes, &[self.bias], OUTPUT_BITS, MAX_OUTPUT_BIAS);
    }
}

/// Converts numbers to units of 2^-`bits`, clamped to ±`most` units.
fn units(numbers: &[f32], bits: u32, most: i32) -> impl Iterator<Item = i32> {
    let one = f64::from(1 << bits);
    let units = move |&number: &f32| (f64::from(number) * one).round() as i32;
    numbers
        .iter()
        .map(move |number| units(number).clamp(-most, most))
}

/// Appends the numbers as 16-bit integers in units of 2^-`bits`.
fn push_shorts(bytes: &mut Vec<u8>, numbers: &[f32], bits: u32, most: i16) {
    let units = units(numbers, bits, most.into());
    bytes.extend(units.flat_map(|unit| (unit as i16).to_le_bytes()));
}

/// Appends the numbers as 32-bit integers in units of 2^-`bits`.
fn push_longs(bytes: &mut Vec<u8>, numbers: &[f32], bits: u32, most: i32) {
    bytes.extend(units(numbers, bits, most).flat_map(i32::to_le_bytes));
}

/// Decodes `count` numbers of `N` bytes in units of 2^-`bits` from the front of `bytes`.
fn take<const N: usize>(
    bytes: &mut &[u8],
    count: usize,
    bits: u32,
    unit: impl Fn([u8; N]) -> i32,
) -> Vec<f32> {
    let (own, rest) = bytes.split_at(N * count);
    *bytes = rest;
    let (own, _) = own.as_chunks();
    let one = (1 << bits) as f32;
    own.iter().map(|&bytes| unit(bytes) as f32 / one).collect()
}

/// Decodes `count` 16-bit numbers from the front of `bytes`.
fn take_shorts(bytes: &mut &[u8], count: usize, bits: u32) -> Vec<f32> {
    take(bytes, count, bits, |bytes| i16::from_le_bytes(bytes).into())
}

/// Decodes `count` 32-bit numbers from the front of `bytes`.
fn take_longs(bytes: &mut &[u8], count: usize, bits: u32) -> Vec<f32> {
    take(bytes, count, bits, i32::from_le_bytes)
}
