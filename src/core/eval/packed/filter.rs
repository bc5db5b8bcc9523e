//! Linear filters that predict numbers, and learn while they do (normalised LMS, Widrow and Hoff
//! 1960). The filters of all columns are computed together, by vector instructions.

/// Largest number of columns. With fewer of them, compilers unroll the loops over columns, and
/// then make worse vector instructions from the loops around them.
pub(crate) const MAX_COLUMNS: usize = 32;

/// A number for each column.
pub(crate) type Row<T> = [T; MAX_COLUMNS];

/// Number of inputs that differ between columns.
pub(crate) const ROWS: usize = 21;

/// Number of fractional bits of the weights and predictions, which are fixed-point numbers.
pub(crate) const FRACTION: u32 = 18;

/// Learning rate.
const LEARNING_RATE: i64 = 100;

/// Sum of squares that is added to the power of the inputs.
const MIN_POWER: i32 = 400;

/// The filters of all columns: the weights of each input.
#[derive(Debug)]
pub(crate) struct Filters(pub(crate) Vec<Row<i32>>);

/// Predictions for all columns.
#[derive(Debug)]
pub(crate) struct Predictions {
    /// The predictions with [`FRACTION`] fractional bits.
    pub(crate) sums: Row<i32>,
    /// For each column, the sum of the squares of its inputs (their power), plus [`MIN_POWER`].
    powers: Row<i32>,
    /// The sum of the squares of the inputs that do not differ between columns.
    common_power: i32,
}

impl Predictions {
    /// The change of the weights of `column` for an input of 1, times 1024, after this error of its
    /// prediction, in units of 1/256.
    #[inline]
    pub(crate) fn gain(&self, column: usize, error: i32) -> i32 {
        let error = i64::from(error.clamp(-(1 << 20), 1 << 20));
        let power = self.powers[column].wrapping_add(self.common_power);
        let power = i64::from(power.max(MIN_POWER));
        ((((error * LEARNING_RATE) << FRACTION) / power) >> 8) as i32
    }
}

impl Filters {
    /// Filters for [`ROWS`] inputs that differ between columns, and `singles` that do not.
    pub(crate) fn new(singles: usize) -> Filters {
        Filters(vec![[0; MAX_COLUMNS]; ROWS + singles])
    }

    /// Predicts from the inputs that differ between columns.
    #[inline]
    pub(crate) fn predict(&self, rows: &[Row<i16>; ROWS]) -> Predictions {
        let (mut sums, mut powers) = ([0_i32; MAX_COLUMNS], [MIN_POWER; MAX_COLUMNS]);
        for (weights, row) in self.0.iter().zip(rows) {
            for column in 0..MAX_COLUMNS {
                let number = i32::from(row[column]);
                sums[column] = sums[column].wrapping_add(weights[column].wrapping_mul(number));
                powers[column] = powers[column].wrapping_add(number.wrapping_mul(number));
            }
        }
        Predictions {
            sums,
            powers,
            common_power: 0,
        }
    }

    /// Adds the input `index` of those that do not differ between columns.
    #[inline]
    pub(crate) fn add(&self, predictions: &mut Predictions, index: usize, number: i16) {
        let (weights, number) = (&self.0[ROWS + index], i32::from(number));
        for (sum, weight) in predictions.sums.iter_mut().zip(weights) {
            *sum = sum.wrapping_add(weight.wrapping_mul(number));
        }
        let power = number.wrapping_mul(number);
        predictions.common_power = predictions.common_power.wrapping_add(power);
    }

    /// Adapts the weights of all inputs.
    #[inline]
    pub(crate) fn adapt(&mut self, rows: &[Row<i16>; ROWS], singles: &[i16], gains: &Row<i32>) {
        let (first, rest) = self.0.split_at_mut(ROWS);
        for (weights, row) in first.iter_mut().zip(rows) {
            for column in 0..MAX_COLUMNS {
                let change = gains[column].wrapping_mul(row[column].into());
                let change = change.wrapping_add(1 << 9) >> 10;
                weights[column] = weights[column].wrapping_add(change);
            }
        }
        for (weights, single) in rest.iter_mut().zip(singles) {
            for (weight, gain) in weights.iter_mut().zip(gains) {
                let change = gain.wrapping_mul(i32::from(*single)).wrapping_add(1 << 9) >> 10;
                *weight = weight.wrapping_add(change);
            }
        }
    }
}
