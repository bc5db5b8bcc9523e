//! The parameters as play wants them: in integers, in the order in which registers take them.

use super::shape::{HIDDEN, WIDTH};

/// Sums, rounded up to whole registers: those beyond [`WIDTH`] are 0.
pub(super) const SUMS: usize = 2 * WORDS;

/// Words of a row.
pub(super) const WORDS: usize = if WIDTH < 32 { 16 } else { WIDTH / 2 };

const _: () = assert!(WIDTH <= SUMS && WORDS.is_multiple_of(16), "whole registers");

/// The weights of a configuration, two in each word: the one for a sum of the first half in the low byte, plus
/// [`LOW_BIAS`](Self::LOW_BIAS), and the one for a sum of the second half in the high byte. So the sum of words, and the
/// sum of their high bytes, tell all sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub(super) struct Row(pub(super) [u16; WORDS]);

impl Row {
    /// What makes the weights in low bytes positive.
    pub(super) const LOW_BIAS: i16 = 128;

    /// A row without weights.
    pub(super) const ZERO: Row = Row::of(&[0; WIDTH]);

    /// The row of these weights, the bytes of `i8`.
    #[inline]
    pub(super) const fn of(weights: &[u8; WIDTH]) -> Row {
        let mut bytes = [0; SUMS];
        let (own, _) = bytes.split_at_mut(WIDTH);
        own.copy_from_slice(weights);
        let mut row = Row([0; WORDS]);
        let mut at = 0;
        while at < WORDS {
            // To add 128 is to turn the sign over.
            let low = bytes[at] ^ Row::LOW_BIAS as u8;
            row.0[at] = u16::from_le_bytes([low, bytes[WORDS + at]]);
            at += 1;
        }
        row
    }
}

/// The row of an extra.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub(super) struct ExtraRow(pub(super) [i16; SUMS]);

/// The layers behind the sums, for positions with certain numbers of empty squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(32))]
pub(super) struct Layers {
    /// For each two sums, and each neuron, the weights of both.
    pub(super) hidden: [[[i16; 2]; HIDDEN]; WORDS],
    /// The bias of each neuron.
    pub(super) hidden_bias: [i32; HIDDEN],
    /// The weight of each neuron in the output, of 16 bits.
    pub(super) output: [i32; HIDDEN],
    /// The weight of each sum in the output.
    pub(super) skip: [i16; SUMS],
    /// The bias of the output.
    pub(super) bias: i32,
}

impl Layers {
    /// Layers without weights.
    pub(super) const ZERO: Layers = Layers {
        hidden: [[[0; 2]; HIDDEN]; WORDS],
        hidden_bias: [0; HIDDEN],
        output: [0; HIDDEN],
        skip: [0; SUMS],
        bias: 0,
    };
}
