//! Interior nodes of the search, as methods of [`Searcher`](super::searcher::Searcher).
//!
//! `pvs.rs`: principal variation search. `probcut.rs`: forward pruning by shallow searches.
//! `deep_endgame.rs`: nodes solved to the end of the game, above the solver in `endgame/`.
//! `split.rs`: helper threads, and split points shared with them.

pub(super) mod deep_endgame;
pub(super) mod probcut;
pub(super) mod pvs;
pub(super) mod split;
