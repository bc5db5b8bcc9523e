//! Tests of the textbook room: worked examples, uniform trees, and that all algorithms agree.

mod agreement;
mod ladder;
mod tic_tac_toe;
mod uniform;
mod worked_examples;
