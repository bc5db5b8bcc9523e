//! What a position is worth with search. [`Engine`] is the front door. Stands on `eval` and `board`.

mod agreed;
mod bench;
mod clock;
mod cut_moves;
mod endgame;
mod engine;
mod foresight;
mod leaves;
mod levels;
mod limits;
mod memory;
mod midgame;
mod ordering;
mod parallel;
mod probcut;
mod pv;
mod report;
mod root;
mod searcher;
mod selectivity;
mod table;
mod techniques;
#[cfg(test)]
mod tests;

pub use crate::work::Stop;
pub use bench::{BENCH_DEPTH, BENCH_EXACT, SIGNATURE, SIGNATURE_CLASSIC, bench};
pub use clock::TimeControl;
pub use engine::{Engine, Settings};
pub use foresight::solve_time;
pub use levels::level_exact;
pub use limits::{Goal, Limits};
pub use memory::{OutOfMemory, check_hash};
pub use report::{Depth, Line, Report, Silent};
pub use selectivity::{Selectivity, Spread};
pub use techniques::Techniques;
