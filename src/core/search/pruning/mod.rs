//! Forward pruning. `selectivity.rs`: confidence levels and the state of pruning in a thread.
//! `sigmas.rs`: standard deviations of shallow searches, computed from the error model.
//! `probcut.rs`: cuts by shallow searches and by static values.
//! `late_moves.rs`: the moves left out near the horizon, and those searched to less depth first.

pub(super) mod late_moves;
pub(super) mod probcut;
pub(super) mod selectivity;
pub(super) mod sigmas;
