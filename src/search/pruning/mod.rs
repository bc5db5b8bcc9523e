//! Forward pruning. `selectivity.rs`: confidence levels and the state of pruning in a thread.
//! `sigmas.rs`: standard deviations of shallow searches, computed from the error model.
//! `move_count.rs`: the number of moves searched near the horizon.

pub(super) mod move_count;
pub(super) mod selectivity;
pub(super) mod sigmas;
