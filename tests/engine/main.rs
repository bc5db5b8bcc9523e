//! Tests of the engine as a library: suites of move generation, node counts, stopped searches.

#[path = "../../perft/suite.rs"]
mod perft;
mod signature;
mod soak;
