//! How the evaluation learns: games that the engine plays against itself, and weights fitted to how they ended.
//! Stands on `search`, `eval` and `board`.

mod record;
mod selfplay;

pub use record::{BadGames, Block, GameRecord, Origin, read_games};
pub use selfplay::{RANDOM_PLIES, SelfPlay, Shard, Tally};
#[cfg(test)]
mod tests;
