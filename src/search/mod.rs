//! The search. [`Engine`] is the front door.

mod bench;
mod clock;
mod control;
mod cut_moves;
mod deep_endgame;
mod endgame;
mod engine;
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
mod running;
mod searcher;
mod selectivity;
mod settings;
mod sigmas;
mod solve_time;
mod table;
mod team;
mod techniques;
#[cfg(test)]
mod tests;
mod thread_state;
mod value_cache;
mod window;

pub use crate::work::Stop;
pub use bench::{BENCH_DEPTH, BENCH_EXACT, SIGNATURE, SIGNATURE_CLASSIC, SIGNATURE_PATTERN, bench};
pub use clock::{Clock, TimeControl, system_clock};
pub use engine::Engine;
pub use levels::level_exact;
pub use limits::{Goal, Limits};
pub use memory::{OutOfMemory, check_hash};
pub use report::{Depth, Line, Report, Silent};
pub use running::{Heard, Progress, Search};
pub use selectivity::Selectivity;
pub use settings::Settings;
pub use solve_time::solve_time_estimate;
pub use techniques::Techniques;
