//! Search: finds the best line of a position. [`Engine`] is the public interface.
//!
//! # From `Engine::start` to a leaf in ten steps
//!
//! 1. `engine.rs`: [`Engine::start`] packs board, number of lines and [`Limits`] in a
//!    `SearchJob`, called the job below. A protocol comes here through `player/lib.rs`: the
//!    `genmove` of GTP calls `Player::start` in `protocol/gtp/play.rs`.
//! 2. `running.rs`: [`SearchHandle`] runs the job in a new thread and passes its [`Progress`] on.
//!    [`Engine::search`] and [`Engine::multi_pv`] run the job in the calling thread instead.
//! 3. `engine.rs`: the job locks the table and selects the search code compiled for its evaluation.
//! 4. `parallel/split.rs`: starts helper threads, which wait for split points in `team.rs`.
//! 5. `root.rs`: iterative deepening searches the root moves at depth 1, 2, 3 and so on, or
//!    at every second depth where the last one is known.
//!    After each iteration, `time/clock.rs` decides whether there is time for another.
//! 6. `interior.rs`: a node, from top to bottom. A leaf returns at once: the static value at
//!    depth 0, the final score, or with few empties that of `endgame/`.
//!    `searcher.rs` counts each node and regularly checks limits, clock and stop flags.
//! 7. `pruning/probcut.rs` and `table/transposition.rs`: a static cut, the table or ProbCut may
//!    end the node. Once the moves are made, a table entry of one of them may (ETC).
//! 8. `ordering/`: sorts the moves by table moves, replies, values, killers and history.
//!    Near the horizon, `pruning/late_moves.rs` limits how many of them are searched.
//! 9. `interior.rs`: searches the first move in the full window, later moves in null windows.
//!    Each is a node one ply below, and begins with step 6.
//!    Idle threads may join after the first move (`parallel/split.rs`).
//! 10. `table/transposition.rs`: stores the best value and move.
//!
//! # Reading order
//!
//! `window.rs`, `horizon.rs`, `interior.rs`, `ordering/`, `table/`, `root.rs`: a complete search.
//! `pruning/` adds forward pruning, and `endgame/` solves the last 13 empty squares.
//! `searcher.rs`, `time/` and `control.rs` end a search.
//! `parallel/` distributes a search over threads.
//! `parameters.rs` has every tunable, and `MEASUREMENTS.md` the figures behind them.
//! `settings.rs`, `techniques.rs` and `time/limits.rs` hold the parameters of a search.
//! `report.rs` holds the results, and `bench.rs` the signature of the search.

mod bench;
mod control;
mod endgame;
mod engine;
mod horizon;
mod interior;
mod ordering;
mod parallel;
mod parameters;
mod pruning;
mod report;
mod root;
mod running;
mod searcher;
mod settings;
mod table;
mod techniques;
#[cfg(test)]
mod tests;
mod time;
mod window;

pub use crate::work::StopFlag;
pub use bench::{BENCH_DEPTH, BENCH_EXACT, SIGNATURE, SIGNATURE_CLASSIC, SIGNATURE_SIMPLE, bench};
pub use engine::{Engine, Observer};
pub use pruning::selectivity::Selectivity;
pub use report::{Depth, Line, Report, Silent};
pub use running::{Progress, ProgressEvent, SearchHandle};
pub use settings::Settings;
pub use table::memory::OutOfMemory;
pub use table::transposition::check_hash;
pub use techniques::Techniques;
pub use time::clock::{Clock, TimeControl, system_clock};
pub use time::levels::level_solve_from;
pub use time::limits::{Goal, Limits};
pub use time::solve_time::solve_time_estimate;
