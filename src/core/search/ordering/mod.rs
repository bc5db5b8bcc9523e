//! Move ordering. `move_list.rs`: scores the moves and returns them best first.
//! `cut_moves.rs`: killer moves and history, which `move_list.rs` reads.

pub(super) mod cut_moves;
pub(super) mod move_list;
