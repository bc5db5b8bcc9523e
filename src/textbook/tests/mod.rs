//! Tests of the textbook algorithms: trees as text, uniform trees, agreement of all algorithms.

mod agreement;
mod ladder;
mod tic_tac_toe;
mod trees;
mod uniform;
