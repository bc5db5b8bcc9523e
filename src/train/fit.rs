//! Fit of the pattern weights by linear least squares with L2 regularisation (ridge regression).
//!
//! Each stage is solved by preconditioned conjugate gradients (Hestenes and Stiefel 1952).
//! Deterministic: the weights are bit-identical for any number of threads.

use std::num::NonZero;
use std::path::Path;

use super::checkpoint::{Checkpoint, CurvePoint};
use super::job::TrainJob;
use super::stream::LabelledBoard;
use crate::work;
use emilia_core::eval::{Features, Full, GAME_STAGES, Light, PatternWeights, ReducedIndex, stage};
use emilia_files::FileError;

/// Strength of the L2 regularisation, as a number of positions.
///
/// With this number of positions, a weight is halfway from its prior to the data. The prior is the
/// weight of the next stage, and 0 in the last one.
const RIDGE: f32 = 50.0;

/// Conjugate gradient iterations per stage. Each is one pass over the positions.
const PASSES: usize = 8;

/// Weight of a position in the two adjacent stages, relative to its weight in its own stage.
const NEIGHBOUR_WEIGHT: f32 = 0.5;

/// Number of stages of both evaluations.
pub const PATTERN_STAGES: usize = Full::STAGES + Light::STAGES;

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
        FitPositions {
            training: by_stage(training),
            held_out: by_stage(held_out),
        }
    }
}

fn by_stage(positions: impl IntoIterator<Item = LabelledBoard>) -> Vec<Vec<LabelledBoard>> {
    let mut stages = vec![Vec::new(); GAME_STAGES];
    for position in positions {
        stages[stage(position.board.empty_count())].push(position);
    }
    stages
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

/// Facts about the fit that its checkpoint records, under the names that they had as options.
pub fn fit_facts() -> [(&'static str, String); 4] {
    [
        ("--passes", PASSES.to_string()),
        ("--ridge", RIDGE.to_string()),
        ("--neighbours", NEIGHBOUR_WEIGHT.to_string()),
        ("--prior", "none".to_owned()),
    ]
}

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
    pub fn append(&mut self, stage: &StageFit) -> Result<(), FileError> {
        self.content.numbers.extend(stage.numbers());
        self.content.write(self.path, MAGIC, &self.job)
    }
}

/// Fits all stages: those of the full features, then those of the light ones, last stage first.
///
/// `finished` holds the stages already fitted, in this order.
/// `on_stage` receives each further stage.
/// `on_pass` receives the number of passes done and their total.
///
/// # Errors
/// Returns the first error of `on_stage`.
pub fn fit_pattern_weights<E>(
    positions: &FitPositions,
    threads: NonZero<usize>,
    mut finished: Vec<StageFit>,
    mut on_stage: impl FnMut(&StageFit) -> Result<(), E>,
    on_pass: &dyn Fn(usize, usize),
) -> Result<Fitted, E> {
    let light = finished.split_off(finished.len().min(Full::STAGES));
    let of_full = |done: usize| on_pass(done, PATTERN_STAGES * PASSES);
    let of_light = |done: usize| of_full(Full::STAGES * PASSES + done);
    Ok(Fitted {
        full: fit_stages::<Full, E>(positions, threads, finished, &mut on_stage, &of_full)?,
        light: fit_stages::<Light, E>(positions, threads, light, &mut on_stage, &of_light)?,
    })
}

/// Fits the stages of one feature set that are not in `finished`.
/// Returns all stages of the feature set, the first stage first.
fn fit_stages<F: Features, E>(
    positions: &FitPositions,
    threads: NonZero<usize>,
    finished: Vec<StageFit>,
    on_stage: &mut impl FnMut(&StageFit) -> Result<(), E>,
    on_pass: &dyn Fn(usize),
) -> Result<Vec<StageFit>, E> {
    let folding = ReducedIndex::<F>::new();
    let mut stages = finished;
    for done in stages.len()..F::STAGES {
        let next = stages.last().map(|next| next.weights.clone());
        let prior = next.unwrap_or_else(|| vec![0.0; folding.count()]);
        let stage = F::FIRST_STAGE + F::STAGES - 1 - done;
        let mut system = System::new(&folding, positions, stage, threads);
        let fitted = system.solve(prior, &|pass| on_pass(done * PASSES + pass));
        on_stage(&fitted)?;
        stages.push(fitted);
    }
    stages.reverse();
    Ok(stages)
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
                add(neighbours, NEIGHBOUR_WEIGHT, Role::Neighbour);
            }
        }
        System {
            folding,
            chunks,
            threads,
        }
    }

    /// Minimises the regularised squared error by preconditioned conjugate gradients from `prior`.
    fn solve(&mut self, prior: Vec<f32>, on_pass: &dyn Fn(usize)) -> StageFit {
        let folding = self.folding;
        let mut weights = prior;
        // Diagonal of the Hessian, if no weight index occurs twice in a position.
        let preconditioner = self.sum(vec![RIDGE; weights.len()], |chunk, sums| {
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
        for pass in 1..=PASSES {
            let ridge_term = direction.iter().map(|weight| RIDGE * weight).collect();
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
    /// The indices are computed on each call: to store them would take ten times the memory of the
    /// positions.
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
