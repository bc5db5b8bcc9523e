//! The model of a table of weights: a linear prediction of each number, and the code of its
//! residual.
//!
//! A record holds the weights of one configuration of a pattern, a plane those of one game phase.
//! A weight is close to those of neighbouring configurations, to those before it in its record,
//! and to that of the same configuration in the plane before. A linear filter for each column
//! learns the prediction while it codes (normalised LMS, Widrow and Hoff 1960).

use super::coder::Coder;
use super::mixer::{CONTEXTS, Mixer};

/// Dimensions of a table. Its numbers are ordered by plane, record and column.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Number of planes, such as game phases.
    pub planes: usize,
    /// Number of records in a plane, one for each configuration.
    pub records: usize,
    /// Number of columns in a record, such as neurons or game stages.
    pub columns: usize,
}

impl Shape {
    /// Number of numbers in the table.
    pub fn count(self) -> usize {
        self.planes * self.records * self.columns
    }
}

/// Distances to the earlier records that predict a record: mostly powers of three,
/// because a configuration is a number with base 3 and one digit a square.
const LAGS: [usize; 10] = [1, 2, 3, 6, 9, 18, 27, 54, 81, 243];

/// Maximum number of inputs of the filter.
const INPUTS: usize = 128;

/// Fractional bits of the filter's weights.
const FRACTION: u32 = 18;

/// Learning rate of the filter.
const LEARNING_RATE: i64 = 100;

/// Sum of squares that is added to the power of the inputs.
const MIN_POWER: i32 = 400;

/// Number of results of [`error_class`].
const ERROR_CLASSES: usize = 40;

/// Largest number of bits in the magnitude of a residual.
const MAX_BITS: usize = 17;

/// First nodes of the parts of a number's code: length, sign and magnitude of the residual.
/// Node 0 codes whether the number equals its reference.
const LENGTH_NODE: usize = 1;
const SIGN_NODE: usize = 19;
const MAGNITUDE_NODE: usize = 20;

/// Largest error that is kept, in units of 1/16.
const MAX_ERROR: i32 = 4000;

/// Four times the binary logarithm of an error, rounded down.
fn error_class(error: i32) -> usize {
    let error = (error + 3) as u32;
    let exponent = error.ilog2();
    let quarter = (error << 2 >> exponent) & 3;
    ((exponent * 4 + quarter).saturating_sub(4) as usize).min(ERROR_CLASSES - 1)
}

/// The linear filter of a column.
#[derive(Clone, Debug)]
struct Filter([i32; INPUTS]);

impl Filter {
    /// The prediction with [`FRACTION`] fractional bits.
    /// Also returns the power of the inputs: the sum of their squares.
    fn predict(&self, inputs: &[i32]) -> (i32, i32) {
        let (mut sum, mut power) = (0_i32, MIN_POWER);
        for (input, weight) in inputs.iter().zip(&self.0) {
            sum = sum.wrapping_add(weight.wrapping_mul(*input));
            power = power.wrapping_add(input.wrapping_mul(*input));
        }
        (sum, power)
    }

    /// Adapts the weights to an error of the prediction, in units of 1/256.
    fn adapt(&mut self, inputs: &[i32], power: i32, error: i32) {
        let power = i64::from(power.max(MIN_POWER));
        let gain = (((i64::from(error) * LEARNING_RATE) << FRACTION) / power) >> 8;
        for (input, weight) in inputs.iter().zip(&mut self.0) {
            let change = ((gain as i32).wrapping_mul(*input) + (1 << 9)) >> 10;
            *weight = weight.wrapping_add(change);
        }
    }
}

/// Codes all numbers of a table. A decoder sets `numbers`, a lossy encoder those that it rounds.
pub fn code(coder: &mut impl Coder, shape: Shape, numbers: &mut [i16]) {
    let mut mixer = Mixer::new(shape.planes * ERROR_CLASSES);
    let size = shape.records * shape.columns;
    for index in 0..shape.planes {
        let (done, own) = numbers.split_at_mut(index * size);
        let mut plane = Plane {
            index,
            columns: shape.columns,
            before: index.checked_sub(1).map(|before| &done[before * size..]),
            own: &mut own[..size],
            errors: vec![0; size],
            equal: vec![false; size],
        };
        plane.code(coder, &mut mixer);
    }
}

/// A plane while it is coded.
struct Plane<'a> {
    index: usize,
    columns: usize,
    /// The numbers of the plane before, if there is one.
    before: Option<&'a [i16]>,
    own: &'a mut [i16],
    /// The error of each prediction, in units of 1/16.
    errors: Vec<u16>,
    /// Whether each number equals its reference, which is its counterpart in the plane before.
    equal: Vec<bool>,
}

/// Statistics of the numbers of the current record that are already coded.
struct Recent {
    /// Running average of the prediction error, in units of 1/16.
    error: i32,
    /// Running average of 24 for each number that equals its reference and 0 for each other one.
    equal: i32,
    /// Count of numbers that differ from their reference.
    unequal: usize,
}

impl Plane<'_> {
    fn code(&mut self, coder: &mut impl Coder, mixer: &mut Mixer) {
        let mut filters = vec![Filter([0; INPUTS]); self.columns];
        if self.before.is_some() {
            for (column, filter) in filters.iter_mut().enumerate() {
                filter.0[1 + 2 * LAGS.len() + column] = 1 << FRACTION;
            }
        }
        for first in (0..self.own.len()).step_by(self.columns) {
            let mut recent = Recent {
                error: 100,
                equal: 8,
                unequal: 0,
            };
            let record = (self.index * self.own.len() + first) / self.columns;
            for (at, filter) in (first..).zip(&mut filters) {
                let mut inputs = [0; INPUTS];
                let count = self.inputs(first, at, &mut inputs);
                let inputs = &inputs[..count.next_multiple_of(8)];
                let (prediction, power) = filter.predict(inputs);
                let guess = prediction.wrapping_add(1 << (FRACTION - 1)) >> FRACTION;
                let reference = self.before.map_or(0, |before| before[at].into());
                let contexts = self.contexts(first, at, guess, reference, &recent);
                mixer.select(
                    contexts,
                    self.index * ERROR_CLASSES + error_class(recent.error),
                );
                let shorter = [reference, guess];
                let number = coder.choose(record, self.own[at].into(), shorter);
                let number = code_number(coder, mixer, number, reference, guess);
                let error = (number << FRACTION).wrapping_sub(prediction) >> (FRACTION - 8);
                filter.adapt(inputs, power, error.clamp(-(1 << 20), 1 << 20));
                self.own[at] = number as i16;
                self.equal[at] = number == reference;
                let error = (error.abs() >> 4).min(MAX_ERROR);
                self.errors[at] = error as u16;
                recent.error += (error - recent.error) >> 2;
                recent.equal += (if self.equal[at] { 24 } else { 0 } - recent.equal) >> 2;
                recent.unequal += usize::from(!self.equal[at]);
            }
        }
    }

    /// The number of the same column `lag` records before the one at `at`.
    fn above(&self, at: usize, lag: usize) -> Option<usize> {
        at.checked_sub(lag * self.columns)
    }

    /// Collects the inputs of the filter for the number at `at` of the record that starts at
    /// `first`, and returns their count: a constant, earlier records, the record of the plane
    /// before, and the numbers before it in its own record.
    fn inputs(&self, first: usize, at: usize, inputs: &mut [i32; INPUTS]) -> usize {
        inputs[0] = 4;
        let mut count = 1;
        for lag in LAGS {
            if let Some(above) = self.above(at, lag) {
                inputs[count] = self.own[above].into();
                inputs[count + 1] = match self.before {
                    Some(before) => before[above].into(),
                    None if at > first => self.own[above - 1].into(),
                    None => 0,
                };
            }
            count += 2;
        }
        let before = self
            .before
            .map(|before| &before[first..first + self.columns]);
        let numbers = before
            .into_iter()
            .flatten()
            .chain(self.own[first..at].iter().rev());
        for (input, number) in inputs[count..].iter_mut().zip(numbers) {
            *input = i32::from(*number);
            count += 1;
        }
        count
    }

    /// The contexts that select the probability estimates for the number at `at`.
    fn contexts(
        &self,
        first: usize,
        at: usize,
        guess: i32,
        reference: i32,
        recent: &Recent,
    ) -> [usize; CONTEXTS] {
        let column = at - first;
        let above = |lag| self.above(at, lag);
        let above_equal = |lag| usize::from(above(lag).is_some_and(|above| self.equal[above]));
        let before_equal = |lag| usize::from(column >= lag && self.equal[at - lag]);
        let error = |lag| above(lag).map_or(80, |above| i32::from(self.errors[above]));
        let above_error = error_class([1, 3, 9, 27].map(error).into_iter().sum::<i32>() / 4);
        let recent_error = error_class(recent.error);
        let any_unequal = usize::from(recent.unequal > 0);
        let distance = ((reference - guess).clamp(-20, 20) + 20) as usize;
        let here = self.index * self.columns + column;
        [
            ((here * 16 + recent.equal as usize) * 2 + above_equal(1)) * 4
                + before_equal(1) * 2
                + before_equal(2),
            (self.index * ERROR_CLASSES + error_class(guess.abs().min(MAX_ERROR) << 4))
                * ERROR_CLASSES
                + recent_error,
            ((here * 16 + recent.unequal.min(15)) * 2 + before_equal(1)) * 4
                + above_equal(1) * 2
                + above_equal(3),
            ((self.index * ERROR_CLASSES + above_error) * ERROR_CLASSES + recent_error) * 2
                + any_unequal,
            (here * 41 + distance) * 2 + any_unequal,
        ]
    }
}

/// Codes a number: whether it equals `reference`, or else its difference from `guess`,
/// as number of bits (unary), sign, and the bits below the highest.
fn code_number(
    coder: &mut impl Coder,
    mixer: &mut Mixer,
    number: i32,
    reference: i32,
    guess: i32,
) -> i32 {
    if mixer.code(coder, number == reference, 0) {
        return reference;
    }
    let residual = number.wrapping_sub(guess);
    let magnitude = residual.unsigned_abs();
    let bits = (u32::BITS - magnitude.leading_zeros()) as usize;
    let mut length = 0;
    while length < MAX_BITS && mixer.code(coder, bits > length, LENGTH_NODE + length) {
        length += 1;
    }
    if length == 0 {
        return guess;
    }
    let is_negative = mixer.code(coder, residual < 0, SIGN_NODE);
    let mut value = 1;
    for at in (0..length - 1).rev() {
        let bit = magnitude >> at & 1 == 1;
        // The two bits after the highest are modelled. Those below are nearly random.
        let bit = if value < 4 {
            mixer.code(
                coder,
                bit,
                MAGNITUDE_NODE + length.min(9) * 4 + value as usize,
            )
        } else {
            coder.code(bit, 1 << 15)
        };
        value = value << 1 | i32::from(bit);
    }
    if is_negative {
        guess.wrapping_sub(value)
    } else {
        guess.wrapping_add(value)
    }
}
