//! How the evaluation learns: games that the engine plays against itself, and weights fitted to how they ended.
//! Stands on `search`, `eval` and `board`.

mod block;
mod checkpoint;
mod fit;
mod game_record;
mod roots;
mod samples;
mod selfplay;
mod solved;
mod spread;

pub use block::{BadBlock, Block, BlockReader, Origin, Records};
pub use checkpoint::Checkpoint;
pub use fit::{Fit, Fitted, StageFit};
pub use game_record::{GameRecord, Ply, SearchValue};
pub use roots::Roots;
pub use samples::{Error, Kind, Sample, Samples, Split, Splitter};
pub use selfplay::{Made, Product, SelfPlay};
pub use solved::{SolvedPosition, Source};
pub use spread::{Cell, Searched, SpreadFit, Undetermined, draw_positions, search_all};
#[cfg(test)]
mod tests;
