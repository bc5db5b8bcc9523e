//! Files of network parameters: uncompressed, so that they load fast, with a checksum.
//!
//! The header has five little-endian parts: magic bytes (8), checksum of the patterns (8),
//! shape (5 bytes), units (6 bytes) and checksum of the parameters (8 bytes).
//! The pattern rows follow in the order of reduced indices, one byte for each weight.
//! Then come the extra rows, then the layers of each output bucket.
//! The layers are the weights and biases of the neurons, their weights in the output,
//! the weights of the linear path, and the bias of the output.
//! The file ends with the output bias of each number of empties, which the previous version lacks.

use std::cmp::Ordering;

use super::layout::{ExtraRow, Layers, PADDED_WIDTH, Row};
use super::shape::{BIASES, EXTRAS, HIDDEN, OUTPUT_BUCKETS, OUTPUT_DISCS, PHASES, WIDTH};
use super::units::{
    HIDDEN_BITS, MAX_EXTRA, MAX_HIDDEN_BIAS, MAX_NEURON_WEIGHT, MAX_OUTPUT_BIAS, MAX_SKIP,
    NEURON_BITS, NEURON_WEIGHT_BITS, SKIP_BITS, SUM_BITS,
};
use super::weights::NetWeights;
use crate::eval::checksum;
use crate::eval::pattern::features::{Features, Full};
use crate::eval::pattern::reduced_index::ReducedIndex;
use crate::eval::weights_file::{NET_WITHOUT_BIASES, WeightsError, WeightsKind};

/// Shape in the header: width, neurons, output buckets, phases and extra rows, 8 bits each.
pub(super) const SHAPE: [u8; 5] = [
    WIDTH as u8,
    HIDDEN as u8,
    OUTPUT_BUCKETS as u8,
    PHASES as u8,
    EXTRAS as u8,
];

/// Units in the header: the exponents of the fixed-point units, and the discs per unit of output.
pub(super) const UNITS: [u8; 6] = [
    SUM_BITS as u8,
    HIDDEN_BITS as u8,
    NEURON_BITS as u8,
    NEURON_WEIGHT_BITS as u8,
    SKIP_BITS as u8,
    OUTPUT_DISCS as u8,
];

/// Bytes of the header, before the parameters.
pub(super) const HEADER_BYTES: usize = 35;

/// Bytes of the parameters without the pattern rows.
const OTHER_BYTES: usize = {
    let extras = 2 * EXTRAS * WIDTH;
    let hidden = (2 * WIDTH + 4) * HIDDEN;
    let output = 2 * HIDDEN + 2 * WIDTH + 4;
    extras + OUTPUT_BUCKETS * (hidden + output)
};

/// Bytes of the output biases of `file`, or 0 for a version without them.
pub(super) fn bias_bytes(file: &[u8]) -> usize {
    if file.starts_with(&NET_WITHOUT_BIASES) {
        0
    } else {
        4 * BIASES
    }
}

impl NetWeights {
    /// The file of parameters that the library embeds. The build script unpacks it.
    pub const EMBEDDED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/net.bin"));

    /// Decodes a file of parameters that fits this program.
    pub fn from_bytes(file: &[u8]) -> Result<NetWeights, WeightsError> {
        WeightsKind::Net.check(file)?;
        let (header, parameters) = file
            .split_at_checked(HEADER_BYTES)
            .ok_or(WeightsError::Truncated)?;
        let mut header = Reader(&header[WeightsKind::Net.magic().len()..]);
        if header.array()? != NetWeights::feature_set().to_le_bytes() {
            return Err(WeightsError::Features);
        }
        if header.array()? != SHAPE {
            return Err(WeightsError::Shape);
        }
        if header.array()? != UNITS {
            return Err(WeightsError::Unit);
        }
        let index = ReducedIndex::<Full>::new();
        let of_phase = index.configurations() * WIDTH;
        let rows = PHASES * of_phase;
        let has_biases = bias_bytes(file) > 0;
        match parameters
            .len()
            .cmp(&(rows + OTHER_BYTES + bias_bytes(file)))
        {
            Ordering::Less => return Err(WeightsError::Truncated),
            Ordering::Greater => return Err(WeightsError::Longer),
            Ordering::Equal => {}
        }
        let fingerprint = checksum(parameters);
        if header.array()? != fingerprint.to_le_bytes() {
            return Err(WeightsError::Altered);
        }
        let (rows, others) = parameters.split_at(rows);
        let phases = rows.chunks_exact(of_phase).map(|rows| {
            let (rows, _) = rows.as_chunks();
            let row = |slot: Option<usize>| slot.map_or(Row::ZERO, |at| Row::of(&rows[at]));
            let rows: Box<[Row]> = index.slots().map(row).collect();
            rows.try_into().map_err(|_| WeightsError::Features)
        });
        let rows: Result<Vec<_>, WeightsError> = phases.collect();
        let mut others = Reader(others);
        Ok(NetWeights {
            rows: rows?.try_into().map_err(|_| WeightsError::Features)?,
            extras: others.boxed(Reader::extra)?,
            stacks: others.boxed(Reader::layers)?,
            biases: if has_biases {
                others.boxed(|others| others.long(MAX_OUTPUT_BIAS))?
            } else {
                Box::new([0; BIASES])
            },
            fingerprint,
        })
    }

    /// A checksum of the patterns.
    /// Parameters are usable only if the checksum in their file is equal.
    pub fn feature_set() -> u64 {
        let shapes = Full::SHAPES.iter().flat_map(|shape| shape.0.to_le_bytes());
        checksum(&shapes.collect::<Vec<_>>())
    }
}

/// Decodes bytes from front to back.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    /// Reads the next `N` bytes.
    fn array<const N: usize>(&mut self) -> Result<[u8; N], WeightsError> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or(WeightsError::Truncated)?;
        self.0 = rest;
        Ok(*bytes)
    }

    /// Reads the next 16-bit number, which must lie within ±`most`.
    fn short(&mut self, most: i16) -> Result<i16, WeightsError> {
        let number = i16::from_le_bytes(self.array()?);
        let in_range = (-most..=most).contains(&number);
        in_range.then_some(number).ok_or(WeightsError::Range)
    }

    /// Reads the next 32-bit number, which must lie within ±`most`.
    fn long(&mut self, most: i32) -> Result<i32, WeightsError> {
        let number = i32::from_le_bytes(self.array()?);
        let in_range = (-most..=most).contains(&number);
        in_range.then_some(number).ok_or(WeightsError::Range)
    }

    /// Reads `N` items with `next`.
    fn boxed<T, const N: usize>(
        &mut self,
        mut next: impl FnMut(&mut Self) -> Result<T, WeightsError>,
    ) -> Result<Box<[T; N]>, WeightsError> {
        let all: Result<Vec<T>, WeightsError> = (0..N).map(|_| next(self)).collect();
        all?.try_into().map_err(|_| WeightsError::Truncated)
    }

    /// Reads the next extra row.
    fn extra(&mut self) -> Result<ExtraRow, WeightsError> {
        let mut row = ExtraRow([0; PADDED_WIDTH]);
        for weight in &mut row.0[..WIDTH] {
            *weight = self.short(MAX_EXTRA)?;
        }
        Ok(row)
    }

    /// Reads the layers of the next output bucket.
    fn layers(&mut self) -> Result<Layers, WeightsError> {
        let mut layers = Layers::ZERO;
        for neuron in 0..HIDDEN {
            for sum in 0..WIDTH {
                layers.hidden[sum / 2][neuron][sum % 2] = self.short(i16::MAX)?;
            }
        }
        for bias in &mut layers.hidden_bias {
            *bias = self.long(MAX_HIDDEN_BIAS)?;
        }
        for weight in &mut layers.output {
            *weight = self.short(MAX_NEURON_WEIGHT)?.into();
        }
        for weight in &mut layers.skip[..WIDTH] {
            *weight = self.short(MAX_SKIP)?;
        }
        layers.bias = self.long(MAX_OUTPUT_BIAS)?;
        Ok(layers)
    }
}
