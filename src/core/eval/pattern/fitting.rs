//! Code that only the fit of pattern weights needs.
//! Makes the linear equation of a position, converts weights to discs, writes files of weights.

use arrayvec::ArrayVec;
use miniz_oxide::deflate;

pub use super::features::{Features, Full, Light};
pub use super::reduced_index::ReducedIndex;

use super::Pattern;
use super::file::UNITS;
use super::shapes::PatternShape;
use super::state::PatternIndices;
use super::weights::PatternWeights;
use crate::board::Board;
use crate::eval::Value;
use crate::eval::checksum;
use crate::eval::weights_file::{WeightsError, WeightsKind};

/// Maximum number of weights that apply to a position, in any feature set.
pub(crate) const MAX_COLUMNS: usize = 64;

/// Deflate compression level, 0 to 10. It is high, because files are packed once and read often.
const EFFORT: u8 = 9;

impl Pattern {
    /// The value by the light weights, for move ordering.
    /// `board` may have at most 30 empty squares.
    pub fn evaluate_for_ordering(&self, board: &Board) -> Value {
        self.weights.light.evaluate(board)
    }
}

impl PatternWeights {
    /// Encodes a file of weights from weights in discs, by stage and reduced index.
    /// The weights are rounded to the unit of their feature set.
    pub fn pack(full: &[Vec<f32>], light: &[Vec<f32>]) -> Vec<u8> {
        let words = [words_of::<Full>(full), words_of::<Light>(light)].concat();
        let low = words.iter().map(|&word| word as u8);
        let high = words.iter().map(|&word| (word >> 8) as u8);
        let bytes: Vec<u8> = low.chain(high).collect();
        let mut file = WeightsKind::Pattern.magic().to_vec();
        file.extend(PatternWeights::feature_set().to_le_bytes());
        file.extend(UNITS.as_flattened());
        file.extend(checksum(&bytes).to_le_bytes());
        file.extend(deflate::compress_to_vec(&bytes, EFFORT));
        file
    }

    /// Returns the light weights of a file in the form that the library embeds.
    ///
    /// The words of a configuration lie side by side in each half, because most of them are 0 or
    /// most are not. This form packs better.
    pub fn pack_light(file: &[u8]) -> Result<Vec<u8>, WeightsError> {
        let bytes = PatternWeights::unpack(file)?;
        let count = ReducedIndex::<Light>::new().count();
        let halves = bytes.chunks_exact(bytes.len() / 2);
        let light = halves.flat_map(|half| {
            let half = &half[half.len() - Light::STAGES * count..];
            (0..count).flat_map(move |at| half[at..].iter().step_by(count))
        });
        Ok(light.copied().collect())
    }
}

/// The classes of symmetric configurations of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternClasses {
    /// Number of squares of the pattern.
    pub squares: usize,
    /// Number of instances of the pattern.
    pub instances: usize,
    /// Digits of the first configuration of each class: 0 opponent disc, 1 empty, 2 mover disc.
    pub digits: Vec<Vec<u8>>,
}

impl<F: Features> ReducedIndex<F> {
    /// Number of weights that apply to a position.
    pub(crate) const COLUMNS: usize = F::INSTANCES + F::OWN_EXTRAS;

    /// The classes of configurations of each pattern, in the order of reduced indices.
    pub fn classes(&self) -> Vec<PatternClasses> {
        let patterns = F::PATTERNS[..F::SHAPES.len()].iter();
        let mut next = 0;
        let of_pattern = |pattern: &PatternShape| {
            let half = 3_i32.pow(pattern.len as u32) / 2;
            let mut digits = Vec::new();
            for index in -half..=half {
                let reduced = self.reduced[pattern.start + pattern.slot(index as i16)];
                // A new reduced index marks the first configuration of its class.
                if reduced == next {
                    let digit = |at| ((index + half) / 3_i32.pow(at as u32) % 3) as u8;
                    digits.push((0..pattern.len).map(digit).collect());
                    next += 1;
                }
            }
            PatternClasses {
                squares: pattern.len,
                instances: pattern.instances,
                digits,
            }
        };
        patterns.map(of_pattern).collect()
    }

    /// The reduced indices of the weights that add up to the value of `board`.
    /// There are [`COLUMNS`](Self::COLUMNS) of them.
    #[inline]
    pub fn row(&self, board: &Board) -> ArrayVec<u32, MAX_COLUMNS> {
        const { assert!(Self::COLUMNS <= MAX_COLUMNS, "a row holds all columns") };
        let state = F::State::of(F::DISCS, board);
        let mut row = ArrayVec::new();
        for pattern in &F::PATTERNS[..F::SHAPES.len()] {
            let reduced = &self.reduced[pattern.start..pattern.start + pattern.room];
            let lanes = &state.lanes()[pattern.first..pattern.first + pattern.instances];
            for &lane in lanes {
                row.push(reduced[pattern.slot(lane)]);
            }
        }
        let first = self.len - F::EXTRAS;
        let extras = F::extras(board, board.legal_moves());
        for extra in &extras[..F::OWN_EXTRAS] {
            row.push((first + extra) as u32);
        }
        row
    }
}

/// Encodes the differences between the weights of each stage and of the next.
fn words_of<F: Features>(discs: &[Vec<f32>]) -> Vec<u16> {
    // The cast saturates at the range of i16.
    let unit = |&weight: &f32| (weight * F::WEIGHT_UNITS_PER_DISC as f32).round() as i16;
    let stages: Vec<Vec<i16>> = discs
        .iter()
        .map(|stage| stage.iter().map(unit).collect())
        .collect();
    let after_last = vec![0; stages.last().map_or(0, Vec::len)];
    let next_stages = stages.iter().skip(1).chain([&after_last]);
    stages
        .iter()
        .zip(next_stages)
        .flat_map(|(stage, next)| stage.iter().zip(next))
        .map(|(weight, next)| {
            let difference = weight.wrapping_sub(*next);
            (difference << 1 ^ difference >> 15) as u16
        })
        .collect()
}
