//! Training: self-play data, labelled positions, and the fits made from them.
//!
//! Reading order:
//! - `origin`, `game_record`, `labelled`, `search_value`: the records of training data.
//! - `block`: the file format, blocks of compressed records.
//! - `selfplay`: a run that makes blocks; `roots`: labelled positions sampled from search trees.
//! - `samples`: positions merged by symmetry and split into training and held-out ones.
//! - `fit`: least squares for the pattern weights; `checkpoint`: its finished stages in a file.
//! - `net`: stochastic gradient descent for the net.
//! - `error_model`: the fit of the ProbCut error model.

mod block;
mod checkpoint;
mod error_model;
mod fit;
mod game_record;
mod job;
mod labelled;
mod net;
mod origin;
mod random;
mod roots;
mod samples;
mod search_value;
mod selfplay;

pub use block::{BadBlock, Block, BlockReader, Records};
pub use checkpoint::Checkpoint;
pub use error_model::{
    Bin, ErrorModelFit, SearchedPosition, Underdetermined, sample_positions, search_all,
};
pub use fit::{Fit, Fitted, StageFit};
pub use game_record::{GameRecord, Ply};
pub use job::{BadCheckpoint, Job};
pub use labelled::{LabelledPosition, RootSampling};
#[cfg(feature = "cli")]
pub(crate) use net::NetTraining;
pub use net::{CurvePoint, LabelledBoard, NetCheckpoint, NetFit, Stream, errors_of};
pub use origin::Origin;
pub use roots::Roots;
pub use samples::{ErrorStats, Sample, SampleKind, Samples, Split, Splitter};
pub use search_value::SearchValue;
pub use selfplay::{Product, RunTotals, SelfPlay};
#[cfg(test)]
mod tests;
