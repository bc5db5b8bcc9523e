//! Training: self-play data, labelled positions, and the fits made from them.
//!
//! Reading order:
//! - `origin`, `training_game`, `labelled`: the records of training data.
//! - `block`: the file format, blocks of compressed records.
//! - `selfplay`: a run that makes blocks; `roots`: labelled positions distributed as in search
//!   trees.
//! - `stream`: the positions of the files in random order, some of them held out.
//! - `fit`: least squares for the light weights; `net`: gradient descent for the net.
//! - `level`: output biases of the net from its own games.
//! - `checkpoint`: the state of an interrupted training, for resuming the same job.
//! - `report`: the errors of an evaluation on the held-out positions.
//! - `probcut_model`: the fit of the ProbCut model.
//! - `people`: the fit of the model of how people choose moves.

mod block;
mod checkpoint;
mod fit;
mod labelled;
mod level;
mod net;
mod origin;
mod people;
mod probcut_model;
mod report;
mod roots;
mod selfplay;
mod stream;
#[cfg(test)]
mod tests;
mod training_game;

pub use block::{Block, BlockReader, Records};
pub use checkpoint::Checkpoint;
pub use fit::fit_light;
pub use labelled::{LabelledPosition, RootSampling, SearchValue};
pub use level::Levelling;
pub use net::{NetTraining, PoolErrors};
pub use origin::Origin;
pub use people::{PeopleFit, PeopleMoves, sample_people, search_people};
pub use probcut_model::{ProbCutFit, SearchedPosition, sample_positions, search_all};
pub use report::{ErrorStats, errors_table};
pub use roots::most_empties;
pub use selfplay::SelfPlay;
pub use stream::{KINDS, LabelledBoard, PositionStream, read_games};
pub use training_game::{Ply, TrainingGame};
