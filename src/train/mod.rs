//! How the evaluation learns: games that the engine plays against itself, and weights fitted to how they ended.
//! Stands on `search`, `eval` and `board`.

mod checkpoint;
mod fit;
mod record;
mod samples;
mod selfplay;
mod shard;
mod spread;

pub use checkpoint::Checkpoint;
pub use fit::{Fit, Fitted, StageFit};
pub use record::{BadGames, Block, GameRecord, Origin, read_games};
pub use samples::{Error, Sample, Samples, Split};
pub use selfplay::{SelfPlay, Tally};
pub use shard::Shard;
pub use spread::{Cell, Searched, SpreadFit, Undetermined, draw_positions, search_all};
#[cfg(test)]
mod tests;
