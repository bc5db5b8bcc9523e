//! Forward pruning. `selectivity.rs`: confidence levels and the state of pruning in a thread.
//! `sigmas.rs`: standard deviations of shallow searches, computed from the error model.

pub(super) mod move_count;
pub(super) mod selectivity;
pub(super) mod sigmas;
