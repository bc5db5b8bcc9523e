//! Search: finds the best line of a position. [`Engine`] is the public interface.
//!
//! # From `Engine::start` to a leaf in ten steps
//!
//! 1. `engine.rs`: [`Engine::start`] packs board, number of lines and [`Limits`] in a job.
//! 2. `running.rs`: [`Search`] runs the job in a new thread and passes its [`Progress`] on.
//!    [`Engine::search`] and [`Engine::multi_pv`] run the job in the calling thread instead.
//! 3. `engine.rs`: the job locks the table and selects the search code compiled for its evaluation.
//! 4. `parallel.rs`: starts helper threads, which wait for split points in `team.rs`.
//! 5. `root.rs`: iterative deepening searches the root moves at depth 1, 2, 3 and so on.
//!    After each iteration, `clock.rs` decides whether there is time for another.
//! 6. `midgame.rs`: principal variation search descends from each root move, one ply a call.
//!    `searcher.rs` counts each node and regularly checks limits, clock and stop flags.
//! 7. `probcut.rs` and `table.rs`: forward pruning or a table entry may cut the node.
//! 8. `ordering.rs`: sorts the moves by table moves, replies, static values and `cut_moves.rs`.
//! 9. `midgame.rs`: searches the first move in the full window, later moves in null windows.
//!    Idle threads may join after the first move (`parallel.rs`). `table.rs` stores the result.
//! 10. Leaf: at depth 0, `value_cache.rs` or the evaluation returns the static value.
//!     If the game ends within the depth, `deep_endgame.rs` and `endgame/` return the exact score.
//!
//! # Reading order
//!
//! `window.rs`, `midgame.rs`, `ordering.rs`, `table.rs`, `root.rs`: a complete search.
//! `probcut.rs`, `selectivity.rs` and `sigmas.rs` add forward pruning.
//! `deep_endgame.rs` and `endgame/` solve endgames.
//! `searcher.rs`, `clock.rs`, `solve_time.rs` and `control.rs` end a search.
//! `parallel.rs` and `team.rs` distribute a search over threads.
//! `settings.rs`, `techniques.rs`, `limits.rs` and `levels.rs` hold the parameters of a search.
//! `report.rs` holds the results, and `bench.rs` the signature of the search.

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
