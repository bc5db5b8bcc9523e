//! Training of the network evaluation by stochastic gradient descent.
//!
//! An epoch is one pass over all positions in random order. It is divided into pools, which fit in
//! memory, and a pool is divided into batches. Each batch is one gradient step. Reading order: this
//! file has the loop over pools and batches. `learner` computes the gradient. `dense` and `rows`
//! have the two parts of the net with their optimisers. `vector` has the arithmetic.

mod dense;
mod learner;
mod rows;
mod vector;

use std::f32::consts::PI;
use std::num::NonZero;
use std::path::Path;

use super::checkpoint::{Checkpoint, refused};
use super::origin::split_mix64;
use super::stream::{LabelledBoard, PositionStream};
use emilia_core::board::Board;
use emilia_core::eval::net::Parameters;
use emilia_core::eval::{NetWeights, checksum};
use emilia_files::FileError;
use learner::Learner;
use vector::Step;

/// Number of positions in a batch.
const BATCH: usize = 512;

/// Warm-up: number of batches during which the learning rate rises linearly to its full value.
const WARM_UP: f32 = 300.0;

/// Learning rate at the end of the training, relative to [`NetTraining::learning_rate`].
const LAST_RATE: f32 = 0.01;

/// Weight decay of the rows, relative to the learning rate.
const ROW_DECAY: f32 = 1.0;

/// ε of the optimiser for rows. With a smaller ε, rarely used rows change faster.
const ROW_EPSILON: f32 = 1e-4;

/// Learning rate of the dense layers, relative to the learning rate of the rows.
const DENSE_RATE: f32 = 0.25;

/// ε of the optimiser for dense layers.
const DENSE_EPSILON: f32 = 1e-8;

/// Training run in progress.
#[derive(Debug)]
pub struct NetTraining<'a> {
    /// Number of passes over all training positions.
    epochs: u64,
    /// Full learning rate of the rows. It is multiplied by the warm-up and by a cosine that falls
    /// from 1 to [`LAST_RATE`] during the whole training.
    learning_rate: f32,
    stream: &'a PositionStream,
    /// Held-out positions, on which the net is not trained.
    pub held_out: Vec<LabelledBoard>,
    threads: NonZero<usize>,
    /// Text with all data and settings that determine the result. The training resumes only from a
    /// checkpoint with the same text.
    job: String,
    learner: Learner,
    /// Number of completed pools, over all epochs.
    pools: usize,
    /// Number of positions trained on so far. A position counts once per epoch.
    positions: u64,
}

/// Weighted RMSE in discs, measured while and after training on a pool.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoolErrors {
    /// Error on the positions of the pool. The error of a batch is measured before its gradient
    /// step.
    pub training: f64,
    /// Error on the held-out positions after the last batch of the pool.
    pub held_out: f64,
}

impl<'a> NetTraining<'a> {
    /// Creates a training of `epochs` epochs. The training starts from the weights `initial`, or
    /// from random weights if `initial` is `None`.
    pub fn new(
        epochs: u64,
        learning_rate: f32,
        stream: &'a PositionStream,
        initial: Option<&Parameters>,
        threads: NonZero<usize>,
    ) -> Result<NetTraining<'a>, FileError> {
        let learner = match initial {
            Some(initial) => Learner::from_parameters(initial),
            None => Learner::new(&mut fastrand::Rng::with_seed(split_mix64(stream.seed, 0))),
        };
        let initial_sum = initial.map(|initial| checksum(&initial.pack()));
        let facts = (stream.facts(), epochs, learning_rate, initial_sum);
        Ok(NetTraining {
            epochs,
            learning_rate,
            stream,
            held_out: stream.held_out(threads)?,
            threads,
            job: format!("{facts:?} {BATCH} {:x}", NetWeights::feature_set()),
            learner,
            pools: 0,
            positions: 0,
        })
    }

    /// Returns the number of completed pools and the number of pools in all epochs.
    pub fn progress(&self) -> (usize, usize) {
        let all = self.stream.pool_count() * self.epochs as usize;
        (self.pools, all)
    }

    /// Returns the current weights as floating-point numbers.
    pub fn parameters(&self) -> Parameters {
        self.learner.parameters()
    }

    /// Evaluates `board` with the current weights for the side to move, in discs.
    pub(super) fn value(&self, board: &Board) -> f32 {
        self.learner.value(board)
    }

    /// Trains on the next pool. After each batch, `on_batch` receives the number of positions
    /// trained on so far and the number in the whole training.
    pub fn next_pool(&mut self, on_batch: &dyn Fn(u64, u64)) -> Result<PoolErrors, FileError> {
        let per_epoch = self.stream.pool_count();
        let (epoch, number) = (self.pools / per_epoch, self.pools % per_epoch);
        let positions = self.stream.pool(epoch as u64, number, self.threads)?;
        let total = self.stream.position_count() * self.epochs;
        let mut errors = [0.0; 2];
        for batch in positions.chunks(BATCH) {
            let learning_rate = self.learning_rate_at(self.positions, total);
            let rows = Step {
                learning_rate,
                decay: ROW_DECAY,
                epsilon: ROW_EPSILON,
            };
            let dense = Step {
                learning_rate: learning_rate * DENSE_RATE,
                decay: 0.0,
                epsilon: DENSE_EPSILON,
            };
            let more = self.learner.learn(batch, rows, dense, self.threads);
            errors = [errors[0] + more[0], errors[1] + more[1]];
            self.positions += batch.len() as u64;
            on_batch(self.positions, total);
        }
        self.pools += 1;
        Ok(PoolErrors {
            training: (errors[0] / errors[1]).sqrt(),
            held_out: self.held_out_rmse(),
        })
    }

    fn held_out_rmse(&self) -> f64 {
        let mut errors = [0.0; 2];
        for labelled in &self.held_out {
            let error = f64::from(self.value(&labelled.board) - labelled.label);
            errors[0] += f64::from(labelled.weight) * error * error;
            errors[1] += f64::from(labelled.weight);
        }
        (errors[0] / errors[1]).sqrt()
    }

    /// Writes a checkpoint to `path`.
    pub fn write_checkpoint(&mut self, path: &Path) -> Result<(), FileError> {
        let checkpoint = Checkpoint {
            pools: self.pools as u64,
            positions: self.positions,
            numbers: self.learner.numbers().map(|number| *number).collect(),
        };
        checkpoint.write(path, &self.job)
    }

    /// Restores the state from the checkpoint `path`. Returns `false` if the file does not exist.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or belongs to a training with other data or
    /// settings.
    pub fn resume(&mut self, path: &Path) -> Result<bool, FileError> {
        let Some(checkpoint) = Checkpoint::read(path, &self.job)? else {
            return Ok(false);
        };
        let mut numbers = checkpoint.numbers.into_iter();
        for own in self.learner.numbers() {
            let number = numbers.next();
            *own = number.ok_or_else(|| refused(path, "it is damaged"))?;
        }
        self.pools = checkpoint.pools as usize;
        self.positions = checkpoint.positions;
        Ok(true)
    }

    /// Returns the learning rate of the rows after `seen` of `total` positions.
    fn learning_rate_at(&self, seen: u64, total: u64) -> f32 {
        let batches = seen as f32 / BATCH as f32;
        let cosine = 0.5 * (1.0 + (PI * seen as f32 / total as f32).cos());
        let share = LAST_RATE + (1.0 - LAST_RATE) * cosine;
        self.learning_rate * share * ((batches + 1.0) / WARM_UP).min(1.0)
    }
}
