//! Symmetry-reduced indices: configurations that are symmetric images of each other share a weight.
//! A slot is the place of a configuration's weight in memory (see `shapes`).

use std::fmt;

use super::shapes::{PatternShape, image, room_of};
use crate::board::Symmetry;

/// Value in [`ReducedIndex::reduced`] for a slot without a configuration.
const NONE: u32 = u32::MAX;

/// Maps pattern indices to reduced indices, one for each class of symmetric configurations.
#[derive(Clone)]
pub struct ReducedIndex {
    patterns: &'static [PatternShape],
    /// The reduced index of each slot, or [`NONE`] for a slot without a configuration.
    reduced: Vec<u32>,
    /// Number of classes.
    count: usize,
}

impl fmt::Debug for ReducedIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReducedIndex({} classes)", self.count)
    }
}

/// The classes of a pattern's configurations. Symmetric images of each other are one class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternClasses {
    /// Number of squares of the pattern.
    pub squares: usize,
    /// Number of instances of the pattern.
    pub instances: usize,
    /// Digits of the first configuration of each class: 0 opponent disc, 1 empty, 2 mover disc.
    pub digits: Vec<Vec<u8>>,
}

impl ReducedIndex {
    /// Numbers the classes by pattern, then by the smallest pattern index in the class.
    pub(crate) fn new(patterns: &'static [PatternShape]) -> ReducedIndex {
        let mut index = ReducedIndex {
            patterns,
            reduced: vec![NONE; room_of(patterns)],
            count: 0,
        };
        for pattern in patterns {
            index.number(pattern);
        }
        index
    }

    /// Number of classes of configurations of all patterns together.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The reduced index of each slot in table order, or `None` for a slot without a configuration.
    pub(crate) fn slots(&self) -> impl Iterator<Item = Option<usize>> {
        let slots = self.reduced.iter();
        slots.map(|&index| (index != NONE).then_some(index as usize))
    }

    /// The reduced index of the configuration of each pattern instance. `lanes` are the pattern
    /// indices of a board.
    pub(crate) fn of_lanes(&self, lanes: &[i16]) -> impl Iterator<Item = u32> {
        self.patterns.iter().flat_map(move |pattern| {
            let reduced = &self.reduced[pattern.start..][..pattern.room];
            let lanes = &lanes[pattern.first..][..pattern.instances];
            lanes.iter().map(|&lane| reduced[pattern.slot(lane)])
        })
    }

    /// The classes of configurations of each pattern, in the order of reduced indices.
    pub fn classes(&self) -> Vec<PatternClasses> {
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
        self.patterns.iter().map(of_pattern).collect()
    }

    /// Numbers the configurations of a pattern. Symmetric images of each other get the same reduced
    /// index.
    fn number(&mut self, pattern: &PatternShape) {
        let half = 3_i32.pow(pattern.len as u32) / 2;
        // The cast keeps the low bits, and `slot` uses low bits only.
        let slot = |index: i32| pattern.start + pattern.slot(index as i16);
        let mut digits = vec![-1; pattern.len];
        let mut images: Vec<_> = digit_weights(pattern)
            .into_iter()
            .map(|weights| (-half, weights))
            .collect();
        for index in -half..=half {
            if self.reduced[slot(index)] == NONE {
                for (image, _) in &images {
                    self.reduced[slot(*image)] = self.count as u32;
                }
                self.count += 1;
            }
            // Increments `digits`: −1 becomes 0, 0 becomes 1, and 1 becomes −1 with a carry. Each
            // changed digit also changes the indices of the images.
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

/// Returns a list for each symmetry that maps the pattern to itself, the identity first.
/// The symmetry moves each digit of a configuration to another place of the index. The list has, by
/// digit, the power of 3 that belongs to the new place.
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
