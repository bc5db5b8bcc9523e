//! A set of squares in 64 bits, with set operations and a macro that draws it as an 8×8 picture.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::Square;

/// A set of squares: bit 0 is a1, bit 7 is h1, bit 63 is h8.
///
/// `Debug` prints the set as a call of the macro [`bitboard!`](crate::bitboard) with a picture.
///
/// ```
/// use emilia_core::board::{Bitboard, Square};
/// let corners = Bitboard::CORNERS;
/// assert_eq!(corners.count(), 4);
/// assert_eq!(corners.squares().next(), Some(Square::A1));
/// assert!(corners.contains(Square::H8));
/// for square in corners {
///     println!("{square}");
/// }
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bitboard(pub u64);

/// Makes a [`Bitboard`] from a picture of its rows, first row first.
/// An `X` is a square of the set, a `.` is not. A picture may leave out empty rows at the end.
///
/// ```
/// let corners = emilia_core::bitboard! {
///     X . . . . . . X
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     X . . . . . . X
/// };
/// assert_eq!(corners, emilia_core::board::Bitboard::CORNERS);
/// ```
#[macro_export]
macro_rules! bitboard {
    ($($cell:tt)*) => {
        const { $crate::board::Bitboard::from_picture(concat!($(stringify!($cell)),*)) }
    };
}

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All 64 squares.
    pub const ALL: Bitboard = Bitboard(!0);
    /// The corners a1, h1, a8 and h8.
    pub const CORNERS: Bitboard = Bitboard(0x8100_0000_0000_0081);
    /// The first column, a1 to a8.
    pub const FILE_A: Bitboard = Bitboard(0x0101_0101_0101_0101);
    /// The last column, h1 to h8.
    pub const FILE_H: Bitboard = Bitboard(0x8080_8080_8080_8080);
    /// The first row, a1 to h1.
    pub const RANK_1: Bitboard = Bitboard(0x0000_0000_0000_00FF);
    /// The last row, a8 to h8.
    pub const RANK_8: Bitboard = Bitboard(0xFF00_0000_0000_0000);
    /// The four edges, with the corners.
    pub const EDGES: Bitboard =
        Bitboard(Self::FILE_A.0 | Self::FILE_H.0 | Self::RANK_1.0 | Self::RANK_8.0);

    /// Reads a set from `picture`, which has one character for each square in a1..h8 order, without
    /// separators: `X` for a square of the set, `.` for any other square. Empty rows at the end may
    /// be missing. Use the macro [`bitboard!`](crate::bitboard) instead.
    ///
    /// # Panics
    /// If the length of `picture` is above 64 or not a multiple of 8, or if a character is neither
    /// `X` nor `.`. In the macro [`bitboard!`](crate::bitboard), such a picture is a compile error.
    pub const fn from_picture(picture: &str) -> Bitboard {
        let cells = picture.as_bytes();
        assert!(
            cells.len() <= 64 && cells.len().is_multiple_of(8),
            "a bitboard picture has up to eight rows of eight cells"
        );
        let mut bits = 0;
        let mut index = 0;
        while index < cells.len() {
            match cells[index] {
                b'X' => bits |= 1 << index,
                b'.' => {}
                _ => panic!("a bitboard picture has cells X and . only"),
            }
            index += 1;
        }
        Bitboard(bits)
    }

    /// The set that contains only `square`.
    #[inline]
    pub const fn of(square: Square) -> Bitboard {
        Bitboard(1 << square.index())
    }

    /// Returns whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of squares in the set, 0..=64.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns whether the set contains `square`.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Iterates over the squares of the set, a1 first.
    #[inline]
    pub const fn squares(self) -> Squares {
        Squares(self.0)
    }

    /// The first square of the set in a1..h8 order, or `None` if the set is empty.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::from_low_bits(self.0.trailing_zeros()))
        }
    }

    /// The squares of the set and all their neighbours in the eight directions.
    #[inline]
    #[must_use]
    pub const fn dilated(self) -> Bitboard {
        let not_a = !Bitboard::FILE_A.0;
        let not_h = !Bitboard::FILE_H.0;
        let rows = self.0 | (self.0 & not_h) << 1 | (self.0 & not_a) >> 1;
        Bitboard(rows | rows << 8 | rows >> 8)
    }
}

/// Iterator over the squares of a [`Bitboard`], a1 first.
#[derive(Clone, Debug)]
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = Bitboard(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

/// Implements a set operator, such as `&`, and its assignment, `&=`, with the same operator on the
/// 64 bits.
macro_rules! set_operation {
    ($operation:ident $function:ident, $assignment:ident $assign:ident) => {
        impl $operation for Bitboard {
            type Output = Bitboard;
            #[inline]
            fn $function(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0.$function(other.0))
            }
        }

        impl $assignment for Bitboard {
            #[inline]
            fn $assign(&mut self, other: Bitboard) {
                self.0.$assign(other.0);
            }
        }
    };
}

set_operation!(BitAnd bitand, BitAndAssign bitand_assign);
set_operation!(BitOr bitor, BitOrAssign bitor_assign);
set_operation!(BitXor bitxor, BitXorAssign bitxor_assign);

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        self.squares()
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares
            .into_iter()
            .fold(Bitboard::EMPTY, |set, square| set | Bitboard::of(square))
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "bitboard! {{")?;
        for rank in 0..8 {
            let cell = |file| {
                if self.contains(Square::at(file, rank)) {
                    "X"
                } else {
                    "."
                }
            };
            writeln!(f, "    {}", [0, 1, 2, 3, 4, 5, 6, 7].map(cell).join(" "))?;
        }
        write!(f, "}}")
    }
}
