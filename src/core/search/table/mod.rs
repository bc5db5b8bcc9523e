//! Tables of a search. `transposition.rs`: transposition table shared by all threads.
//! `memory.rs`: allocation of large tables. `value_cache.rs`: cache of static values.
//! `pv.rs`: triangular PV table.

pub(super) mod memory;
pub(super) mod pv;
pub(super) mod transposition;
pub(super) mod value_cache;
