//! Players of a match: this engine in-process, or a program that speaks GTP, NBoard or UCI.
//!
//! The referee calls both by the trait `MatchPlayer` of `protocol`, where programs implement it.
//! Reading order: `builtin` (the engine in this process), then `spec` (parses the description of
//! a player and creates it).

mod builtin;
mod spec;

pub use spec::{BuiltinSpec, PlayerSpec};
