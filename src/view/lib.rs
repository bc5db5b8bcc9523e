//! Presentation: boards, results, tables and progress on a terminal.
//! Its functions take boards, numbers and texts, not results of a search.
//!
//! The functions return text. Callers decide whether to use colour, and pass the [`width`] of the
//! terminal.
//! Only `progress` writes to a stream, which is stderr.
//!
//! Reading order: `board` shows a position, `outcome` the result of a game, and `moves` a line of
//! play. `table` and `terminal` lay out text, and `progress` shows the state of long jobs.

mod board;
mod moves;
mod outcome;
#[cfg(not(target_family = "wasm"))]
mod progress;
mod table;
mod terminal;
#[cfg(test)]
mod tests;

pub use board::BoardView;
pub use moves::moves;
pub use outcome::outcome;
#[cfg(not(target_family = "wasm"))]
pub use progress::{ProgressBar, SearchStatus};
pub use table::{Align, Columns, Table};
pub use terminal::{cut, message, status_width, width, wrap, wrapped};
