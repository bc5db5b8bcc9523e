//! Tests of the engine as a library: node counts, evaluation, stopped searches.

mod evaluator;
mod signature;
mod soak;
