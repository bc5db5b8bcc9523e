//! How things look on a terminal: boards, results, tables, progress. Stands on `board`.
//! How things look: boards, results and tables on a terminal, charts as SVG. Stands on `board` and `arena`.
//!
//! Nothing here prints or asks whether there is a terminal: the caller says whether to colour. Only the progress bar
//! draws itself, on stderr.

mod board;
mod match_chart;
mod outcome;
mod progress;
mod svg;
mod table;
#[cfg(test)]
mod tests;

pub use board::BoardView;
pub use match_chart::match_chart;
pub use outcome::outcome;
pub use svg::{Axis, Figure, Panel, Tone};
pub use table::{Align, Table};
mod progress;

pub use progress::ProgressBar;
pub use table::{Align, Table};
