//! Which arrangements are mirror images of each other and so share a weight. Stands on `features`.

use std::marker::PhantomData;

use arrayvec::ArrayVec;

use super::features::Features;
use super::shapes::{Pattern, image};
use super::state::Numbers;
use crate::board::{Board, Symmetry};

/// Most weights that a position is the sum of, in any set of features.
pub(crate) const MOST_COLUMNS: usize = 64;

/// Stands for an arrangement that there is not.
const NONE: u32 = u32::MAX;

/// Gives each class of arrangements its number, and the extras the numbers after all of them.
#[derive(Clone, Debug)]
pub(crate) struct Folding<F> {
    /// The number of the weight of each arrangement; [`NONE`] for the gaps between patterns.
    numbers: Vec<u32>,
    len: usize,
    features: PhantomData<F>,
}

impl<F: Features> Folding<F> {
    /// How many weights a position is the sum of.
    pub(crate) const COLUMNS: usize = F::PLACES + F::OWN_EXTRAS;

    /// The numbers in the order of patterns and, within a pattern, of the least arrangement of a class.
    pub(crate) fn new() -> Folding<F> {
        let mut folding = Folding {
            numbers: vec![NONE; F::ROOM],
            len: 0,
            features: PhantomData,
        };
        for pattern in &F::PATTERNS[..F::SHAPES.len()] {
            folding.number(pattern);
        }
        folding.len += F::EXTRAS;
        folding
    }

    /// How many weights a stage has.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The table of a stage whose weights, in order of their numbers, are these.
    pub(super) fn unfold(&self, weights: &[i16]) -> Box<[i16]> {
        let extras = self.len - F::EXTRAS..self.len;
        self.numbers
            .iter()
            .map(|&number| weights.get(number as usize).copied().unwrap_or(0))
            .chain(extras.map(|number| weights[number]))
            .collect()
    }

    /// The weights in order of their numbers of a stage whose table this is: the reverse of [`unfold`](Self::unfold).
    pub(super) fn fold(&self, table: &[i16]) -> Vec<i16> {
        let mut weights = vec![0; self.len];
        let extras = (self.len - F::EXTRAS..self.len).map(|number| number as u32);
        for (number, &weight) in self.numbers.iter().copied().chain(extras).zip(table) {
            if number != NONE {
                weights[number as usize] = weight;
            }
        }
        weights
    }

    /// The numbers of the [`COLUMNS`](Self::COLUMNS) weights whose sum is the worth of `board`.
    #[inline]
    pub(crate) fn row(&self, board: &Board) -> ArrayVec<u32, MOST_COLUMNS> {
        const { assert!(Self::COLUMNS <= MOST_COLUMNS, "a row has room for all") };
        let state = F::State::of(F::DISCS, board);
        let mut row = ArrayVec::new();
        for pattern in &F::PATTERNS[..F::SHAPES.len()] {
            let numbers = &self.numbers[pattern.start..pattern.start + pattern.room];
            let lanes = &state.lanes()[pattern.first..pattern.first + pattern.places];
            for &lane in lanes {
                row.push(numbers[pattern.slot(lane)]);
            }
        }
        let first = self.len - F::EXTRAS;
        let extras = F::extras(board, board.legal_moves());
        for extra in &extras[..F::OWN_EXTRAS] {
            row.push((first + extra) as u32);
        }
        row
    }

    /// Numbers the arrangements of a pattern, those that mirror each other with the same number.
    fn number(&mut self, pattern: &Pattern) {
        let orders = digit_orders(pattern);
        let powers: Vec<i32> = (0..pattern.len)
            .map(|digit| 3_i32.pow(digit as u32))
            .collect();
        let half = 3_i32.pow(pattern.len as u32) / 2;
        // The cast keeps the low bits, which are all that counts.
        let slot = |number: i32| pattern.start + pattern.slot(number as i16);
        let mut digits = vec![-1; pattern.len];
        for number in -half..=half {
            if self.numbers[slot(number)] == NONE {
                for order in &orders {
                    let alike: i32 = powers
                        .iter()
                        .zip(order)
                        .map(|(power, &digit)| power * digits[digit])
                        .sum();
                    self.numbers[slot(alike)] = self.len as u32;
                }
                self.len += 1;
            }
            // The next number: −1 becomes 0, 0 becomes 1, and 1 becomes −1 with a carry.
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
