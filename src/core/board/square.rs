//! A square of the board, its index and its name.

use std::fmt;
use std::str::FromStr;

use super::ParseError;

/// One of the 64 squares: a1 = 0, b1 = 1, …, h1 = 7, a2 = 8, …, h8 = 63.
///
/// Files (columns) run a..h from left to right, ranks (rows) run 1..8 from the top down.
///
/// ```
/// use emilia_core::board::Square;
/// let square: Square = "f5".parse().unwrap();
/// assert_eq!(square, Square::F5);
/// assert_eq!((square.file(), square.rank(), square.index()), (5, 4, 37));
/// assert_eq!(Square::new(37), Some(square));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

macro_rules! name_squares {
    ($($name:ident)*) => { name_squares!(@ 0u8; $($name)*); };
    (@ $index:expr; $name:ident $($rest:ident)*) => {
        #[doc = concat!("The square ", stringify!($name), ".")]
        pub const $name: Square = Square($index);
        name_squares!(@ $index + 1u8; $($rest)*);
    };
    (@ $index:expr;) => {};
}

impl Square {
    name_squares! {
        A1 B1 C1 D1 E1 F1 G1 H1
        A2 B2 C2 D2 E2 F2 G2 H2
        A3 B3 C3 D3 E3 F3 G3 H3
        A4 B4 C4 D4 E4 F4 G4 H4
        A5 B5 C5 D5 E5 F5 G5 H5
        A6 B6 C6 D6 E6 F6 G6 H6
        A7 B7 C7 D7 E7 F7 G7 H7
        A8 B8 C8 D8 E8 F8 G8 H8
    }

    /// Number of squares on the board.
    pub const COUNT: usize = 64;

    /// The square with this index, or `None` if `index` is above 63.
    pub const fn new(index: u8) -> Option<Square> {
        if index < 64 {
            Some(Square(index))
        } else {
            None
        }
    }

    /// The square whose index is the low six bits of `index`.
    /// Use it for an `index` that is always below 64: it has no range check, unlike
    /// [`new`](Self::new).
    #[inline]
    pub const fn from_low_bits(index: u32) -> Square {
        Square((index & 63) as u8)
    }

    /// The square in column `file` (0 = a) and row `rank` (0 = first row).
    ///
    /// # Panics
    /// If `file` or `rank` is above 7.
    pub const fn at(file: u8, rank: u8) -> Square {
        assert!(file < 8 && rank < 8);
        Square(rank * 8 + file)
    }

    /// Iterates over all squares, a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..64).map(Square)
    }

    /// The index of the square, 0..=63.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The column of the square, 0..=7 (0 = a).
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// The row of the square, 0..=7 (0 = first row, at the top).
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }
}

/// Writes the name in lower case, such as `f5`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = [b'a' + self.file(), b'1' + self.rank()];
        f.pad(str::from_utf8(&name).unwrap_or_default())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl FromStr for Square {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Square, ParseError> {
        match *text.as_bytes() {
            [file @ (b'a'..=b'h' | b'A'..=b'H'), rank @ b'1'..=b'8'] => {
                Ok(Square::at(file.to_ascii_lowercase() - b'a', rank - b'1'))
            }
            _ => Err(ParseError::new(text, "a square (expected a1..h8)")),
        }
    }
}
