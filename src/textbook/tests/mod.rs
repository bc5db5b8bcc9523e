//! Tests of the textbook algorithms: worked examples, uniform trees, agreement of all algorithms.

mod agreement;
mod ladder;
mod tic_tac_toe;
mod uniform;
mod worked_examples;
