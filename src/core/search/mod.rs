//! Search: finds the best moves of a position. A line ([`Line`]) is one of these moves with its
//! value, depth and principal variation (PV). [`Engine`] is the public interface.
//!
//! # From `Engine::start` to a leaf in ten steps
//!
//! 1. `engine.rs`: [`Engine::start`] packs board, number of lines and [`Limits`] in a `Query`.
//!    The player (`player/lib.rs`) calls it for every front end.
//! 2. `handle.rs`: [`SearchHandle`] runs the query in a new thread and passes its [`Progress`] on.
//!    [`Engine::search`] and [`Engine::multi_pv`] run it in the calling thread instead.
//! 3. `engine.rs`: locks the table and selects the search code compiled for the evaluation.
//! 4. `parallel.rs`: starts helper threads, which wait for split points in `team.rs`.
//! 5. `deepening.rs`: searches the root at depth 1, 2, 3 and so on, or at every second depth if the
//!    depth of the last iteration is known. After each iteration, `time/mod.rs` decides whether
//!    there is time for another.
//! 6. `interior.rs`: a node, from top to bottom. A leaf returns at once: the static value at
//!    depth 0, the final score, or with few empties the score by `endgame/`. A leaf with few
//!    legal moves is searched one ply deeper instead (extension).
//!    `searcher.rs` counts each node and regularly checks limits, clock and stop flags.
//! 7. `pruning.rs` and `table/mod.rs`: a static cut, the table or ProbCut may end the node.
//!    After the list of moves is made, the table entry of a child may end the node, too (ETC).
//! 8. `ordering/`: sorts the moves by table moves, replies, values, killers and history.
//!    Near the leaves, `pruning.rs` limits the number of moves that are searched.
//! 9. `interior.rs`: searches the first move in the full window, later moves in null windows.
//!    The position after each move is a node one ply below, which begins with step 6.
//!    Idle threads may join after the first move (`parallel.rs`).
//! 10. `table/mod.rs`: stores the best value and move.
//!
//! # Where to find each decision
//!
//! - Alpha-beta: [`search_placements`](searcher::Searcher::search_placements) is a node, and
//!   [`search_moves`](searcher::Searcher::search_moves) its loop over the moves (`interior.rs`).
//! - Killers, in the midgame only: [`found_best`](searcher::Searcher::found_best) (`interior.rs`)
//!   calls [`History::update`](ordering::history::History::update) at a cut-off, and
//!   [`MoveList::add`](ordering::MoveList::add) gives the killers of a ply their bonus.
//! - Replacement: [`Probe::store`](table::Probe::store) writes to the slot that holds the board,
//!   unless the same search has stored the board at a greater draft. If no slot holds the board,
//!   [`Probe::place`](table::Probe::place) replaces an entry of an earlier search, or else an entry
//!   of this search. Among several, it replaces the entry of least draft.
//! - Time on a clock: `Budget::new` in `time/mod.rs` divides the clock by the number of own moves
//!   left, less [`FREE_MOVES`](parameters::time::FREE_MOVES). Each move gets one such share.
//!   [`allows_next_iteration`](time::TimeManager::allows_next_iteration) ends the search later if
//!   the best move has changed or its value has fallen. A fixed time for a move is used up.
//!
//! # Reading order
//!
//! The table begins with the interface and ends with the basic types. `parallel.rs`,
//! `deepening.rs`, `interior.rs` and `pruning.rs` hold methods of [`Searcher`](searcher::Searcher),
//! which call each other.
//!
//! | file | holds |
//! |---|---|
//! | `bench.rs` | the signature of the search |
//! | `engine.rs`, `handle.rs` | the public interface: a blocking search, and one in a thread |
//! | `parallel.rs` | starts threads, and searches the moves of split points |
//! | `deepening.rs` | iterations, aspiration windows, several lines |
//! | `interior.rs` | the node: root, PV and null window, midgame and endgame |
//! | `pruning.rs`, `sigmas.rs` | static cuts, ProbCut, late moves |
//! | `searcher.rs` | one thread of a search: counts nodes, ends at the limits |
//! | `root_moves.rs`, `thread_state.rs` | state of the root, state of a thread |
//! | `team.rs` | split points and the threads that join them |
//! | `time/`, `control.rs` | time manager, stop flags |
//! | `endgame/` | solvers for the last 13 empty squares |
//! | `table/` | transposition table, cache of static values |
//! | `node.rs`, `ordering/`, `window.rs` | a node, its moves in order, its window |
//! | `settings.rs`, `limits.rs`, `report.rs`, `selectivity.rs` | inputs and results |
//! | `parameters.rs` | every tunable. `MEASUREMENTS.md` has the figures behind them |

mod bench;
mod control;
mod deepening;
mod endgame;
mod engine;
mod handle;
mod interior;
mod limits;
mod node;
mod ordering;
mod parallel;
mod parameters;
mod pruning;
mod report;
mod root_moves;
mod searcher;
mod selectivity;
mod settings;
mod sigmas;
mod table;
mod team;
#[cfg(test)]
mod tests;
mod thread_state;
mod time;
mod window;

pub use crate::work::StopFlag;
pub use bench::{BENCH_DEPTH, BENCH_EXACT, SIGNATURE, SIGNATURE_CLASSIC, SIGNATURE_SIMPLE, bench};
pub use engine::Engine;
pub use handle::{Progress, ProgressEvent, SearchHandle};
pub use limits::{Goal, Limits, TimeControl, level_solve_from};
pub use report::{Depth, EachLine, Line, Observer, Report, Silent};
pub use selectivity::Selectivity;
pub use settings::Settings;
pub use table::{check_hash, memory::OutOfMemory};
pub use time::{Clock, NO_CLOCK, solve_time_estimate, system_clock};
