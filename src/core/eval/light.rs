//! The light evaluation: a sum of fitted weights of disc configurations (Buro 1997).
//! It orders moves in the endgame, where ordering by the net would take more time than it saves.
//!
//! A configuration is the content of the squares of a pattern: see `patterns/shapes.rs`. A table
//! has a weight for each class of symmetric configurations, and is for two or three adjacent
//! numbers of empties. The weights for parity and number of moves come last.
//!
//! A file of weights consists of 16-bit words. Each weight has one word for each table, and these
//! words are adjacent. A word is the weight in its table minus the weight in the next table (0
//! after the last table). The difference is zigzag-coded: 0, −1, 1, −2, … become 0, 1, 2, 3, …. The
//! file has the low bytes of all words, then the high bytes. Rare configurations have the same
//! weight in many tables. Many words are therefore 0, and the file compresses well.

use std::cmp::Ordering;
use std::fmt;
use std::sync::{Arc, OnceLock};

use arrayvec::ArrayVec;

use super::patterns::shapes::{self, PatternShape, instances_of, patterns, room_of};
use super::patterns::state::{State, discs};
use super::patterns::{MAX_MOBILITY, ReducedIndex, mobility};
use super::{Incremental, Value, WeightsError};
use crate::board::{Bitboard, Board};

/// Largest number of empties that the tables distinguish. Positions with more empties use the
/// weights for 30 empties.
pub const MOST_EMPTIES: u32 = 30;

/// Number of tables of weights. Each table covers two numbers of empties, except the last table,
/// which covers three (0..=2).
pub const TABLES: usize = 15;

/// The patterns. One AVX2 register holds the 16-bit indices of all their instances.
static PATTERNS: [PatternShape; 3] = PATTERN_SHAPES;
const PATTERN_SHAPES: [PatternShape; 3] = patterns([shapes::CORNER, shapes::EDGE, shapes::BLOCK]);

static DISCS: [State<1>; 64] = discs(&PATTERN_SHAPES);

/// Number of slots for pattern weights in a table. Each configuration has a slot. The number of
/// slots of a pattern is a power of two, so some slots belong to no configuration.
const ROOM: usize = room_of(&PATTERN_SHAPES);

/// Number of extra weights in a table, which come after the pattern weights: 2 for the parity of
/// the number of empties, the others for the number of legal moves.
pub const EXTRAS: usize = 2 + MAX_MOBILITY + 1;

/// Number of weights that add up to the value of a position: one for each pattern instance, one for
/// the parity and one for the number of legal moves.
pub const COLUMNS: usize = instances_of(&PATTERN_SHAPES) + 2;

/// Returns the index of the table for a position with `empties` empty squares.
#[inline]
pub const fn table(empties: u32) -> usize {
    let index = MOST_EMPTIES.saturating_sub(empties) as usize / 2;
    if index < TABLES { index } else { TABLES - 1 }
}

/// Returns the map from pattern indices to reduced indices, for the patterns of this evaluation.
pub fn reduced_index() -> ReducedIndex {
    ReducedIndex::new(&PATTERNS)
}

/// Returns the columns of `board`. The column of a weight is its index in a table with one weight
/// for each class of symmetric configurations, followed by the extra weights. The weights in the
/// columns of `board` add up to the value of `board`.
/// `index` is the result of [`reduced_index`]. The column of a class is its reduced index.
pub fn columns(index: &ReducedIndex, board: &Board) -> ArrayVec<u32, COLUMNS> {
    let state = State::of(&DISCS, board);
    let extras = extras(board, board.legal_moves()).map(|extra| (index.count() + extra) as u32);
    index.of_lanes(state.lanes()).chain(extras).collect()
}

/// Returns the indices of the extra weights of a board with the legal moves `moves`.
#[inline]
fn extras(board: &Board, moves: Bitboard) -> [usize; 2] {
    [board.empty_count() as usize % 2, 2 + mobility(moves)]
}

/// The weights of the light evaluation.
#[derive(Clone, PartialEq, Eq)]
pub struct Light {
    /// The tables, indexed by [`table`]. Each table has the weights in the slots of the patterns,
    /// then the extra weights, in units of [`Value`].
    tables: Vec<Box<[i16]>>,
}

impl fmt::Debug for Light {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Light({} tables)", self.tables.len())
    }
}

impl Light {
    /// Returns the weights that the library embeds. The build script unpacks them.
    ///
    /// # Panics
    /// If the embedded weights have the wrong length. A test checks their length.
    pub fn embedded() -> Arc<Light> {
        const BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/light.bin"));
        static WEIGHTS: OnceLock<Arc<Light>> = OnceLock::new();
        WEIGHTS
            .get_or_init(|| Arc::new(Light::from_bytes(BYTES).expect("the length is right")))
            .clone()
    }

    /// Decodes a file of weights. Only the length of the file is checked.
    pub fn from_bytes(file: &[u8]) -> Result<Light, WeightsError> {
        let index = reduced_index();
        let count = index.count() + EXTRAS;
        match file.len().cmp(&(2 * TABLES * count)) {
            Ordering::Less => return Err(WeightsError::Truncated),
            Ordering::Greater => return Err(WeightsError::Longer),
            Ordering::Equal => {}
        }
        let (low, high) = file.split_at(file.len() / 2);
        let bytes = low.iter().zip(high);
        let words = bytes.map(|(&low, &high)| u16::from_le_bytes([low, high]));
        let differences: Vec<i16> = words
            .map(|word| (word >> 1) as i16 ^ -((word & 1) as i16))
            .collect();
        let mut weights = vec![0_i16; count];
        let mut next_table = |at: usize| -> Box<[i16]> {
            for (weight, by_table) in weights.iter_mut().zip(differences.chunks_exact(TABLES)) {
                *weight = weight.wrapping_add(by_table[at]);
            }
            let slots = index.slots().map(|slot| slot.map_or(0, |at| weights[at]));
            slots
                .chain(weights[index.count()..].iter().copied())
                .collect()
        };
        let mut tables: Vec<_> = (0..TABLES).rev().map(&mut next_table).collect();
        tables.reverse();
        Ok(Light { tables })
    }

    /// Encodes weights as a file. `discs` has the weights in discs, by table, then by
    /// [column](columns).
    /// The weights are rounded to the unit of [`Value`], and clamped to the range of 16 bits.
    pub fn pack(discs: &[Vec<f32>; TABLES]) -> Vec<u8> {
        // The cast saturates at the range of i16.
        let unit = |weight: f32| (weight * Value::PER_DISC as f32).round() as i16;
        let word = |column: usize, table: usize| -> u16 {
            let next = discs.get(table + 1).map_or(0, |next| unit(next[column]));
            let difference = unit(discs[table][column]).wrapping_sub(next);
            (difference << 1 ^ difference >> 15) as u16
        };
        let words: Vec<u16> = (0..discs[0].len())
            .flat_map(|column| (0..TABLES).map(move |table| word(column, table)))
            .collect();
        let low = words.iter().map(|&word| word as u8);
        low.chain(words.iter().map(|&word| (word >> 8) as u8))
            .collect()
    }

    /// Returns the value of `board`, computed from scratch.
    pub fn evaluate(&self, board: &Board) -> Value {
        self.value(board, board.legal_moves(), &self.state(board))
    }
}

impl Incremental for Light {
    type State = State<1>;

    #[inline]
    fn state(&self, board: &Board) -> State<1> {
        State::of(&DISCS, board)
    }

    #[inline]
    fn after(&self, state: &State<1>, parent: &Board, child: &Board) -> State<1> {
        state.after(&DISCS, parent, child)
    }

    #[inline]
    fn passed(&self, state: &State<1>) -> State<1> {
        state.passed()
    }

    #[inline]
    fn value(&self, board: &Board, moves: Bitboard, state: &State<1>) -> Value {
        debug_assert_eq!(
            *state,
            self.state(board),
            "the state belongs to another board"
        );
        // A slice of constant length, so that the compiler removes the bounds checks.
        let table = &self.tables[table(board.empty_count())][..ROOM + EXTRAS];
        let [parity, mobility] = extras(board, moves);
        let sum = sum_of::<0>(table, state.lanes())
            + sum_of::<1>(table, state.lanes())
            + sum_of::<2>(table, state.lanes())
            + i32::from(table[ROOM + parity])
            + i32::from(table[ROOM + mobility]);
        Value::from_units(sum).clamped()
    }
}

/// Returns the sum of the weights of all instances of pattern `P`.
/// `P` is constant, so that the loop is unrolled and has no bounds checks.
#[inline]
fn sum_of<const P: usize>(table: &[i16], lanes: &[i16]) -> i32 {
    let pattern = const { PATTERN_SHAPES[P] };
    let mut sum = 0;
    for lane in pattern.first..pattern.first + pattern.instances {
        sum += i32::from(table[pattern.start + pattern.slot(lanes[lane])]);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::testing::boards_of_games;

    /// Returns random weights in discs, most of them zero.
    fn some_weights(seed: u64) -> [Vec<f32>; TABLES] {
        let mut random = fastrand::Rng::with_seed(seed);
        std::array::from_fn(|_| {
            let mut weights = vec![0.0; reduced_index().count() + EXTRAS];
            for weight in weights.iter_mut().step_by(97) {
                *weight = random.f32() * 8.0 - 4.0;
            }
            weights
        })
    }

    #[test]
    fn a_value_is_the_sum_of_the_weights_of_its_columns() {
        let (weights, index) = (some_weights(1), reduced_index());
        let light = Light::from_bytes(&Light::pack(&weights)).unwrap();
        for board in boards_of_games(6, 2000) {
            let weights = &weights[table(board.empty_count())];
            let columns = columns(&index, &board);
            let sum: f32 = columns.iter().map(|&column| weights[column as usize]).sum();
            let value = light.evaluate(&board).discs();
            let error = (value - f64::from(sum).clamp(-64.0, 64.0)).abs();
            // Each of the `COLUMNS` weights is rounded to 1/32 disc, with an error of up to half a
            // unit.
            assert!(
                error <= 0.5 * COLUMNS as f64 / 32.0,
                "{value} for {sum}: {board:?}"
            );
        }
    }

    #[test]
    fn weights_beyond_the_range_are_clamped() {
        let mut weights = some_weights(2);
        for table in &mut weights {
            table.fill(1e9);
        }
        let light = Light::from_bytes(&Light::pack(&weights)).unwrap();
        assert_eq!(light.evaluate(&Board::START), Value::MAX);
    }

    #[test]
    fn files_of_another_length_are_refused() {
        let file = Light::pack(&some_weights(3));
        for (bytes, error) in [
            (&file[..0], WeightsError::Truncated),
            (&file[1..], WeightsError::Truncated),
            (&[&file[..], b"\0"].concat(), WeightsError::Longer),
        ] {
            assert_eq!(Light::from_bytes(bytes), Err(error));
        }
        Light::embedded();
    }
}
