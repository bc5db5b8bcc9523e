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
//! 4. `midgame/split.rs`: starts helper threads, which wait for split points in `parallel/team.rs`.
//! 5. `root.rs`: iterative deepening searches the root moves at depth 1, 2, 3 and so on.
//!    After each iteration, `time/clock.rs` decides whether there is time for another.
//! 6. `midgame/pvs.rs`: principal variation search descends from each root move, one ply a call.
//!    `searcher.rs` counts each node and regularly checks limits, clock and stop flags.
//! 7. `midgame/probcut.rs` and `table/transposition.rs`: forward pruning or a table entry may
//!    cut the node.
//! 8. `ordering/`: sorts the moves by table moves, replies, static values, killers and history.
//!    Near the horizon, `pruning/late_moves.rs` limits how many of them are searched.
//! 9. `midgame/pvs.rs`: searches the first move in the full window, later moves in null windows.
//!    Idle threads may join after the first move (`midgame/split.rs`). The table stores the result.
//! 10. Leaf: at depth 0, `table/value_cache.rs` or the evaluation returns the static value.
//!     If the game ends within the depth, `midgame/deep_endgame.rs` and `endgame/` return its
//!     exact score.
//!
//! # Reading order
//!
//! `window.rs`, `midgame/pvs.rs`, `ordering/`, `table/`, `root.rs`: a complete search.
//! `midgame/probcut.rs` and `pruning/` add forward pruning.
//! `midgame/deep_endgame.rs` and `endgame/` solve endgames.
//! `searcher.rs`, `time/` and `control.rs` end a search.
//! `midgame/split.rs` and `parallel/` distribute a search over threads.
//! `MEASUREMENTS.md` has the figures behind the constants.
//! `settings.rs`, `techniques.rs` and `time/limits.rs` hold the parameters of a search.
//! `report.rs` holds the results, and `bench.rs` the signature of the search.

mod bench;
mod control;
mod endgame;
mod engine;
mod midgame;
mod ordering;
mod parallel;
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
pub use bench::{
    BENCH_DEPTH, BENCH_EXACT, SIGNATURE, SIGNATURE_CLASSIC, SIGNATURE_PATTERN, SIGNATURE_SIMPLE,
    bench,
};
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
