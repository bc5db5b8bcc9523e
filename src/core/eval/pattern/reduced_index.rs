//! Symmetry-reduced indices: configurations that are symmetric images of each other share a weight.

use std::fmt;
use std::marker::PhantomData;

use super::features::Features;
use super::shapes::{PatternShape, image};
use crate::board::Symmetry;

/// Marks a slot of the table without a configuration.
pub(super) const NONE: u32 = u32::MAX;

/// Maps pattern indices to reduced indices, one for each class of symmetric configurations.
/// The reduced indices of the extras come last.
#[derive(Clone)]
pub struct ReducedIndex<F> {
    /// The reduced index of each slot, or [`NONE`] for the gaps between patterns.
    pub(super) reduced: Vec<u32>,
    /// Number of classes of configurations.
    pub len: usize,
    features: PhantomData<F>,
}

impl<F> fmt::Debug for ReducedIndex<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReducedIndex({} classes)", self.len)
    }
}

impl<F: Features> Default for ReducedIndex<F> {
    fn default() -> ReducedIndex<F> {
        ReducedIndex::new()
    }
}

impl<F: Features> ReducedIndex<F> {
    /// Numbers the classes by pattern, then by the smallest configuration of the class.
    pub fn new() -> ReducedIndex<F> {
        let mut index = ReducedIndex {
            reduced: vec![NONE; F::ROOM],
            len: 0,
            features: PhantomData,
        };
        for pattern in &F::PATTERNS[..F::SHAPES.len()] {
            index.number(pattern);
        }
        index.len += F::EXTRAS;
        index
    }

    /// Number of weights of a stage, including extras.
    pub fn count(&self) -> usize {
        self.len
    }

    /// Number of classes of configurations, without extras.
    pub fn configurations(&self) -> usize {
        self.len - F::EXTRAS
    }

    /// The reduced index of each slot in table order, or `None` for a gap.
    pub(crate) fn slots(&self) -> impl Iterator<Item = Option<usize>> {
        let slots = self.reduced.iter();
        slots.map(|&index| (index != NONE).then_some(index as usize))
    }

    /// Expands the weights of a stage from reduced indices to a table by pattern index.
    pub(super) fn expand(&self, weights: &[i16]) -> Box<[i16]> {
        let extras = self.len - F::EXTRAS..self.len;
        self.reduced
            .iter()
            .map(|&index| weights.get(index as usize).copied().unwrap_or(0))
            .chain(extras.map(|index| weights[index]))
            .collect()
    }

    /// Numbers the configurations of a pattern. Mirrored configurations get the same reduced index.
    fn number(&mut self, pattern: &PatternShape) {
        let half = 3_i32.pow(pattern.len as u32) / 2;
        // The cast keeps the low bits, and `slot` needs no others.
        let slot = |index: i32| pattern.start + pattern.slot(index as i16);
        let mut digits = vec![-1; pattern.len];
        let mut images: Vec<_> = digit_weights(pattern)
            .into_iter()
            .map(|weights| (-half, weights))
            .collect();
        for index in -half..=half {
            if self.reduced[slot(index)] == NONE {
                for (image, _) in &images {
                    self.reduced[slot(*image)] = self.len as u32;
                }
                self.len += 1;
            }
            // Increments the index: −1 becomes 0, 0 becomes 1, and 1 becomes −1 with a carry.
            for (at, digit) in digits.iter_mut().enumerate() {
                let change = if *digit == 1 { -2 } else { 1 };
                *digit += change;
                for (image, weights) in &mut images {
                    *image += change * weights[at];
                }
                if change == 1 {
                    break;
                }
            }
        }
    }
}

/// The weight of each digit in the index of the image of a configuration, for each symmetry that
/// maps the pattern to itself, the identity first.
fn digit_weights(pattern: &PatternShape) -> Vec<Vec<i32>> {
    let home = &image(pattern.shape, Symmetry::IDENTITY)[..pattern.len];
    Symmetry::all()
        .filter_map(|symmetry| {
            let moved = &image(pattern.shape, symmetry)[..pattern.len];
            home.iter()
                .map(|square| moved.iter().position(|other| other == square))
                .map(|digit| digit.map(|digit| 3_i32.pow(digit as u32)))
                .collect()
        })
        .collect()
}
