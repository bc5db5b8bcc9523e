//! Files of pattern weights: compressed, small enough to embed, and protected by a checksum.
//!
//! The header has four little-endian parts: magic bytes (8), checksum of the feature sets (8),
//! units per disc of both sets (2 × 2 bytes) and checksum of the unpacked data (8 bytes).
//! The data follow, packed with deflate, first for the full feature set, then for the light one.
//! Each word is the weight of a stage minus the weight of the next stage.
//! The words of a stage are in the order of reduced indices.
//! Words are zigzag-coded: 0, −1, 1, −2, … become 0, 1, 2, 3, ….
//! The low bytes of all words come first, then the high bytes.
//! Rare configurations have the same weight in many stages and compress well.

use std::cmp::Ordering;
use std::sync::{Arc, OnceLock};

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

use super::features::{Features, Full, Light};
use super::reduced_index::ReducedIndex;
use super::weights::{PatternWeights, Weights};
use crate::eval::checksum;
use crate::eval::weights_file::{WeightsError, WeightsKind};

/// Bytes of the header, before the packed data.
const HEADER_BYTES: usize = 28;

/// Units per disc of both feature sets, 16 bits each.
pub(super) const UNITS: [[u8; 2]; 2] = [
    (Full::WEIGHT_UNITS_PER_DISC as u16).to_le_bytes(),
    (Light::WEIGHT_UNITS_PER_DISC as u16).to_le_bytes(),
];

impl PatternWeights {
    /// Decodes a file of weights that fits this program.
    pub fn from_bytes(file: &[u8]) -> Result<PatternWeights, WeightsError> {
        let bytes = PatternWeights::unpack(file)?;
        let (full, light) = (ReducedIndex::new(), ReducedIndex::new());
        let mut words = words_of(&bytes);
        let light_words = words.split_off(Full::STAGES * full.count());
        Ok(PatternWeights {
            full: weights_of(&full, words),
            light: Arc::new(weights_of(&light, light_words)),
            fingerprint: checksum(&bytes),
        })
    }

    /// Unpacks the words of a file of weights that fits this program.
    pub(super) fn unpack(file: &[u8]) -> Result<Vec<u8>, WeightsError> {
        WeightsKind::Pattern.check(file)?;
        if file.len() < HEADER_BYTES {
            return Err(WeightsError::Truncated);
        }
        let (header, packed) = file.split_at(HEADER_BYTES);
        if header[8..16] != PatternWeights::feature_set().to_le_bytes() {
            return Err(WeightsError::Features);
        }
        if header[16..20] != *UNITS.as_flattened() {
            return Err(WeightsError::Unit);
        }
        let full = Full::STAGES * ReducedIndex::<Full>::new().count();
        let light = Light::STAGES * ReducedIndex::<Light>::new().count();
        let bytes = unpack(packed, 2 * (full + light))?;
        if header[20..28] != checksum(&bytes).to_le_bytes() {
            return Err(WeightsError::Altered);
        }
        Ok(bytes)
    }

    /// A checksum of the patterns, stages and extras of both feature sets.
    /// Weights are usable only if the checksum in their file is equal.
    pub fn feature_set() -> u64 {
        checksum(&[bytes_of::<Full>(), bytes_of::<Light>()].concat())
    }
}

impl Weights<Light> {
    /// The light weights that the library embeds. The build script unpacks them.
    pub(crate) fn embedded() -> Arc<Weights<Light>> {
        const BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/light.bin"));
        static WEIGHTS: OnceLock<Arc<Weights<Light>>> = OnceLock::new();
        WEIGHTS
            .get_or_init(|| Arc::new(Weights::of_light(BYTES).expect("their size is right")))
            .clone()
    }

    /// Decodes the bytes that [`PatternWeights::pack_light`] returns.
    pub(crate) fn of_light(bytes: &[u8]) -> Result<Weights<Light>, WeightsError> {
        let (index, words) = (ReducedIndex::new(), words_of(bytes));
        match words.len().cmp(&(Light::STAGES * index.count())) {
            Ordering::Less => return Err(WeightsError::Truncated),
            Ordering::Greater => return Err(WeightsError::Longer),
            Ordering::Equal => {}
        }
        let by_stage = (0..Light::STAGES)
            .flat_map(|stage| words[stage..].iter().step_by(Light::STAGES).copied());
        Ok(weights_of(&index, by_stage.collect()))
    }
}

/// Decodes zigzag-coded words from all their low bytes, followed by all their high bytes.
fn words_of(bytes: &[u8]) -> Vec<i16> {
    let (low, high) = bytes.split_at(bytes.len() / 2);
    let words = low.iter().zip(high);
    let words = words.map(|(&low, &high)| u16::from_le_bytes([low, high]));
    words
        .map(|word| (word >> 1) as i16 ^ -((word & 1) as i16))
        .collect()
}

/// Unpacks `packed`, which must hold exactly `length` bytes and nothing after them.
fn unpack(packed: &[u8], length: usize) -> Result<Vec<u8>, WeightsError> {
    let mut bytes = vec![0; length];
    let (status, read, written) = decompress(
        &mut DecompressorOxide::new(),
        packed,
        &mut bytes,
        0,
        TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
    );
    match status {
        TINFLStatus::Done if written != length => Err(WeightsError::Altered),
        TINFLStatus::Done if read < packed.len() => Err(WeightsError::Longer),
        TINFLStatus::Done => Ok(bytes),
        TINFLStatus::FailedCannotMakeProgress => Err(WeightsError::Truncated),
        _ => Err(WeightsError::Altered),
    }
}

/// Decodes the weights from the differences between each stage and the next.
fn weights_of<F: Features>(index: &ReducedIndex<F>, mut weights: Vec<i16>) -> Weights<F> {
    for at in (0..weights.len() - index.count()).rev() {
        weights[at] = weights[at].wrapping_add(weights[at + index.count()]);
    }
    Weights::expand(index, &weights)
}

/// The bytes that identify a feature set: its shapes, stages and extras.
fn bytes_of<F: Features>() -> Vec<u8> {
    let shapes = F::SHAPES.iter().flat_map(|shape| shape.0.to_le_bytes());
    shapes.chain([F::STAGES as u8, F::EXTRAS as u8]).collect()
}
