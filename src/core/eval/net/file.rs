//! Files of network parameters: uncompressed, so that they load fast, with a checksum.
//!
//! The parts of a file, with little-endian numbers:
//! 1. Header: magic bytes (8 bytes), checksum of the patterns (8), shape (5), units (6) and
//!    checksum of the parameters (8).
//! 2. Pattern rows of the first phase, then of the second. A phase is a range of numbers of
//!    empties. A weight takes one byte. A phase has the first [`BLOCK`] weights of all rows, in the
//!    order of reduced indices, then the next `BLOCK` weights of all rows. The second phase is
//!    stored as differences from the first phase.
//! 3. Extra rows.
//! 4. Layers of each output bucket: weights and biases of the neurons, weights from the neurons to
//!    the output, weights of the linear path from the accumulator to the output, and the bias of
//!    the output.
//! 5. Output biases, one for each number of empties.
//!
//! LZMA compresses pattern rows better in this form, with its option `lp=4` (literals depend on the
//! position in a block of 16 bytes). The previous format version stored whole rows, without
//! differences.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::layout::{ExtraRow, PADDED_WIDTH, QuantisedBucket, Row};
use super::patterns::{SHAPES, reduced_index};
use super::shape::{BIASES, EXTRAS, HIDDEN, OUTPUT_BUCKETS, OUTPUT_DISCS, PHASES, WIDTH};
use super::units::{
    HIDDEN_BITS, MAX_EXTRA, MAX_HIDDEN_BIAS, MAX_NEURON_WEIGHT, MAX_OUTPUT_BIAS, MAX_SKIP,
    NEURON_BITS, NEURON_WEIGHT_BITS, SKIP_BITS, SUM_BITS,
};
use super::weights::NetWeights;
use crate::eval::{WeightsError, checksum, checksum_after};

/// First bytes of a file. The last of these bytes is the format version.
pub(super) const MAGIC: [u8; 8] = *b"EmiliaN4";

/// First bytes of a file of the previous version, which stores whole rows in both phases.
pub(super) const MAGIC_OF_WHOLE_ROWS: [u8; 8] = *b"EmiliaN3";

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

/// Size of the header in bytes. The parameters follow the header.
pub(super) const HEADER_BYTES: usize = 35;

/// Size in bytes of the parameters after the pattern rows.
const OTHER_BYTES: usize = {
    let extras = 2 * EXTRAS * WIDTH;
    let hidden = (2 * WIDTH + 4) * HIDDEN;
    let output = 2 * HIDDEN + 2 * WIDTH + 4;
    extras + OUTPUT_BUCKETS * (hidden + output) + 4 * BIASES
};

/// Number of weights of one pattern row that are adjacent in a file.
const BLOCK: usize = 16;

impl NetWeights {
    /// The file of parameters that the library embeds. The build script unpacks it.
    pub const EMBEDDED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/net.bin"));

    /// Decodes a file of parameters. Its patterns, shape and units must be those of this program.
    pub fn from_bytes(file: &[u8]) -> Result<NetWeights, WeightsError> {
        let NetFile {
            rows,
            others,
            fingerprint,
        } = NetFile::read(file)?;
        let index = reduced_index();
        let phases = rows.chunks_exact(rows.len() / PHASES).map(|rows| {
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
            buckets: others.boxed(Reader::bucket)?,
            biases: others.boxed(|others| others.long(MAX_OUTPUT_BIAS))?,
            fingerprint,
        })
    }

    /// A checksum of the patterns.
    /// Parameters are usable only if their file has the same checksum.
    pub fn feature_set() -> u64 {
        let shapes = SHAPES.iter().flat_map(|shape| shape.0.to_le_bytes());
        checksum(&shapes.collect::<Vec<_>>())
    }
}

/// The parameters of a file whose header and checksum are correct.
pub(super) struct NetFile<'a> {
    /// Whole pattern rows, by phase, then by reduced index.
    pub(super) rows: Cow<'a, [u8]>,
    /// The parameters after the pattern rows.
    pub(super) others: &'a [u8],
    /// Checksum of rows and other parameters.
    fingerprint: u64,
}

impl NetFile<'_> {
    pub(super) fn read(file: &[u8]) -> Result<NetFile<'_>, WeightsError> {
        check_magic(file)?;
        let (header, parameters) = file
            .split_at_checked(HEADER_BYTES)
            .ok_or(WeightsError::Truncated)?;
        let mut header = Reader(&header[MAGIC.len()..]);
        if header.array()? != NetWeights::feature_set().to_le_bytes() {
            return Err(WeightsError::Features);
        }
        if header.array()? != SHAPE {
            return Err(WeightsError::Shape);
        }
        if header.array()? != UNITS {
            return Err(WeightsError::Unit);
        }
        let rows = PHASES * reduced_index().count() * WIDTH;
        match parameters.len().cmp(&(rows + OTHER_BYTES)) {
            Ordering::Less => return Err(WeightsError::Truncated),
            Ordering::Greater => return Err(WeightsError::Longer),
            Ordering::Equal => {}
        }
        let (rows, others) = parameters.split_at(rows);
        let rows = if file.starts_with(&MAGIC_OF_WHOLE_ROWS) {
            Cow::Borrowed(rows)
        } else {
            Cow::Owned(joined(rows))
        };
        let fingerprint = checksum_after(checksum(&rows), others);
        if header.array()? != fingerprint.to_le_bytes() {
            return Err(WeightsError::Altered);
        }
        Ok(NetFile {
            rows,
            others,
            fingerprint,
        })
    }
}

/// Checks that `file` starts with the magic bytes of a version that this program reads.
fn check_magic(file: &[u8]) -> Result<(), WeightsError> {
    match file.first_chunk() {
        Some(&MAGIC | &MAGIC_OF_WHOLE_ROWS) => Ok(()),
        Some([b'E', b'm', b'i', b'l', b'i', b'a', b'N', _]) => Err(WeightsError::Version),
        None if MAGIC.starts_with(file) => Err(WeightsError::Truncated),
        _ => Err(WeightsError::Foreign),
    }
}

/// Restores whole pattern rows from the blocks of [`BLOCK`] weights and the differences between the
/// phases that a file stores.
fn joined(split: &[u8]) -> Vec<u8> {
    let of_phase = split.len() / PHASES;
    let mut rows = vec![0; split.len()];
    for (number, blocks) in split.chunks_exact(of_phase * BLOCK / WIDTH).enumerate() {
        let (phase, first) = (number * BLOCK / WIDTH, number * BLOCK % WIDTH);
        let (before, own) = rows.split_at_mut(phase * of_phase);
        for (at, block) in blocks.as_chunks::<BLOCK>().0.iter().enumerate() {
            let at = at * WIDTH + first;
            for (unit, &weight) in (at..).zip(block) {
                let reference = before.get(unit).copied().unwrap_or(0);
                own[unit] = weight.wrapping_add(reference);
            }
        }
    }
    rows
}

/// Reorders whole pattern rows as a file stores them: in blocks of [`BLOCK`] weights, and for the
/// second phase as differences from the first. The inverse of [`joined`].
pub(super) fn split(rows: &[u8]) -> Vec<u8> {
    let of_phase = rows.len() / PHASES;
    let mut split = Vec::with_capacity(rows.len());
    for start in (0..rows.len()).step_by(of_phase) {
        for first in (0..WIDTH).step_by(BLOCK) {
            for at in (start + first..start + of_phase).step_by(WIDTH) {
                split.extend((at..at + BLOCK).map(|at| {
                    let reference = at.checked_sub(of_phase).map_or(0, |before| rows[before]);
                    rows[at].wrapping_sub(reference)
                }));
            }
        }
    }
    split
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
    fn bucket(&mut self) -> Result<QuantisedBucket, WeightsError> {
        let mut bucket = QuantisedBucket::ZERO;
        for neuron in 0..HIDDEN {
            for sum in 0..WIDTH {
                bucket.hidden[sum / 2][neuron][sum % 2] = self.short(i16::MAX)?;
            }
        }
        for bias in &mut bucket.hidden_bias {
            *bias = self.long(MAX_HIDDEN_BIAS)?;
        }
        for weight in &mut bucket.output {
            *weight = self.short(MAX_NEURON_WEIGHT)?.into();
        }
        for weight in &mut bucket.skip[..WIDTH] {
            *weight = self.short(MAX_SKIP)?;
        }
        bucket.bias = self.long(MAX_OUTPUT_BIAS)?;
        Ok(bucket)
    }
}
