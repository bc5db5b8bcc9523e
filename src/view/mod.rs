//! How things look: boards, results, tables and progress on a terminal, charts as SVG, positions as pictures.
//!
//! Nothing here prints or asks whether there is a terminal: the caller says whether to colour. Only progress draws
//! itself, on stderr.

mod board;
mod moves;
mod outcome;
mod picture;
mod progress;
mod svg;
mod table;
mod terminal;
#[cfg(test)]
mod tests;
mod thinking;

pub use board::BoardView;
pub use moves::moves;
pub use outcome::outcome;
pub use picture::Picture;
pub use progress::{ProgressBar, SearchStatus};
pub use svg::{Axis, Figure, Panel, Tone};
pub use table::{Align, Columns, Table};
pub use terminal::{cut, printable, wrap};
pub use thinking::thinking;
