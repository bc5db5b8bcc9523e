//! Threads of a search. `team.rs`: split points, and idle threads that join them.
//! `split.rs`: helper threads, and the search of a split point.
//! `thread_state.rs`: killer moves, history, PV and caches of one thread.

pub(super) mod split;
pub(super) mod team;
pub(super) mod thread_state;
