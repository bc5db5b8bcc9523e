//! Training of the network evaluation: stochastic gradient descent with positions in random order.
//!
//! Reading order: this file for the loop over pools and batches, then `learner` for the gradient,
//! `dense` and `rows` for its two parts, and `step` for the optimiser.

mod dense;
mod learner;
mod rows;
mod step;
mod vector;

use std::f32::consts::PI;
use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::Path;

use super::checkpoint::{Checkpoint, CurvePoint};
use super::errors::SampleKind;
use super::job::{BadCheckpoint, TrainJob};
use super::random::split_mix64;
use super::stream::{LabelledBoard, PositionStream};
use emilia_core::eval::net::{Parameters, empties_of};
use emilia_files::FileError;
use learner::Learner;
use step::Step;

/// Magic bytes of a checkpoint. The last one is the version.
const MAGIC: [u8; 8] = *b"EmiliaC2";

/// Hyperparameters of a training run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetFit {
    /// Number of passes over all positions.
    pub epochs: u64,
    /// Positions per batch.
    pub batch: usize,
    /// Learning rate after the warm-up. It then falls along a cosine to a hundredth.
    pub learning_rate: f32,
    /// Random seed of the initial weights and of the order of positions.
    pub seed: u64,
    /// Phase whose rows and layers are trained, while those of the other are held.
    /// `None` trains both.
    pub phase: Option<NetPhase>,
}

/// Phase of the game, with pattern rows of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetPhase {
    /// More than 25 empties.
    Early,
    /// At most 25 empties.
    Late,
}

impl NetPhase {
    /// Returns the numbers of empties of the phase.
    pub fn empties(self) -> RangeInclusive<u32> {
        empties_of(self as usize)
    }
}

impl Default for NetFit {
    fn default() -> NetFit {
        NetFit {
            epochs: 4,
            batch: 512,
            learning_rate: 2e-3,
            seed: 1,
            phase: None,
        }
    }
}

/// Number of batches in which the learning rate rises linearly.
const WARM_UP: f32 = 300.0;

/// Learning rate at the end, relative to that after the warm-up.
const LAST_RATE: f32 = 0.01;

/// Weight decay of rows, relative to the learning rate.
const ROW_DECAY: f32 = 1.0;

/// ε of the optimiser for rows. A smaller value lets rarely used rows change more.
const ROW_EPSILON: f32 = 1e-4;

/// Learning rate of the dense layers, relative to that of rows.
const DENSE_RATE: f32 = 0.25;

/// ε of the optimiser for the dense layers.
const DENSE_EPSILON: f32 = 1e-8;

/// Training run in progress.
#[derive(Debug)]
pub struct NetTraining<'a> {
    fit: NetFit,
    stream: &'a PositionStream,
    held_out: Vec<(LabelledBoard, SampleKind)>,
    threads: NonZero<usize>,
    learner: Learner,
    /// Learning curve: one point for each completed pool.
    curve: Vec<CurvePoint>,
}

impl<'a> NetTraining<'a> {
    /// Creates a run with random weights, or with those of `initial`.
    pub fn new(
        fit: NetFit,
        stream: &'a PositionStream,
        initial: Option<&Parameters>,
        threads: NonZero<usize>,
    ) -> Result<NetTraining<'a>, FileError> {
        let mut learner = match initial {
            Some(initial) => Learner::from_parameters(initial),
            None => Learner::new(&mut fastrand::Rng::with_seed(split_mix64(fit.seed, 0))),
        };
        if let Some(phase) = fit.phase {
            learner.hold_all_but(phase as usize);
        }
        Ok(NetTraining {
            fit,
            stream,
            held_out: stream.held_out(threads)?,
            threads,
            learner,
            curve: Vec::new(),
        })
    }

    /// Returns the number of completed pools and of all pools.
    pub fn progress(&self) -> (usize, usize) {
        (
            self.curve.len(),
            self.stream.pools_of_an_epoch() * self.fit.epochs as usize,
        )
    }

    /// Returns whether all pools are completed.
    pub fn is_done(&self) -> bool {
        let (done, all) = self.progress();
        done >= all
    }

    /// Returns the learning curve.
    pub fn curve(&self) -> &[CurvePoint] {
        &self.curve
    }

    /// Returns the held-out positions.
    pub fn held_out(&self) -> &[(LabelledBoard, SampleKind)] {
        &self.held_out
    }

    /// Returns the present weights in floating point.
    pub fn parameters(&self) -> Parameters {
        self.learner.parameters()
    }

    /// Trains on the next pool. `on_batch` receives the number of positions so far and in all.
    pub fn next_pool(&mut self, on_batch: &dyn Fn(u64, u64)) -> Result<(), FileError> {
        let per_epoch = self.stream.pools_of_an_epoch();
        let (epoch, number) = (self.curve.len() / per_epoch, self.curve.len() % per_epoch);
        let pool = &self.stream.pools(epoch as u64)[number];
        let positions = self.stream.load(pool, self.threads)?;
        let total = self.stream.len() * self.fit.epochs;
        let mut seen = self.curve.last().map_or(0, |point| point.positions);
        let mut errors = [0.0; 2];
        for batch in positions.chunks(self.fit.batch) {
            let learning_rate = self.fit.learning_rate_at(seen, total);
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
            seen += batch.len() as u64;
            on_batch(seen, total);
        }
        self.curve.push(CurvePoint {
            positions: seen,
            training_rmse: (errors[0] / errors[1]).sqrt(),
            held_out_rmse: self.held_out_rmse(),
        });
        Ok(())
    }

    fn held_out_rmse(&self) -> f64 {
        let mut errors = [0.0; 2];
        for (labelled, _) in &self.held_out {
            let error = f64::from(self.learner.value(&labelled.board) - labelled.label);
            errors[0] += f64::from(labelled.weight) * error * error;
            errors[1] += f64::from(labelled.weight);
        }
        (errors[0] / errors[1]).sqrt()
    }

    /// Writes a checkpoint of the job.
    pub fn write_checkpoint(&self, path: &Path, job: &TrainJob) -> Result<(), FileError> {
        let checkpoint = Checkpoint {
            curve: self.curve.clone(),
            numbers: self.learner.numbers().collect(),
        };
        checkpoint.write(path, MAGIC, job)
    }

    /// Restores the state from a checkpoint of the job. Returns false if there is no file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is damaged, or belongs to another job.
    pub fn resume(&mut self, path: &Path, job: &TrainJob) -> Result<bool, FileError> {
        let Some(checkpoint) = Checkpoint::read(path, MAGIC, job)? else {
            return Ok(false);
        };
        let restored = self.learner.restore(&mut checkpoint.numbers.into_iter());
        restored.ok_or_else(|| FileError::refused(path, BadCheckpoint::Damaged))?;
        self.curve = checkpoint.curve;
        Ok(true)
    }
}

impl NetFit {
    /// Returns the learning rate after `seen` of `total` positions.
    fn learning_rate_at(&self, seen: u64, total: u64) -> f32 {
        let batches = seen as f32 / self.batch as f32;
        let cosine = 0.5 * (1.0 + (PI * seen as f32 / total as f32).cos());
        let share = LAST_RATE + (1.0 - LAST_RATE) * cosine;
        self.learning_rate * share * ((batches + 1.0) / WARM_UP).min(1.0)
    }
}
