//! Tests of the engine as a library: node counts, stopped searches, texts of values.

mod debug;
mod signature;
mod soak;
