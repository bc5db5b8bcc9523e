//! The model of a table of weights: a linear prediction of each number, and the code of its
//! residual.
//!
//! A record holds the weights of one configuration of a pattern, a plane those of one game phase.
//! A weight is close to those of neighbouring configurations, to those before it in its record,
//! and to that of the same configuration in the plane before.

use std::array::from_fn;

use super::coder::{Coder, Estimate};
use super::filter::{FRACTION, Filters, MAX_COLUMNS, ROWS, Row};

/// Dimensions of a table. Its numbers are ordered by plane, record and column.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Number of planes, such as game phases.
    pub planes: usize,
    /// Number of records in a plane, one for each configuration.
    pub records: usize,
    /// Number of columns in a record, such as neurons or game stages, 1 to [`MAX_COLUMNS`].
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
const LAGS: [usize; (ROWS - 1) / 2] = [1, 2, 3, 6, 9, 18, 27, 54, 81, 243];

/// Number of results of [`error_class`].
const ERROR_CLASSES: usize = 40;

/// Largest error that is kept, in units of 1/16.
const MAX_ERROR: i32 = 4000;

/// Largest distance between guess and reference in the contexts of bits.
const MAX_DISTANCE: i32 = 8;

/// Number of these distances, with their signs.
const DISTANCES: usize = 2 * MAX_DISTANCE as usize + 1;

/// Bound on [`Recent::equal`].
const EQUALS: usize = 24;

/// Largest number of bits in the magnitude of a residual.
const MAX_BITS: usize = 17;

/// Number of bits in the code of a residual that have estimates.
const NODES: usize = 64;

/// Index, among the [`NODES`] estimates, of the first one for the bits after the highest bit of a
/// residual's magnitude. The estimates before it are for the number of bits.
const MAGNITUDE_NODE: usize = 18;

/// Codes all numbers of a table. A decoder sets `numbers`, a lossy encoder those that it rounds.
pub fn code(coder: &mut impl Coder, shape: Shape, numbers: &mut [i16]) {
    let size = shape.records * shape.columns;
    for index in 0..shape.planes {
        let (done, own) = numbers.split_at_mut(index * size);
        let mut plane = Plane {
            columns: shape.columns,
            before: index.checked_sub(1).map(|before| &done[before * size..]),
            own: &mut own[..size],
            errors: vec![0; size],
            equal: vec![false; size],
            bits: Bits::new(),
        };
        plane.code(coder, index * shape.records);
    }
}

/// A plane while it is coded.
struct Plane<'a> {
    columns: usize,
    /// The numbers of the plane before, if there is one.
    before: Option<&'a [i16]>,
    own: &'a mut [i16],
    /// The error of each prediction, in units of 1/16.
    errors: Vec<u16>,
    /// Whether each number equals its reference, which is its counterpart in the plane before.
    equal: Vec<bool>,
    bits: Bits,
}

/// Statistics of the numbers of the current record that are already coded.
struct Recent {
    /// Running average of the prediction error, in units of 1/16.
    error: i32,
    /// Running average of 24 for each number that equals its reference and 0 for each other one.
    equal: i32,
    /// Whether the last number equals its reference.
    last_equal: bool,
    /// Whether all numbers equal their references.
    all_equal: bool,
}

/// Statistics of earlier records.
struct Above {
    /// Average of prediction errors, in units of 1/16.
    errors: Row<u16>,
    /// Whether the numbers of two records equal their references.
    equal: [Row<bool>; 2],
}

impl Plane<'_> {
    /// Codes all records. `index` is that of the first one.
    fn code(&mut self, coder: &mut impl Coder, index: usize) {
        let mut filters = Filters::new(2 * self.columns);
        if self.before.is_some() {
            for column in 0..self.columns {
                filters.0[ROWS + column][column] = 1 << FRACTION;
            }
        }
        for (index, first) in (index..).zip((0..self.own.len()).step_by(self.columns)) {
            self.record(coder, &mut filters, index, first);
        }
    }

    /// Codes the record `index`, which starts at `first`.
    ///
    /// It is not inlined: an engine of WebAssembly replaces code by optimised code between calls.
    #[inline(never)]
    fn record(
        &mut self,
        coder: &mut impl Coder,
        filters: &mut Filters,
        index: usize,
        first: usize,
    ) {
        let (rows, above) = (self.rows(first), self.above(first));
        let mut predictions = filters.predict(&rows);
        // Inputs of all columns: the record of the plane before, and this one.
        let mut singles = [0; 2 * MAX_COLUMNS];
        if let Some(before) = self.before {
            for (at, number) in before[first..first + self.columns].iter().enumerate() {
                filters.add(&mut predictions, at, *number);
                singles[at] = *number;
            }
        }
        let mut gains = [0; MAX_COLUMNS];
        let mut recent = Recent {
            error: 100,
            equal: 8,
            last_equal: false,
            all_equal: true,
        };
        for column in 0..self.columns {
            let at = first + column;
            let prediction = predictions.sums[column];
            let reference = self.before.map_or(0, |before| before[at].into());
            let context = Context::new(prediction, reference, &recent, &above, column);
            let number = coder.choose(index, self.own[at].into(), [reference, context.guess]);
            let number = self.bits.code_number(coder, number, &context);
            self.own[at] = number as i16;
            self.equal[at] = number == reference;
            let error = (number << FRACTION).wrapping_sub(prediction) >> (FRACTION - 8);
            gains[column] = predictions.gain(column, error);
            singles[self.columns + column] = self.own[at];
            filters.add(&mut predictions, self.columns + column, self.own[at]);
            let error = (error.abs() >> 4).min(MAX_ERROR);
            self.errors[at] = error as u16;
            recent.add(error, self.equal[at]);
        }
        filters.adapt(&rows, &singles, &gains);
    }

    /// The first number of the record `lag` records before the one that starts at `first`.
    fn earlier(&self, first: usize, lag: usize) -> Option<usize> {
        first.checked_sub(lag * self.columns)
    }

    /// The inputs that differ between columns, for the record that starts at `first`: a constant,
    /// earlier records, and their counterparts in the plane before. In the first plane the
    /// numbers to the left are in place of the counterparts.
    fn rows(&self, first: usize) -> [Row<i16>; ROWS] {
        let mut rows = [[0; MAX_COLUMNS]; ROWS];
        rows[0] = [4; MAX_COLUMNS];
        for (lag, [own, other]) in LAGS.into_iter().zip(rows[1..].as_chunks_mut().0) {
            let Some(above) = self.earlier(first, lag) else {
                break;
            };
            *own = row(self.own, above);
            match self.before {
                Some(before) => *other = row(before, above),
                None => other[1..].copy_from_slice(&own[..MAX_COLUMNS - 1]),
            }
        }
        rows
    }

    /// The statistics of the records before the one that starts at `first`.
    fn above(&self, first: usize) -> Above {
        let errors = [1, 3, 9, 27].map(|lag| {
            let above = self.earlier(first, lag);
            above.map_or([80; MAX_COLUMNS], |above| row(&self.errors, above))
        });
        Above {
            errors: from_fn(|column| errors.iter().map(|errors| errors[column]).sum::<u16>() / 4),
            equal: [1, 3].map(|lag| {
                let above = self.earlier(first, lag);
                above.map_or([false; MAX_COLUMNS], |above| row(&self.equal, above))
            }),
        }
    }
}

impl Recent {
    /// Adds a number to the statistics.
    fn add(&mut self, error: i32, is_equal: bool) {
        self.error += (error - self.error) >> 2;
        self.equal += (if is_equal { EQUALS as i32 } else { 0 } - self.equal) >> 2;
        self.last_equal = is_equal;
        self.all_equal &= is_equal;
    }
}

/// The numbers from `at` on, filled up with zeros.
#[inline]
fn row<T: Copy + Default>(numbers: &[T], at: usize) -> Row<T> {
    let rest = &numbers[at..];
    rest.first_chunk().copied().unwrap_or_else(|| {
        let mut row = [T::default(); MAX_COLUMNS];
        row[..rest.len()].copy_from_slice(rest);
        row
    })
}

/// Four times the binary logarithm of an error, rounded down.
fn error_class(error: i32) -> usize {
    let error = (error + 3) as u32;
    let exponent = error.ilog2();
    let quarter = (error << 2 >> exponent) & 3;
    ((exponent * 4 + quarter).saturating_sub(4) as usize).min(ERROR_CLASSES - 1)
}

/// What the estimates of the bits of a number depend on.
struct Context {
    /// The prediction, rounded.
    guess: i32,
    reference: i32,
    /// The estimates of the bit that says whether the number equals `reference`, of the sign of
    /// its difference from `guess`, and of the other bits of the difference.
    equal: usize,
    sign: usize,
    residual: usize,
}

impl Context {
    fn new(
        prediction: i32,
        reference: i32,
        recent: &Recent,
        above: &Above,
        column: usize,
    ) -> Context {
        let guess = prediction.wrapping_add(1 << (FRACTION - 1)) >> FRACTION;
        let distance = (reference - guess).clamp(-MAX_DISTANCE, MAX_DISTANCE);
        let signed = (distance + MAX_DISTANCE) as usize;
        let [near, far] = above.equal.map(|equal| usize::from(equal[column]));
        let flags = near + 2 * far + 4 * usize::from(recent.last_equal);
        let all_equal = usize::from(recent.all_equal);
        let class = error_class((2 * recent.error + i32::from(above.errors[column])) / 3);
        let part = prediction >> (FRACTION - 4) & 15;
        Context {
            guess,
            reference,
            equal: ((signed * EQUALS + recent.equal as usize) * 8 + flags) * 2 + all_equal,
            sign: signed * 16 + part as usize,
            residual: ((class * 2 + all_equal) * 8 + distance.abs().min(7) as usize) * 4
                + (recent.equal / 4).min(3) as usize,
        }
    }
}

/// The estimates of all bits.
struct Bits {
    equal: Vec<Estimate>,
    sign: Vec<[Estimate; 5]>,
    residual: Vec<[Estimate; NODES]>,
}

impl Bits {
    fn new() -> Bits {
        Bits {
            equal: vec![Estimate::EVEN; DISTANCES * EQUALS * 16],
            sign: vec![[Estimate::EVEN; 5]; DISTANCES * 16],
            residual: vec![[Estimate::EVEN; NODES]; ERROR_CLASSES * 2 * 8 * 4],
        }
    }

    /// Codes a number: whether it equals its reference, or else its difference from the guess,
    /// as number of bits (unary), sign, and the bits below the highest.
    fn code_number(&mut self, coder: &mut impl Coder, number: i32, context: &Context) -> i32 {
        let Context {
            guess, reference, ..
        } = *context;
        if self.equal[context.equal].code(coder, number == reference) {
            return reference;
        }
        let residual = number.wrapping_sub(guess);
        let magnitude = residual.unsigned_abs();
        let bits = (u32::BITS - magnitude.leading_zeros()) as usize;
        let nodes = &mut self.residual[context.residual];
        // The difference is not 0 if the reference is the guess.
        let mut length = usize::from(reference == guess);
        while length < MAX_BITS && nodes[length].code(coder, bits > length) {
            length += 1;
        }
        if length == 0 {
            return guess;
        }
        let is_negative = self.sign[context.sign][length.min(5) - 1].code(coder, residual < 0);
        let mut value = 1;
        for at in (0..length - 1).rev() {
            let bit = magnitude >> at & 1 == 1;
            // The two bits after the highest have estimates. Those below are nearly random.
            let bit = if value < 4 {
                nodes[MAGNITUDE_NODE + length.min(9) * 4 + value as usize].code(coder, bit)
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
}
