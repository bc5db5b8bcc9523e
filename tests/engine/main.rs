//! Tests of the engine as a library: node counts and stopped searches.

mod signature;
mod soak;
