//! Training: self-play data, labelled positions, and the fits made from them.
//!
//! Reading order:
//! - `origin`, `training_game`, `labelled`, `search_value`: the records of training data.
//! - `block`: the file format, blocks of compressed records.
//! - `selfplay`: a run that makes blocks; `roots`: labelled positions sampled from search trees.
//! - `stream`: the positions of the files in random order, some of them held out.
//! - `fit`: least squares for the pattern weights; `net`: gradient descent for the net.
//! - `level`: output biases of the net from its own games.
//! - `checkpoint`, `job`: the state of an interrupted run, and the options that it belongs to.
//! - `errors`, `report`: the errors of the result.
//! - `error_model`: the fit of the ProbCut error model; `people`: that of the model of people.

mod block;
mod checkpoint;
mod error_model;
mod errors;
mod fit;
mod job;
mod labelled;
mod level;
mod net;
mod origin;
mod people;
mod random;
pub mod report;
mod roots;
mod row_uses;
mod search_value;
mod selfplay;
mod stream;
mod training_game;
mod work;

pub use block::{Block, BlockError, BlockReader, Records};
pub use checkpoint::{Checkpoint, CurvePoint};
pub use error_model::{
    Bin, ErrorModelFit, SearchedPosition, Underdetermined, sample_positions, search_all,
};
pub use errors::{ErrorStats, SampleKind};
pub use fit::{
    FitCheckpoint, FitPositions, Fitted, PATTERN_STAGES, StageFit, fit_facts, fit_pattern_weights,
};
pub use job::{BadCheckpoint, TrainJob};
pub use labelled::{LabelledPosition, RootSampling};
pub use level::Levelling;
pub use net::{NetFit, NetPhase, NetTraining};
pub use origin::Origin;
pub use people::{
    PeopleFit, PeopleMoves, PeopleTerms, Prediction, best_of_depth, sample_people, search_people,
    share_not_best,
};
pub use roots::Roots;
pub use row_uses::count_row_uses;
pub use search_value::SearchValue;
pub use selfplay::{RunKind, RunTotals, SelfPlay};
pub use stream::{LabelledBoard, PositionStream, read_games};
pub use training_game::{Ply, TrainingGame};
#[cfg(test)]
mod tests;
