//! The rules of Othello: squares, discs, legal moves, flips, symmetries and text forms of boards.
//!
//! Reading order:
//! 1. `square`, `bitboard`, `color`, `moves`: the basic types.
//! 2. `discs`: [`Board`], the discs seen from the side to move. Searches work on it.
//! 3. `position`: [`Position`], a board with colours and checked moves.
//! 4. `lines`, `legal_moves`, `flips`, `advance`: move generation, portable and with AVX2.
//! 5. `last_flip`, `stability`: routines of endgame search.
//! 6. `symmetry`, `hash`: canonical boards and keys of hash tables.
//! 7. [`perft`]: position counts that verify move generation.
//! 8. `text`: the forms in which positions are read and written.

mod advance;
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod avx2;
mod bitboard;
mod color;
mod discs;
mod flips;
mod hash;
mod last_flip;
mod legal_moves;
mod lines;
mod moves;
pub mod perft;
mod position;
#[cfg(feature = "serde")]
mod serde;
mod square;
mod stability;
mod symmetry;
#[cfg(test)]
#[path = "tests/testing.rs"]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod text;

pub use bitboard::{Bitboard, Squares};
pub use color::Color;
pub use discs::Board;
pub use last_flip::count_last_flips;
pub use moves::Move;
pub use position::{IllegalMove, Position};
pub use square::Square;
pub use symmetry::Symmetry;
pub use text::excerpt::{excerpt, excerpt_within, printable};
pub use text::{Faults, ParseError, PositionError, Sentence, Transcript, TranscriptError, cell};

/// A final disc difference, −64..=64, for the side to move unless stated otherwise.
/// Empty squares count for the winner.
pub type Score = i32;

/// Score of a wipe-out, the best possible one.
pub const WIPE_OUT: Score = 64;
