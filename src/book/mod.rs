//! The opening book: positions with values, in files that programs share.
//!
//! A book is a graph. Its positions are stored once for their eight symmetric images. A move is a
//! link if the position after it is in the book. The leaf of a position is the best of its other
//! moves. The value of a position is the best of its links and its leaf (negamax).
//!
//! Reading order: [`Entry`] is what a book stores about a position, and [`BookFile`] the database.
//! [`walk`] visits the graph, and [`negamax`] recomputes its values. [`exchange`] reads and writes
//! books of other programs.

mod add;
mod check;
mod entry;
pub mod exchange;
mod file;
mod import;
pub mod learn;
mod moves;
mod negamax;
mod walk;

pub use add::{AddedGames, add_games};
pub use check::{Checked, Searched, check_graph, search_again};
pub use entry::{Entry, Leaf, Lines, Results, SOLVED};
pub use file::{BookFile, Changes};
pub use import::{Imported, import};
pub use moves::{BookMove, moves};
pub use negamax::negamax;
pub use walk::{Link, children, walk};
