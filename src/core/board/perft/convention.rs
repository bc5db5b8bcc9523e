//! Perft conventions: how a pass and a finished game are counted.

use std::fmt;
use std::str::FromStr;

use crate::board::excerpt;

/// How perft counts a pass and a finished game. Published counts use different conventions.
/// From the start all conventions agree up to depth 8.
///
/// | | a pass | a game that ends before the full depth |
/// |---|---|---|
/// | A | is one ply | counts 1 |
/// | F | is one ply | counts 0 (the numbers of OEIS A124004) |
/// | B | is not a ply | counts 1 |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Convention {
    /// A pass is one ply. A game that ends before the full depth counts 1.
    A,
    /// A pass is one ply. A game that ends before the full depth counts 0.
    F,
    /// A pass is not a ply. A game that ends before the full depth counts 1.
    B,
}

impl Convention {
    /// All conventions: A, F, B.
    pub const ALL: [Convention; 3] = [Convention::A, Convention::F, Convention::B];

    /// The number of plies left after a pass. `depth` is the number of plies left before the pass,
    /// at least 1.
    pub const fn after_pass(self, depth: u32) -> u32 {
        match self {
            Convention::A | Convention::F => depth - 1,
            Convention::B => depth,
        }
    }

    /// The count of a game that ends before the full depth: 0 or 1.
    pub const fn finished(self) -> u64 {
        match self {
            Convention::A | Convention::B => 1,
            Convention::F => 0,
        }
    }
}

/// Writes `A`, `F` or `B`.
impl fmt::Display for Convention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl FromStr for Convention {
    type Err = String;

    /// Reads the letter of a convention, in any case.
    fn from_str(text: &str) -> Result<Convention, String> {
        Convention::ALL
            .into_iter()
            .find(|convention| text.eq_ignore_ascii_case(&convention.to_string()))
            .ok_or_else(|| {
                format!(
                    "'{}' is not a convention (expected A, F or B)",
                    excerpt(text)
                )
            })
    }
}
