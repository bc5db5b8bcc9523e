//! Threads of a search. `team.rs`: split points, and idle threads that join them.
//! `thread_state.rs`: killer moves, history, PV and caches of one thread.

pub(super) mod team;
pub(super) mod thread_state;
