//! Threads of a search. `team.rs`: split points, and idle threads that join them.
//! `thread_state.rs`: killer moves, history, PV and caches of one thread.
//! `virtual_time.rs`: measures more threads than cores, in tests.

pub(super) mod team;
pub(super) mod thread_state;
pub(super) mod virtual_time;
