//! Binary arithmetic decoder (range coder with carry-less renormalisation, as in lpaq, Mahoney
//! 2007).

/// Codes bits under given probabilities. Encoder and decoder share the model by this trait.
pub trait Coder {
    /// Codes a bit that is 1 with probability `one` / 65536, and returns it.
    /// An encoder writes `bit`. A decoder ignores `bit` and reads one.
    fn code(&mut self, bit: bool, one: u32) -> bool;

    /// Returns the number to code in place of `number` of the record `record`.
    /// A lossy encoder returns one of `shorter`, which have short codes, if it is close enough.
    fn choose(&self, _record: usize, number: i32, _shorter: [i32; 2]) -> i32 {
        number
    }
}

/// The interval of 32-bit numbers that the bits coded so far leave. Both ends belong to it.
#[derive(Debug)]
pub struct Interval {
    low: u32,
    high: u32,
}

impl Interval {
    /// All 32-bit numbers.
    pub const ALL: Interval = Interval {
        low: 0,
        high: u32::MAX,
    };

    /// The end of the part of the interval for a 1, whose probability is `one` / 65536.
    pub fn middle(&self, one: u32) -> u32 {
        self.low + ((u64::from(self.high - self.low) * u64::from(one)) >> 16) as u32
    }

    /// Keeps the part of the interval for `bit`.
    pub fn keep(&mut self, bit: bool, middle: u32) {
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
    }

    /// Removes the highest byte if all numbers of the interval have the same one, and returns it.
    pub fn settled_byte(&mut self) -> Option<u8> {
        let byte = (self.high >> 24) as u8;
        (byte == (self.low >> 24) as u8).then(|| {
            self.low <<= 8;
            self.high = self.high << 8 | 0xff;
            byte
        })
    }
}

/// Decodes the bits of an arithmetic code.
#[derive(Debug)]
pub struct Decoder<'a> {
    interval: Interval,
    /// The next four bytes of the input, a number inside `interval`.
    code: u32,
    rest: &'a [u8],
}

impl<'a> Decoder<'a> {
    /// Starts to decode `bytes`. Bytes after their end count as 0.
    pub fn new(bytes: &'a [u8]) -> Decoder<'a> {
        let mut decoder = Decoder {
            interval: Interval::ALL,
            code: 0,
            rest: bytes,
        };
        for _ in 0..4 {
            decoder.shift();
        }
        decoder
    }

    /// Moves the next byte into `code`.
    fn shift(&mut self) {
        let (byte, rest) = self.rest.split_first().unwrap_or((&0, &[]));
        self.code = self.code << 8 | u32::from(*byte);
        self.rest = rest;
    }
}

impl Coder for Decoder<'_> {
    fn code(&mut self, _: bool, one: u32) -> bool {
        let middle = self.interval.middle(one);
        let bit = self.code <= middle;
        self.interval.keep(bit, middle);
        while self.interval.settled_byte().is_some() {
            self.shift();
        }
        bit
    }
}
