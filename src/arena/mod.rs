//! Matches between engines. Stands on `board`.

pub mod statistics;
