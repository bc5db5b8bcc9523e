//! Training: self-play, training data, and the fits of the evaluations and models.
//!
//! Reading order:
//! - `origin`, `training_game`, `labelled`: settings, games and positions as training data.
//! - `block`: the file format, a sequence of blocks with compressed records.
//! - `selfplay`: a run that plays games and writes blocks. `roots`: labelled positions that are
//!   distributed as in search trees.
//! - `stream`: reads positions from files in random order, and holds some of them out for
//!   validation.
//! - `fit`: least squares for the weights of the light evaluation. `net`: gradient descent for the
//!   network.
//! - `level`: output biases of the network, from games that it played against itself.
//! - `checkpoint`: the state of an interrupted training, to resume it.
//! - `report`: the errors of an evaluation on held-out positions.
//! - `probcut_model`: the fit of the error model for Multi-ProbCut.
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
