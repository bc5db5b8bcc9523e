//! Tests of the textbook algorithms: trees as text, uniform trees, and agreement of all algorithms.

mod agreement;
mod ladder;
mod tic_tac_toe;
mod trees;
mod uniform;
