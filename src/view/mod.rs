//! How things look on a terminal: boards, results, tables, progress. Stands on `board`.
//!
//! Nothing here prints or asks whether there is a terminal: the caller says whether to colour. Only the progress bar
//! draws itself, on stderr.

mod board;
mod outcome;
mod progress;
mod table;
#[cfg(test)]
mod tests;

pub use board::BoardView;
pub use outcome::outcome;
pub use progress::ProgressBar;
pub use table::{Align, Table};
