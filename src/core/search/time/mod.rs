//! Time and limits. `limits.rs`: what ends a search. `clock.rs`: time controls and time manager.
//! `solve_time.rs`: estimate of the time of a solve. `levels.rs`: levels of play.

pub(super) mod clock;
pub(super) mod levels;
pub(super) mod limits;
pub(super) mod solve_time;
