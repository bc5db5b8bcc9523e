//! Fit of the pattern weights by linear least squares with L2 regularisation (ridge regression).
//!
//! Each stage is solved by preconditioned conjugate gradients (Hestenes and Stiefel 1952).
//! Deterministic: the weights are bit-identical for any number of threads.

use std::num::NonZero;
use std::path::Path;

use super::checkpoint::{Checkpoint, CurvePoint};
use super::job::TrainJob;
use super::stream::LabelledBoard;
use crate::eval::{Features, Full, Light, PatternWeights, ReducedIndex, STAGES, stage};
use crate::files::FileError;
use crate::work;

/// Parameters of the fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatternFit {
    /// Strength of the L2 regularisation, as a number of positions.
    ///
    /// With this number of positions, a weight is halfway from its prior to the data.
    /// The prior is the given weight, or else the weight of the next stage.
    pub ridge: f32,
    /// Conjugate gradient iterations per stage. Each is one pass over the positions.
    pub passes: usize,
    /// Weight of a position in the two adjacent stages, relative to its weight in its own stage.
    pub neighbours: f32,
}

impl Default for PatternFit {
    fn default() -> PatternFit {
        PatternFit {
            ridge: 50.0,
            passes: 8,
            neighbours: 0.5,
        }
    }
}

/// Fitted weights of one stage and its learning curve.
#[derive(Clone, Debug, PartialEq)]
pub struct StageFit {
    /// Weight in discs for each symmetry-reduced weight index.
    pub weights: Vec<f32>,
    /// Errors on the training and the held-out positions, before the first pass and after each.
    pub curve: Vec<[SquaredErrors; 2]>,
}

/// Number of positions, and sum of their squared errors in squared discs.
pub(super) type SquaredErrors = [f32; 2];

/// Positions that a fit reads: those to fit, and those that only measure the error.
#[derive(Clone, Debug, Default)]
pub struct FitPositions {
    /// Positions to fit, by stage.
    training: Vec<Vec<LabelledBoard>>,
    held_out: Vec<Vec<LabelledBoard>>,
}

impl FitPositions {
    /// Sorts positions by stage.
    pub fn new(
        training: impl IntoIterator<Item = LabelledBoard>,
        held_out: impl IntoIterator<Item = LabelledBoard>,
    ) -> FitPositions {
        let [mut of_training, mut of_held_out] = [const { Vec::new() }; 2];
        for (stages, positions) in [
            (
                &mut of_training,
                &mut training.into_iter() as &mut dyn Iterator<Item = _>,
            ),
            (&mut of_held_out, &mut held_out.into_iter()),
        ] {
            stages.resize(STAGES, Vec::new());
            for position in positions {
                stages[stage(position.board.empty_count())].push(position);
            }
        }
        FitPositions {
            training: of_training,
            held_out: of_held_out,
        }
    }
}

/// Fitted weights of all stages, the first stage first.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// Stages of the pattern evaluation.
    pub full: Vec<StageFit>,
    /// Stages of the light evaluation, which orders moves.
    pub light: Vec<StageFit>,
}

impl Fitted {
    /// Encodes the weights as a file.
    pub fn pack(&self) -> Vec<u8> {
        let [full, light] = [&self.full, &self.light].map(|stages| {
            let weights = stages.iter().map(|stage| stage.weights.clone());
            weights.collect::<Vec<_>>()
        });
        PatternWeights::pack(&full, &light)
    }

    /// Returns the errors before the first pass and after each, over all stages of the evaluation.
    pub fn curve(&self) -> Vec<CurvePoint> {
        let passes = self.full.iter().map(|stage| stage.curve.len()).max();
        let point = |pass: usize| {
            // A stage that converged earlier keeps its last errors.
            let stages = self.full.iter();
            let errors = stages.filter_map(|stage| stage.curve.get(pass).or(stage.curve.last()));
            let mut sums = [[0.0; 2]; 2];
            for (sum, error) in errors.flat_map(|both| (0..).zip(both)) {
                let sums: &mut [f64; 2] = &mut sums[sum];
                *sums = [sums[0] + f64::from(error[0]), sums[1] + f64::from(error[1])];
            }
            let [training, held_out] = sums.map(|[count, squares]| (squares / count).sqrt());
            CurvePoint {
                positions: sums[0][0] as u64 * pass as u64,
                training_rmse: training,
                held_out_rmse: held_out,
            }
        };
        (0..passes.unwrap_or(0)).map(point).collect()
    }
}

impl StageFit {
    /// Returns the stage as numbers, for a checkpoint: two lengths, the weights and the curve.
    fn numbers(&self) -> impl Iterator<Item = f32> {
        let lengths = [self.weights.len() as f32, self.curve.len() as f32];
        let curve = self.curve.as_flattened().as_flattened();
        lengths
            .into_iter()
            .chain(self.weights.iter().chain(curve).copied())
    }

    /// Returns the next stage of [`numbers`](Self::numbers). `None` if there is none.
    fn restored(numbers: &mut impl Iterator<Item = f32>) -> Option<StageFit> {
        let [weights, points] = [numbers.next()? as usize, numbers.next()? as usize];
        let weights: Vec<f32> = numbers.take(weights).collect();
        let curve: Vec<f32> = numbers.take(points.saturating_mul(4)).collect();
        let (curve, _) = curve.as_chunks::<2>();
        let (curve, _) = curve.as_chunks::<2>();
        Some(StageFit {
            weights,
            curve: curve.to_vec(),
        })
    }
}

/// Open checkpoint of a fit: an interrupted fit resumes after its last finished stage.
#[derive(Debug)]
pub struct FitCheckpoint<'a> {
    path: &'a Path,
    job: TrainJob,
    content: Checkpoint,
}

/// Magic bytes of a checkpoint. The last one is the version.
const MAGIC: [u8; 8] = *b"EmiliaT4";

impl FitCheckpoint<'_> {
    /// Reads the finished stages of the job, if there is a file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is damaged, or belongs to another job.
    pub fn open(
        path: &Path,
        job: TrainJob,
    ) -> Result<(FitCheckpoint<'_>, Vec<StageFit>), FileError> {
        let content = Checkpoint::read(path, MAGIC, &job)?.unwrap_or_default();
        let mut numbers = content.numbers.iter().copied();
        let finished = std::iter::from_fn(|| StageFit::restored(&mut numbers)).collect();
        Ok((FitCheckpoint { path, job, content }, finished))
    }

    /// Adds a finished stage and writes the file.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn append(&mut self, stage: &StageFit) -> Result<(), FileError> {
        self.content.numbers.extend(stage.numbers());
        self.content.write(self.path, MAGIC, &self.job)
    }
}

impl PatternFit {
    /// Number of stages of both evaluations.
    pub const STAGES: usize = Full::STAGES + Light::STAGES;

    /// Fits all stages: those of the full features, then those of the light ones, last stage first.
    ///
    /// `finished` holds the stages already fitted, in this order.
    /// `on_stage` receives each further stage.
    /// `on_pass` receives the number of passes done and their total.
    /// The prior of a stage is its weights in `prior`, or those of the next stage if `None`.
    ///
    /// # Errors
    /// Returns the first error of `on_stage`.
    pub fn run<E>(
        &self,
        positions: &FitPositions,
        prior: Option<&PatternWeights>,
        threads: NonZero<usize>,
        mut finished: Vec<StageFit>,
        on_stage: impl FnMut(&StageFit) -> Result<(), E>,
        on_pass: &dyn Fn(usize, usize),
    ) -> Result<Fitted, E> {
        let light = finished.split_off(finished.len().min(Full::STAGES));
        let full_prior = prior.map(PatternWeights::full_in_discs);
        let light_prior = prior.map(PatternWeights::light_in_discs);
        let mut job = RunningFit {
            fit: self,
            positions,
            threads,
            on_stage,
            on_pass,
        };
        let full = job.fit_stages::<Full, E>(full_prior.as_deref(), finished, 0)?;
        let light = job.fit_stages::<Light, E>(light_prior.as_deref(), light, Full::STAGES)?;
        Ok(Fitted { full, light })
    }
}

/// A running fit: its parameters, data and callbacks.
struct RunningFit<'a, S> {
    fit: &'a PatternFit,
    positions: &'a FitPositions,
    threads: NonZero<usize>,
    on_stage: S,
    on_pass: &'a dyn Fn(usize, usize),
}

impl<S> RunningFit<'_, S> {
    /// Fits the stages of one feature set that are not in `finished`.
    ///
    /// `stages_before` counts the stages of other feature sets, for the progress.
    /// Returns all stages of the feature set, the first stage first.
    fn fit_stages<F: Features, E>(
        &mut self,
        prior: Option<&[Vec<f32>]>,
        finished: Vec<StageFit>,
        stages_before: usize,
    ) -> Result<Vec<StageFit>, E>
    where
        S: FnMut(&StageFit) -> Result<(), E>,
    {
        let folding = ReducedIndex::<F>::new();
        let passes = self.fit.passes;
        let mut stages = finished;
        for done in stages.len()..F::STAGES {
            let own = F::STAGES - 1 - done;
            let prior = match (prior, stages.last()) {
                (Some(prior), _) => prior[own].clone(),
                (None, Some(next)) => next.weights.clone(),
                (None, None) => vec![0.0; folding.len()],
            };
            let stage = F::FIRST_STAGE + own;
            let mut system = System::new(self.fit, &folding, self.positions, stage, self.threads);
            let fitted = system.solve(self.fit, prior, &|pass| {
                let passes_before = (stages_before + done) * passes;
                (self.on_pass)(passes_before + pass, PatternFit::STAGES * passes);
            });
            (self.on_stage)(&fitted)?;
            stages.push(fitted);
        }
        stages.reverse();
        Ok(stages)
    }
}

/// The linear system of a stage. Each position is one equation.
///
/// The equation sets the sum of the weights of the position's features equal to its label.
/// The design matrix has a row for each position, with ones in the columns of its weight indices.
struct System<'a, F> {
    folding: &'a ReducedIndex<F>,
    chunks: Vec<RowChunk<'a>>,
    threads: NonZero<usize>,
}

/// Positions per chunk.
///
/// Sums are added up in the order of the chunks, so that rounding does not depend on threads.
const CHUNK_LEN: usize = 1 << 17;

impl<'a, F: Features> System<'a, F> {
    fn new(
        fit: &PatternFit,
        folding: &'a ReducedIndex<F>,
        positions: &'a FitPositions,
        stage: usize,
        threads: NonZero<usize>,
    ) -> System<'a, F> {
        let mut chunks = Vec::new();
        let mut add = |positions: &'a [LabelledBoard], share: f32, role| {
            let of = positions.chunks(CHUNK_LEN);
            chunks.extend(of.map(|positions| RowChunk::new(positions, share, role)));
        };
        add(&positions.training[stage], 1.0, Role::Training);
        add(&positions.held_out[stage], 0.0, Role::HeldOut);
        for beside in [stage.wrapping_sub(1), stage + 1] {
            if let Some(neighbours) = positions.training.get(beside) {
                add(neighbours, fit.neighbours, Role::Neighbour);
            }
        }
        System {
            folding,
            chunks,
            threads,
        }
    }

    /// Minimises the regularised squared error by preconditioned conjugate gradients from `prior`.
    fn solve(&mut self, fit: &PatternFit, prior: Vec<f32>, on_pass: &dyn Fn(usize)) -> StageFit {
        let folding = self.folding;
        let mut weights = prior;
        // Diagonal of the Hessian, if no weight index occurs twice in a position.
        let preconditioner = self.sum(vec![fit.ridge; weights.len()], |chunk, sums| {
            chunk.add_counts(folding, sums);
        });
        let precondition = |gradient: &[f32]| -> Vec<f32> {
            let pairs = gradient.iter().zip(&preconditioner);
            pairs.map(|(gradient, scale)| gradient / scale).collect()
        };
        // The gradient of the ridge term is zero at the prior.
        let mut negative_gradient = self.sum(vec![0.0; weights.len()], |chunk, sums| {
            chunk.begin(folding, &weights, sums);
        });
        let mut curve = vec![self.errors()];
        let mut direction = precondition(&negative_gradient);
        let mut slope = dot(&negative_gradient, &direction);
        for pass in 1..=fit.passes {
            let ridge_term = direction.iter().map(|weight| fit.ridge * weight).collect();
            let hessian_product = self.sum(ridge_term, |chunk, sums| {
                chunk.multiply(folding, &direction, sums);
            });
            let curvature = dot(&direction, &hessian_product);
            // The gradient is zero: this is the minimum.
            if curvature <= 0.0 {
                break;
            }
            let step_size = (slope / curvature) as f32;
            add_scaled(&mut weights, step_size, &direction);
            work::parallel_for_each(self.threads, &mut self.chunks, |chunk| {
                chunk.step(step_size);
            });
            add_scaled(&mut negative_gradient, -step_size, &hessian_product);
            let steepest = precondition(&negative_gradient);
            let next_slope = dot(&negative_gradient, &steepest);
            let beta = (next_slope / slope) as f32;
            slope = next_slope;
            for (direction, steepest) in direction.iter_mut().zip(steepest) {
                *direction = steepest + beta * *direction;
            }
            curve.push(self.errors());
            on_pass(pass);
        }
        StageFit { weights, curve }
    }

    /// Adds up the sums that `add_to` computes for each chunk, starting from `sums`.
    fn sum(
        &mut self,
        mut sums: Vec<f32>,
        add_to: impl Fn(&mut RowChunk, &mut [f32]) + Sync,
    ) -> Vec<f32> {
        let len = sums.len();
        // Limits the number of chunks in flight, so that their sums take little memory.
        for chunks in self.chunks.chunks_mut(4 * self.threads.get()) {
            let mut of_chunks: Vec<(&mut RowChunk, Vec<f32>)> =
                chunks.iter_mut().map(|chunk| (chunk, Vec::new())).collect();
            work::parallel_for_each(self.threads, &mut of_chunks, |(chunk, sums)| {
                sums.resize(len, 0.0);
                add_to(chunk, sums);
            });
            for (_, of_chunk) in &of_chunks {
                add_scaled(&mut sums, 1.0, of_chunk);
            }
        }
        sums
    }

    /// Returns the errors on the training and the held-out positions of this stage.
    fn errors(&self) -> [SquaredErrors; 2] {
        let [mut training, mut held_out] = [[0.0_f64; 2]; 2];
        for chunk in &self.chunks {
            let errors = match chunk.role {
                Role::Training => &mut training,
                Role::HeldOut => &mut held_out,
                Role::Neighbour => continue,
            };
            errors[0] += chunk.residuals.len() as f64;
            errors[1] += dot(&chunk.residuals, &chunk.residuals);
        }
        [training, held_out].map(|errors| errors.map(|sum| sum as f32))
    }
}

/// Use of a chunk's positions in the fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Positions of this stage: fitted, and their errors measured.
    Training,
    /// Held-out positions of this stage: only their errors are measured.
    HeldOut,
    /// Positions of an adjacent stage: fitted, but their errors are not measured.
    Neighbour,
}

/// A part of the equations of a system.
struct RowChunk<'a> {
    positions: &'a [LabelledBoard],
    /// Label minus prediction of each position, in discs.
    residuals: Vec<f32>,
    /// Design matrix times direction: the change of each prediction for a step of size 1.
    changes: Vec<f32>,
    /// Factor of the weights of the positions. 0 if held out.
    share: f32,
    role: Role,
}

impl<'a> RowChunk<'a> {
    fn new(positions: &'a [LabelledBoard], share: f32, role: Role) -> RowChunk<'a> {
        RowChunk {
            positions,
            residuals: positions.iter().map(|one| one.label).collect(),
            changes: vec![0.0; positions.len()],
            share,
            role,
        }
    }

    /// Adds the weight of each position to the sum of each of its weight indices.
    fn add_counts<F: Features>(&self, folding: &ReducedIndex<F>, sums: &mut [f32]) {
        self.for_each_row(folding, |_, weight, row| {
            for &index in row {
                sums[index as usize] += weight;
            }
        });
    }

    /// Computes the residuals at `weights` and adds the negative gradient to `sums`.
    fn begin<F: Features>(&mut self, folding: &ReducedIndex<F>, weights: &[f32], sums: &mut [f32]) {
        let mut residuals = std::mem::take(&mut self.residuals);
        self.for_each_row(folding, |at, weight, row| {
            residuals[at] -= predict(weights, row);
            for &index in row {
                sums[index as usize] += weight * residuals[at];
            }
        });
        self.residuals = residuals;
    }

    /// Computes the changes in `direction` and adds the Hessian times the direction to `sums`.
    fn multiply<F: Features>(
        &mut self,
        folding: &ReducedIndex<F>,
        direction: &[f32],
        sums: &mut [f32],
    ) {
        let mut changes = std::mem::take(&mut self.changes);
        self.for_each_row(folding, |at, weight, row| {
            changes[at] = predict(direction, row);
            if weight > 0.0 {
                for &index in row {
                    sums[index as usize] += weight * changes[at];
                }
            }
        });
        self.changes = changes;
    }

    /// Updates the residuals for a step of this size in the direction.
    fn step(&mut self, size: f32) {
        add_scaled(&mut self.residuals, -size, &self.changes);
    }

    /// Calls `visit` with the number, the weight and the weight indices of each position.
    ///
    /// Recomputes the indices on each call: stored, they need ten times the positions' memory.
    fn for_each_row<F: Features>(
        &self,
        folding: &ReducedIndex<F>,
        mut visit: impl FnMut(usize, f32, &[u32]),
    ) {
        for (at, one) in self.positions.iter().enumerate() {
            visit(at, self.share * one.weight, &folding.row(&one.board));
        }
    }
}

/// Returns the sum of the weights at the indices `row`.
fn predict(weights: &[f32], row: &[u32]) -> f32 {
    row.iter().map(|&index| weights[index as usize]).sum()
}

fn dot(left: &[f32], right: &[f32]) -> f64 {
    let products = left.iter().zip(right);
    products
        .map(|(&left, &right)| f64::from(left) * f64::from(right))
        .sum()
}

/// Computes `to += factor * more`, element by element.
fn add_scaled(to: &mut [f32], factor: f32, more: &[f32]) {
    for (to, more) in to.iter_mut().zip(more) {
        *to += factor * more;
    }
}
