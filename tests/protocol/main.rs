//! End-to-end tests of the protocols GTP, NBoard and UCI, driven through pipes.
//!
//! `gtp`, `nboard` and `uci` hold the laws of one protocol each, and `ponder` those of pondering.
//! `clients` holds random clients that check that every request is answered.

mod clients;
#[path = "../common/mod.rs"]
mod common;
mod gtp;
mod nboard;
mod ponder;
#[path = "../run/mod.rs"]
mod run;
#[path = "../scratch/mod.rs"]
mod scratch;
mod uci;
