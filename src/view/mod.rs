//! How things look on a terminal: boards, results, tables. Stands on `board`.
//!
//! Nothing here prints or asks whether there is a terminal: the caller says whether to colour.

mod board;
mod outcome;
mod table;
#[cfg(test)]
mod tests;

pub use board::BoardView;
pub use outcome::outcome;
pub use table::{Align, Table};
mod progress;

pub use progress::ProgressBar;
