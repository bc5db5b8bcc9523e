//! Training of the net: stochastic gradient descent over positions in random order.

mod checkpoint;
mod dense;
mod learner;
mod rows;
mod step;
mod stream;
mod vector;

pub use checkpoint::NetCheckpoint;
pub use stream::{LabelledBoard, Stream};

use std::f32::consts::PI;
use std::num::NonZero;

use super::random::split_mix64;
use super::samples::{ErrorStats, SampleKind};
use crate::eval::net::Parameters;
use crate::files::FileError;
use learner::Learner;
use step::Step;

/// How to train a net.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetFit {
    /// How often each position is seen.
    pub epochs: u64,
    /// Positions of a batch.
    pub batch: usize,
    /// The learning rate after the warm-up; it falls to a hundredth of that along a cosine.
    pub learning_rate: f32,
    /// The random seed of the first weights and of the order of positions.
    pub seed: u64,
}

impl Default for NetFit {
    fn default() -> NetFit {
        NetFit {
            epochs: 4,
            batch: 512,
            learning_rate: 2e-3,
            seed: 1,
        }
    }
}

/// Batches in which the learning rate rises.
const WARM_UP: f32 = 300.0;

/// The learning rate at the end, relative to that after the warm-up.
const LAST_RATE: f32 = 0.01;

/// Weight decay of rows, relative to the learning rate.
const ROW_DECAY: f32 = 1.0;

/// ε of the rows: the smaller, the more those move that are seldom read.
const ROW_EPSILON: f32 = 1e-4;

/// The learning rate of the dense part, relative to that of rows.
const DENSE_RATE: f32 = 0.25;

/// ε of the dense part.
const DENSE_EPSILON: f32 = 1e-8;

/// Errors after a pool.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// Positions seen so far.
    pub positions: u64,
    /// The weighted root mean square error on the pool, in discs, of each position before it was learnt.
    pub training_rmse: f64,
    /// The same on the held-out positions.
    pub held_out_rmse: f64,
}

/// A net that is being trained.
#[derive(Debug)]
pub(crate) struct NetTraining<'a> {
    fit: NetFit,
    stream: &'a Stream,
    held_out: Vec<(LabelledBoard, SampleKind)>,
    threads: NonZero<usize>,
    learner: Learner,
    /// One point for each pool that is done.
    curve: Vec<CurvePoint>,
}

impl<'a> NetTraining<'a> {
    /// Begins with random weights, or with those of another net.
    ///
    /// # Errors
    /// If the held-out data cannot be read.
    pub(crate) fn new(
        fit: NetFit,
        stream: &'a Stream,
        initial: Option<&Parameters>,
        threads: NonZero<usize>,
    ) -> Result<NetTraining<'a>, FileError> {
        let learner = match initial {
            Some(initial) => Learner::from_parameters(initial),
            None => Learner::new(&mut fastrand::Rng::with_seed(split_mix64(fit.seed, 0))),
        };
        Ok(NetTraining {
            fit,
            stream,
            held_out: stream.held_out(threads)?,
            threads,
            learner,
            curve: Vec::new(),
        })
    }

    /// Pools done, and all of them.
    pub(crate) fn progress(&self) -> (usize, usize) {
        (
            self.curve.len(),
            self.stream.pools_of_an_epoch() * self.fit.epochs as usize,
        )
    }

    /// Whether all is done.
    pub(crate) fn is_done(&self) -> bool {
        let (done, all) = self.progress();
        done >= all
    }

    /// The errors after each pool.
    pub(crate) fn curve(&self) -> &[CurvePoint] {
        &self.curve
    }

    /// The positions that are held out.
    pub(crate) fn held_out(&self) -> &[(LabelledBoard, SampleKind)] {
        &self.held_out
    }

    /// What has been learnt.
    pub(crate) fn parameters(&self) -> Parameters {
        self.learner.parameters()
    }

    /// Learns from the next pool. `on_batch` hears how many positions have been seen, and their total.
    ///
    /// # Errors
    /// If the data cannot be read.
    pub(crate) fn next_pool(&mut self, on_batch: &dyn Fn(u64, u64)) -> Result<(), FileError> {
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
}

impl NetFit {
    /// The learning rate when so many positions of all have been seen.
    fn learning_rate_at(&self, seen: u64, total: u64) -> f32 {
        let batches = seen as f32 / self.batch as f32;
        let cosine = 0.5 * (1.0 + (PI * seen as f32 / total as f32).cos());
        let share = LAST_RATE + (1.0 - LAST_RATE) * cosine;
        self.learning_rate * share * ((batches + 1.0) / WARM_UP).min(1.0)
    }
}

/// The errors of `predict`, in discs, on the positions of a kind within this range of empty squares.
pub fn errors_of(
    positions: &[(LabelledBoard, SampleKind)],
    kind: SampleKind,
    empties: std::ops::RangeInclusive<u32>,
    predict: impl Fn(&LabelledBoard) -> f64,
) -> ErrorStats {
    let mut errors = ErrorStats::default();
    for (labelled, of) in positions {
        if *of == kind && empties.contains(&labelled.board.empty_count()) {
            errors.add(predict(labelled) - f64::from(labelled.label));
        }
    }
    errors
}
