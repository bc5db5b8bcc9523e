//! Root search. `iterate.rs`: iterative deepening, aspiration windows, MultiPV and the PV.

pub(super) mod iterate;
