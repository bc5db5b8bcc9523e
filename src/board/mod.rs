//! The rules of Othello: squares, discs, legal moves, flips, symmetry, and boards written as text.
//!
//! [`Board`] is seen from the side to move and is what searches work on; [`Position`] adds the colours and checks moves.

mod advance;
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod avx2;
mod bitboard;
mod color;
mod discs;
mod excerpt;
mod flips;
mod hash;
mod last_flip;
mod legal_moves;
mod lines;
mod moves;
pub mod perft;
mod position;
#[cfg(test)]
mod reference;
mod square;
mod stability;
mod symmetry;
#[cfg(test)]
pub(crate) mod testing;
mod text;

pub use bitboard::{Bitboard, Squares};
pub use color::Color;
pub use discs::Board;
pub(crate) use excerpt::excerpt;
#[cfg(feature = "arena")]
pub(crate) use excerpt::excerpt_within;
pub use last_flip::count_last_flips;
pub use moves::{Move, NotAMove};
pub use position::{IllegalMove, Position};
pub use square::{NotASquare, Square};
pub use symmetry::Symmetry;
pub(crate) use text::split_number;
pub use text::{
    BoardError, Faults, FieldError, Labelled, LabelledError, LabelledReader, ObfError, ObfProblem,
    PositionError, Transcript, TranscriptError, flipello, parse_obf,
};

/// A final disc difference, −64..=64, empty squares counted for the winner; seen by the side to move unless said
/// otherwise.
pub type Score = i32;
