//! The symmetry-reduced index: configurations that are symmetric images of each other share a weight.

use std::marker::PhantomData;

use super::features::Features;
use super::shapes::{Pattern, image};
use crate::board::Symmetry;

/// Stands for a configuration that there is not.
pub(super) const NONE: u32 = u32::MAX;

/// The reduced index of each class of configurations; those of the extras come after all of them.
#[derive(Clone, Debug)]
pub(crate) struct ReducedIndex<F> {
    /// The reduced index by pattern index; [`NONE`] for the gaps between patterns.
    pub(super) reduced: Vec<u32>,
    pub(super) len: usize,
    features: PhantomData<F>,
}

impl<F: Features> ReducedIndex<F> {
    /// Indices run in the order of patterns and, within a pattern, of the least configuration of a class.
    pub(crate) fn new() -> ReducedIndex<F> {
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

    /// How many weights a stage has.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// How many classes of configurations there are: weights without those of extras.
    pub(crate) fn configurations(&self) -> usize {
        self.len - F::EXTRAS
    }

    /// The reduced index of each pattern index, in the order of tables; `None` where there is no configuration.
    pub(in crate::eval) fn slots(&self) -> impl Iterator<Item = Option<usize>> {
        let slots = self.reduced.iter();
        slots.map(|&index| (index != NONE).then_some(index as usize))
    }

    /// The table of a stage by pattern index, of which these are the weights by reduced index.
    pub(super) fn expand(&self, weights: &[i16]) -> Box<[i16]> {
        let extras = self.len - F::EXTRAS..self.len;
        self.reduced
            .iter()
            .map(|&index| weights.get(index as usize).copied().unwrap_or(0))
            .chain(extras.map(|index| weights[index]))
            .collect()
    }

    /// Numbers the configurations of a pattern: those that mirror each other get the same reduced index.
    fn number(&mut self, pattern: &Pattern) {
        let orders = digit_orders(pattern);
        let powers: Vec<i32> = (0..pattern.len)
            .map(|digit| 3_i32.pow(digit as u32))
            .collect();
        let half = 3_i32.pow(pattern.len as u32) / 2;
        // The cast keeps the low bits, which are all that counts.
        let slot = |index: i32| pattern.start + pattern.slot(index as i16);
        let mut digits = vec![-1; pattern.len];
        for index in -half..=half {
            if self.reduced[slot(index)] == NONE {
                for order in &orders {
                    let alike: i32 = powers
                        .iter()
                        .zip(order)
                        .map(|(power, &digit)| power * digits[digit])
                        .sum();
                    self.reduced[slot(alike)] = self.len as u32;
                }
                self.len += 1;
            }
            // The next index: −1 becomes 0, 0 becomes 1, and 1 becomes −1 with a carry.
            for digit in &mut digits {
                *digit = if *digit == 1 { -1 } else { *digit + 1 };
                if *digit != -1 {
                    break;
                }
            }
        }
    }
}

/// For each symmetry that leaves a pattern in its place: which digit comes to stand where. The first is the order as it is.
fn digit_orders(pattern: &Pattern) -> Vec<Vec<usize>> {
    let home = &image(pattern.shape, Symmetry::IDENTITY)[..pattern.len];
    Symmetry::all()
        .filter_map(|symmetry| {
            let moved = &image(pattern.shape, symmetry)[..pattern.len];
            moved
                .iter()
                .map(|square| home.iter().position(|other| other == square))
                .collect()
        })
        .collect()
}
