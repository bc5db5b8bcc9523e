//! Forward pass of the network, from the rows of a position to the output.

#![allow(unsafe_code, reason = "AVX2 intrinsics")]

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(super) use avx2::output;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(super) use portable::output;

use super::layout::{ExtraRow, PADDED_WIDTH, QuantisedBucket, Row, WORDS};
use super::patterns::ROWS;
use super::row_offsets::RowOffsets;
use super::shape::OWN_EXTRAS;
use super::units::{
    ACTIVATION_ONE, ACTIVATION_SHIFT, MAX_LINEAR, MIN_LINEAR, NEURON_BITS, SUM_ONE,
};

/// Portable version, one accumulator entry at a time.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod portable {
    use super::{
        ACTIVATION_ONE, ACTIVATION_SHIFT, ExtraRow, MAX_LINEAR, MIN_LINEAR, NEURON_BITS,
        OWN_EXTRAS, PADDED_WIDTH, QuantisedBucket, ROWS, Row, RowOffsets, SUM_ONE, WORDS,
    };

    /// Returns the output of the network for an accumulator that is the sum of the pattern rows at
    /// `offsets` and of the rows `extras`. `bucket` has the layers after the accumulator.
    /// The output is fixed-point: 1.0, or `OUTPUT_DISCS` discs, is
    /// 2^[`OUTPUT_BITS`](super::super::units::OUTPUT_BITS).
    #[inline]
    pub(crate) fn output(
        rows: &[Row; ROWS],
        offsets: &RowOffsets,
        extras: [&ExtraRow; OWN_EXTRAS],
        bucket: &QuantisedBucket,
    ) -> i32 {
        let mut sums = sums_of_patterns(rows, offsets);
        for extra in extras {
            for (sum, weight) in sums.iter_mut().zip(extra.0) {
                *sum += weight;
            }
        }
        through(bucket, &sums)
    }

    #[inline]
    fn sums_of_patterns(rows: &[Row; ROWS], offsets: &RowOffsets) -> [i16; PADDED_WIDTH] {
        let mut sums = [0; PADDED_WIDTH];
        let (first, second) = sums.split_at_mut(WORDS);
        for row in offsets.rows(rows) {
            for (at, word) in row.0.into_iter().enumerate() {
                let [low, high] = word.to_le_bytes();
                first[at] += i16::from(low) - Row::LOW_BIAS;
                second[at] += i16::from(high as i8);
            }
        }
        sums
    }

    #[inline]
    fn through(bucket: &QuantisedBucket, sums: &[i16; PADDED_WIDTH]) -> i32 {
        let mut neurons = bucket.hidden_bias;
        for (pair, weights) in sums.as_chunks::<2>().0.iter().zip(&bucket.hidden) {
            let [first, second] = pair.map(|sum| i32::from(sum.clamp(0, SUM_ONE)));
            for (neuron, [for_first, for_second]) in neurons.iter_mut().zip(weights) {
                *neuron += first * i32::from(*for_first) + second * i32::from(*for_second);
            }
        }
        let mut output = bucket.bias;
        for (neuron, weight) in neurons.into_iter().zip(bucket.output) {
            let clipped = neuron.clamp(0, ACTIVATION_ONE) >> ACTIVATION_SHIFT;
            output += ((clipped * clipped) >> NEURON_BITS) * weight;
        }
        for (sum, weight) in sums.iter().zip(bucket.skip) {
            let linear = i32::from(*sum).clamp(MIN_LINEAR.into(), MAX_LINEAR.into());
            output += linear * i32::from(weight);
        }
        output
    }
}

/// AVX2 version, with 16 accumulator entries or 8 neurons in each register.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi16,
        _mm256_add_epi32, _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_loadu_si256,
        _mm256_madd_epi16, _mm256_max_epi16, _mm256_max_epi32, _mm256_min_epi16, _mm256_min_epi32,
        _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256, _mm256_slli_epi16,
        _mm256_srai_epi16, _mm256_srli_epi32, _mm256_storeu_si256, _mm256_sub_epi16,
    };

    use super::{
        ACTIVATION_ONE, ACTIVATION_SHIFT, ExtraRow, MAX_LINEAR, MIN_LINEAR, NEURON_BITS,
        OWN_EXTRAS, PADDED_WIDTH, QuantisedBucket, ROWS, Row, RowOffsets, SUM_ONE, WORDS,
    };
    use crate::eval::net::patterns::INSTANCES;
    use crate::eval::net::shape::HIDDEN;

    /// Number of registers of a pattern row. Each 16-bit word of the row holds two weights.
    const ROW: usize = WORDS / 16;

    /// The accumulator in registers.
    type Sums = [__m256i; PADDED_WIDTH / 16];

    /// Returns the output of the network for an accumulator that is the sum of the pattern rows at
    /// `offsets` and of the rows `extras`. `bucket` has the layers after the accumulator.
    /// The output is fixed-point: 1.0, or `OUTPUT_DISCS` discs, is
    /// 2^[`OUTPUT_BITS`](super::super::units::OUTPUT_BITS).
    #[inline]
    pub(crate) fn output(
        rows: &[Row; ROWS],
        offsets: &RowOffsets,
        extras: [&ExtraRow; OWN_EXTRAS],
        bucket: &QuantisedBucket,
    ) -> i32 {
        // SAFETY: `cfg(target_feature)` leaves this module out of builds without AVX2.
        unsafe { in_registers(rows, offsets, extras, bucket) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn in_registers(
        rows: &[Row; ROWS],
        offsets: &RowOffsets,
        extras: [&ExtraRow; OWN_EXTRAS],
        bucket: &QuantisedBucket,
    ) -> i32 {
        let mut sums = sums_of_patterns(rows, offsets);
        for extra in extras {
            for (sum, weights) in sums.iter_mut().zip(extra.0.as_chunks::<16>().0) {
                *sum = _mm256_add_epi16(*sum, load(weights));
            }
        }
        let output = _mm256_add_epi32(hidden(bucket, &sums), skip(bucket, &sums));
        bucket.bias + total(output)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn sums_of_patterns(rows: &[Row; ROWS], offsets: &RowOffsets) -> Sums {
        let start = const { -(INSTANCES as i16) * Row::LOW_BIAS };
        let mut words = [_mm256_set1_epi16(start); ROW];
        let mut high = [_mm256_setzero_si256(); ROW];
        // Unrolled by eight rows: a loop over single rows takes one sixth more time.
        let (eights, rest) = offsets.in_bytes().as_chunks::<8>();
        for eight in eights {
            for &offset in eight {
                // SAFETY: every offset of `RowOffsets` is the offset of a row.
                add(unsafe { row(rows, offset) }, &mut words, &mut high);
            }
        }
        for &offset in rest {
            // SAFETY: every offset of `RowOffsets` is the offset of a row.
            add(unsafe { row(rows, offset) }, &mut words, &mut high);
        }
        let mut sums = [_mm256_setzero_si256(); PADDED_WIDTH / 16];
        for at in 0..ROW {
            // A word is 256 times its high byte plus its low byte. Subtracting 256 times the sums
            // of the high bytes from the sums of the words leaves the sums of the low bytes.
            sums[at] = _mm256_sub_epi16(words[at], _mm256_slli_epi16::<8>(high[at]));
            sums[ROW + at] = high[at];
        }
        sums
    }

    /// The row at `offset`, in bytes.
    ///
    /// # Safety
    /// A row must start at `offset`.
    #[inline]
    unsafe fn row(rows: &[Row; ROWS], offset: u32) -> &Row {
        // SAFETY: the caller guarantees that a row starts at `offset`.
        unsafe { &*rows.as_ptr().byte_add(offset as usize) }
    }

    /// Adds the words of `row` to `words`, and their high bytes to `high`.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn add(row: &Row, words: &mut [__m256i; ROW], high: &mut [__m256i; ROW]) {
        for (at, row) in row.0.as_chunks::<16>().0.iter().enumerate() {
            let row = load(row);
            words[at] = _mm256_add_epi16(words[at], row);
            high[at] = _mm256_add_epi16(high[at], _mm256_srai_epi16::<8>(row));
        }
    }

    /// Returns eight partial sums, one in each lane. Their total is the contribution of the neurons
    /// to the output.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn hidden(bucket: &QuantisedBucket, sums: &Sums) -> __m256i {
        let mut neurons = [_mm256_setzero_si256(); HIDDEN / 8];
        for (neurons, bias) in neurons
            .iter_mut()
            .zip(bucket.hidden_bias.as_chunks::<8>().0)
        {
            *neurons = load(bias);
        }
        for (sums, weights) in sums.iter().zip(bucket.hidden.as_chunks::<8>().0) {
            let clipped = clamp(*sums, 0, SUM_ONE);
            for (pair, weights) in store(clipped).into_iter().zip(weights) {
                let pair = _mm256_set1_epi32(pair);
                for (neurons, weights) in neurons.iter_mut().zip(weights.as_chunks::<8>().0) {
                    let products = _mm256_madd_epi16(pair, load(weights));
                    *neurons = _mm256_add_epi32(*neurons, products);
                }
            }
        }
        let one = _mm256_set1_epi32(ACTIVATION_ONE);
        let mut output = _mm256_setzero_si256();
        for (neurons, weights) in neurons.into_iter().zip(bucket.output.as_chunks::<8>().0) {
            let positive = _mm256_max_epi32(neurons, _mm256_setzero_si256());
            let clipped = _mm256_min_epi32(positive, one);
            // From here on the high 16 bits of each lane are 0, so that `madd`, which adds two
            // products of 16-bit numbers in each lane, computes a single product.
            let clipped = _mm256_srli_epi32::<{ ACTIVATION_SHIFT as i32 }>(clipped);
            let square = _mm256_madd_epi16(clipped, clipped);
            let square = _mm256_srli_epi32::<{ NEURON_BITS as i32 }>(square);
            output = _mm256_add_epi32(output, _mm256_madd_epi16(square, load(weights)));
        }
        output
    }

    /// Returns eight partial sums, one in each lane. Their total is the contribution of the linear
    /// path to the output.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn skip(bucket: &QuantisedBucket, sums: &Sums) -> __m256i {
        let mut output = _mm256_setzero_si256();
        for (sums, weights) in sums.iter().zip(bucket.skip.as_chunks::<16>().0) {
            let linear = clamp(*sums, MIN_LINEAR, MAX_LINEAR);
            output = _mm256_add_epi32(output, _mm256_madd_epi16(linear, load(weights)));
        }
        output
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn clamp(words: __m256i, least: i16, most: i16) -> __m256i {
        let words = _mm256_max_epi16(words, _mm256_set1_epi16(least));
        _mm256_min_epi16(words, _mm256_set1_epi16(most))
    }

    /// The sum of all eight lanes.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn total(lanes: __m256i) -> i32 {
        let high = _mm256_extracti128_si256::<1>(lanes);
        let four = _mm_add_epi32(_mm256_castsi256_si128(lanes), high);
        let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
        let one = _mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
        _mm_cvtsi128_si32(one)
    }

    /// Loads integers that fill a register.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn load<T: Copy, const N: usize>(integers: &[T; N]) -> __m256i {
        const { assert!(size_of::<[T; N]>() == size_of::<__m256i>()) };
        // SAFETY: the array has the size of a register, and integers have no padding bytes.
        unsafe { _mm256_loadu_si256(integers.as_ptr().cast()) }
    }

    /// Returns the 16-bit words of a register as eight `i32`, a pair of words in each.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn store(words: __m256i) -> [i32; 8] {
        let mut pairs = [0; 8];
        // SAFETY: `pairs` has the size of a register.
        unsafe { _mm256_storeu_si256(pairs.as_mut_ptr().cast(), words) };
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::testing::rounds;

    /// An output bucket with random weights within their limits.
    fn any_bucket(random: &mut fastrand::Rng) -> QuantisedBucket {
        use super::super::units::{MAX_HIDDEN_BIAS, MAX_NEURON_WEIGHT, MAX_OUTPUT_BIAS, MAX_SKIP};
        let mut bucket = QuantisedBucket::ZERO;
        // Some rounds have smaller weights, so that not all neurons saturate.
        let shift = random.u32(..8);
        for weight in bucket.hidden.as_flattened_mut().as_flattened_mut() {
            *weight = random.i16(..) >> shift;
        }
        let bias = MAX_HIDDEN_BIAS >> shift;
        bucket.hidden_bias.fill_with(|| random.i32(-bias..=bias));
        let output = i32::from(MAX_NEURON_WEIGHT);
        bucket.output.fill_with(|| random.i32(-output..=output));
        bucket.skip.fill_with(|| random.i16(-MAX_SKIP..=MAX_SKIP));
        bucket.bias = random.i32(-MAX_OUTPUT_BIAS..=MAX_OUTPUT_BIAS);
        bucket
    }

    #[test]
    fn backends_agree_on_any_weights_and_indices() {
        let mut random = fastrand::Rng::with_seed(5);
        let mut rows = vec![Row::ZERO; ROWS];
        // Fills only some rows under Miri, because there are millions of words.
        for row in rows.iter_mut().step_by(rounds(1, 211)) {
            row.0.fill_with(|| random.u16(..));
        }
        let rows: Box<[Row; ROWS]> = rows.try_into().expect("all rows");
        for _ in 0..rounds(20_000, 3) {
            let lanes: Vec<i16> = std::iter::repeat_with(|| random.i16(..)).take(64).collect();
            let extras = std::array::from_fn(|_| {
                use super::super::units::MAX_EXTRA;
                ExtraRow(std::array::from_fn(|_| random.i16(-MAX_EXTRA..=MAX_EXTRA)))
            });
            let extras = extras.each_ref();
            let bucket = any_bucket(&mut random);
            let offsets = RowOffsets::of(&lanes);
            assert_eq!(
                output(&rows, &offsets, extras, &bucket),
                portable::output(&rows, &offsets, extras, &bucket)
            );
        }
    }
}
