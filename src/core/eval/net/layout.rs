//! Memory layout of the integer parameters, in the order in which AVX2 registers use them.

use super::shape::{HIDDEN, WIDTH};

/// Width of the accumulator rounded up to whole registers. Entries from [`WIDTH`] on are 0.
pub(super) const PADDED_WIDTH: usize = 2 * WORDS;

/// Number of 16-bit words in a pattern row.
pub(super) const WORDS: usize = if WIDTH < 32 { 16 } else { WIDTH / 2 };

const _: () = assert!(
    WIDTH <= PADDED_WIDTH && WORDS.is_multiple_of(16),
    "whole registers"
);

/// A pattern row: the weights of one configuration, two 8-bit weights in each 16-bit word.
/// The low byte is a weight for the first half of the accumulator, plus `LOW_BIAS`.
/// The high byte is a weight for the second half of the accumulator.
/// Two sums over the rows of a position give the accumulator: the sum of the words, and the sum of
/// their high bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub(super) struct Row(pub(super) [u16; WORDS]);

impl Row {
    /// Number added to the weights in low bytes, which makes them non-negative.
    pub(super) const LOW_BIAS: i16 = 128;

    /// A row whose weights are all zero.
    pub(super) const ZERO: Row = Row::of(&[0; WIDTH]);

    /// Packs weights, given as the bytes of `i8`, into a row.
    #[inline]
    pub(super) const fn of(weights: &[u8; WIDTH]) -> Row {
        let mut bytes = [0; PADDED_WIDTH];
        let (own, _) = bytes.split_at_mut(WIDTH);
        own.copy_from_slice(weights);
        let mut row = Row([0; WORDS]);
        let mut at = 0;
        while at < WORDS {
            // Adding 128 modulo 256 flips the sign bit.
            let low = bytes[at] ^ Row::LOW_BIAS as u8;
            row.0[at] = u16::from_le_bytes([low, bytes[WORDS + at]]);
            at += 1;
        }
        row
    }
}

/// The weights of an extra row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub(super) struct ExtraRow(pub(super) [i16; PADDED_WIDTH]);

/// The layers after the accumulator, for one output bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(32))]
pub(super) struct QuantisedBucket {
    /// Weights of the hidden layer: by pair of accumulator entries, by neuron, then by entry of the
    /// pair.
    pub hidden: [[[i16; 2]; HIDDEN]; WORDS],
    /// The bias of each neuron.
    pub hidden_bias: [i32; HIDDEN],
    /// The weight of each neuron in the output, within 16 bits. Stored as `i32`, so that each
    /// weight has the register lane of its neuron.
    pub output: [i32; HIDDEN],
    /// The weight of each accumulator entry in the output (linear path).
    pub skip: [i16; PADDED_WIDTH],
    /// The bias of the output.
    pub bias: i32,
}

impl QuantisedBucket {
    /// An output bucket whose weights are all zero.
    pub(super) const ZERO: QuantisedBucket = QuantisedBucket {
        hidden: [[[0; 2]; HIDDEN]; WORDS],
        hidden_bias: [0; HIDDEN],
        output: [0; HIDDEN],
        skip: [0; PADDED_WIDTH],
        bias: 0,
    };
}
