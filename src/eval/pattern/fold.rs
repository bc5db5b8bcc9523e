//! Which arrangements are mirror images of each other and so share a weight. Stands on `shapes`.

use super::shapes::{PATTERNS, PLACES, Pattern, ROOM, SHAPES, image};
use super::state::State;
use super::weights::Table;
use crate::board::{Bitboard, Board};

/// More moves than this hardly ever are to choose from, and count as this many.
const MOST_MOVES: usize = 31;

/// Weights besides those of patterns: for an even and an odd number of empty squares, for each number of moves the mover
/// has, and for each number the opponent would have.
pub(super) const EXTRAS: usize = 2 + 2 * (MOST_MOVES + 1);

/// Which of the [`EXTRAS`] a board with these legal moves has.
#[inline]
pub(super) fn extras(board: &Board, moves: Bitboard) -> [usize; 3] {
    let count = |moves: Bitboard| (moves.count() as usize).min(MOST_MOVES);
    [
        board.empty_count() as usize % 2,
        2 + count(moves),
        2 + MOST_MOVES + 1 + count(board.pass().legal_moves()),
    ]
}

/// How many weights a position is the sum of.
const COLUMNS: usize = PLACES + 3;

/// The numbers of the weights that a position is the sum of.
pub(crate) type Row = [u32; COLUMNS];

/// Stands for an arrangement that there is not.
const NONE: u32 = u32::MAX;

/// Gives each class of arrangements its number, and the extras the numbers after all of them.
#[derive(Clone, Debug)]
pub(crate) struct Folding {
    /// The number of the weight of each arrangement; [`NONE`] for the gaps between patterns.
    numbers: Vec<u32>,
    len: usize,
}

impl Folding {
    /// The numbers in the order of patterns and, within a pattern, of the least arrangement of a class.
    pub(crate) fn new() -> Folding {
        let mut folding = Folding {
            numbers: vec![NONE; ROOM],
            len: 0,
        };
        for (at, pattern) in PATTERNS.iter().enumerate() {
            folding.number(pattern, &digit_orders(at));
        }
        folding.len += EXTRAS;
        folding
    }

    /// How many weights a stage has.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The table of a stage whose weights, in order of their numbers, are these.
    pub(super) fn unfold(&self, weights: &[i16]) -> Box<Table> {
        let extras = self.len - EXTRAS..self.len;
        let unfolded: Box<[i16]> = self
            .numbers
            .iter()
            .map(|&number| weights.get(number as usize).copied().unwrap_or(0))
            .chain(extras.map(|number| weights[number]))
            .collect();
        unfolded
            .try_into()
            .expect("a weight for each number and extra")
    }

    /// The weights whose sum is the worth of `board`.
    pub(crate) fn row(&self, board: &Board) -> Row {
        let state = State::of(board);
        let mut row = [0; COLUMNS];
        for pattern in &PATTERNS {
            let places = pattern.first..pattern.first + pattern.places;
            for (column, number) in row[places.clone()].iter_mut().zip(&state.0[places]) {
                *column =
                    self.numbers[pattern.start + (*number as u16 as usize & (pattern.room - 1))];
            }
        }
        let first = self.len - EXTRAS;
        for (column, extra) in row[PLACES..]
            .iter_mut()
            .zip(extras(board, board.legal_moves()))
        {
            *column = (first + extra) as u32;
        }
        row
    }

    /// Numbers the arrangements of a pattern, those alike under one of the `orders` of its digits with the same number.
    fn number(&mut self, pattern: &Pattern, orders: &[Vec<usize>]) {
        let powers: Vec<i32> = (0..pattern.len)
            .map(|digit| 3_i32.pow(digit as u32))
            .collect();
        let half = 3_i32.pow(pattern.len as u32) / 2;
        let slot = |number: i32| pattern.start + (number as usize & (pattern.room - 1));
        let mut digits = vec![-1; pattern.len];
        for number in -half..=half {
            if self.numbers[slot(number)] == NONE {
                for order in orders {
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
fn digit_orders(at: usize) -> Vec<Vec<usize>> {
    let len = PATTERNS[at].len;
    let home = &image(SHAPES[at], 0)[..len];
    (0..8)
        .filter_map(|symmetry| {
            let moved = &image(SHAPES[at], symmetry)[..len];
            moved
                .iter()
                .map(|square| home.iter().position(|other| other == square))
                .collect()
        })
        .collect()
}
