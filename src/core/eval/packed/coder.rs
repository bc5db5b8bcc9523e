//! Binary arithmetic coder (range coder, Martin 1979), and the adaptive probabilities of its bits.

/// Codes bits under given probabilities. Encoder and decoder share the model by this trait.
pub trait Coder {
    /// Codes a bit that is 1 with probability `one` / 65536, and returns it.
    /// An encoder writes `bit`. A decoder ignores `bit` and reads one.
    fn code(&mut self, bit: bool, one: u16) -> bool;

    /// Returns the number to code in place of `number` of the record `record`.
    /// A lossy encoder returns one of `shorter`, which have short codes, if it is close enough.
    fn choose(&self, _record: usize, number: i32, _shorter: [i32; 2]) -> i32 {
        number
    }
}

/// Ranges below this one are multiplied by 256, and a byte is settled.
pub const MIN_RANGE: u32 = 1 << 24;

/// The part of `range` for a 1, whose probability is `one` / 65536.
#[inline]
pub fn part(range: u32, one: u16) -> u32 {
    ((u64::from(range) * u64::from(one)) >> 16) as u32
}

/// Decodes the bits of an arithmetic code.
#[derive(Debug)]
pub struct Decoder<'a> {
    /// The size of the interval of numbers that the bits decoded so far leave.
    range: u32,
    /// The next four bytes of the input, minus the first number of the interval.
    code: u32,
    rest: &'a [u8],
}

impl<'a> Decoder<'a> {
    /// Starts to decode `bytes`. Bytes after their end count as 0.
    pub fn new(bytes: &'a [u8]) -> Decoder<'a> {
        let mut decoder = Decoder {
            range: u32::MAX,
            code: 0,
            rest: bytes,
        };
        for _ in 0..4 {
            decoder.shift();
        }
        decoder
    }

    /// Moves the next byte into `code`.
    #[inline]
    fn shift(&mut self) {
        let (byte, rest) = self.rest.split_first().unwrap_or((&0, &[]));
        self.code = self.code << 8 | u32::from(*byte);
        self.rest = rest;
    }
}

impl Coder for Decoder<'_> {
    #[inline]
    fn code(&mut self, _: bool, one: u16) -> bool {
        let part = part(self.range, one);
        let bit = self.code < part;
        if bit {
            self.range = part;
        } else {
            self.code -= part;
            self.range -= part;
        }
        while self.range < MIN_RANGE {
            self.range <<= 8;
            self.shift();
        }
        bit
    }
}

/// An estimate of the probability of a 1, which adapts to the bits that are coded with it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Estimate {
    /// The probability, times 65536.
    one: u16,
    /// Number of bits coded with this estimate. Counting ends at [`MAX_COUNT`].
    count: u8,
}

/// Number of bits after which an estimate follows the latest bits at a constant rate.
const MAX_COUNT: u8 = 250;

/// Share of its error by which an estimate is corrected after a bit (14 fractional bits), by the
/// number of bits coded with it before.
static RATES: [i32; 1 << 8] = {
    let mut rates = [0; 1 << 8];
    let mut count = 0;
    while count < rates.len() {
        rates[count] = (2 << 14) / (2 * count as i32 + 3);
        count += 1;
    }
    rates
};

impl Estimate {
    /// The estimate before the first bit.
    pub(crate) const EVEN: Estimate = Estimate {
        one: 1 << 15,
        count: 0,
    };

    /// Codes a bit, and adapts to it.
    #[inline]
    pub(crate) fn code(&mut self, coder: &mut impl Coder, bit: bool) -> bool {
        let bit = coder.code(bit, self.one.clamp(16, 65520));
        let target = if bit { 65535 } else { 0 };
        let distance = target - i32::from(self.one);
        let step = (distance * RATES[usize::from(self.count)]) >> 14;
        self.one = (i32::from(self.one) + step) as u16;
        self.count = (self.count + 1).min(MAX_COUNT);
        bit
    }
}
