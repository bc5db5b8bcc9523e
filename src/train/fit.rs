//! Fitting the weights: linear least squares with L2 regularisation (ridge regression), stage by stage, by conjugate
//! gradients (Hestenes and Stiefel 1952) with a diagonal preconditioner. Deterministic: the weights are the same to the
//! last bit whatever the number of threads.

use std::num::NonZero;

use super::samples::{ErrorStats, Sample, Split};
use crate::eval::{Features, Full, Light, PatternWeights, ReducedIndex};
use crate::work;

/// How to fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// The strength of the L2 regularisation, in positions: a configuration seen so often is half way between its prior
    /// and the mean residual of its positions. The prior is the weight of the next stage, or the one that is given.
    pub ridge: f32,
    /// Iterations of conjugate gradients for each stage; each is one pass over the positions.
    pub passes: usize,
    /// The weight of a position in the two stages beside its own, relative to its weight there.
    pub neighbours: f32,
}

impl Default for Fit {
    fn default() -> Fit {
        Fit {
            ridge: 50.0,
            passes: 8,
            neighbours: 0.5,
        }
    }
}

/// The weights of a stage and its learning curve.
#[derive(Clone, Debug, PartialEq)]
pub struct StageFit {
    /// One for each symmetry-reduced weight index, in discs.
    pub weights: Vec<f32>,
    /// Before the first pass and after each: the errors on the training and on the held-out positions.
    pub curve: Vec<[ErrorStats; 2]>,
}

/// The weights of all stages, the first stage first.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The stages of the pattern evaluation.
    pub full: Vec<StageFit>,
    /// The stages of the light evaluation.
    pub light: Vec<StageFit>,
}

impl Fit {
    /// How many stages there are to fit.
    pub const STAGES: usize = Full::STAGES + Light::STAGES;

    /// Fits all stages, first those of the full set of features and then those of the light one, the last stage of each
    /// first. `finished` holds those fitted already, in this order. `on_stage` is called with each further one, `on_pass`
    /// with the passes done and their total. The prior of a stage is its weights in `prior`; without, those of the next
    /// stage.
    ///
    /// # Errors
    /// What `on_stage` returns.
    pub fn run<E>(
        &self,
        split: &Split,
        prior: Option<&PatternWeights>,
        threads: NonZero<usize>,
        mut finished: Vec<StageFit>,
        on_stage: impl FnMut(&StageFit) -> Result<(), E>,
        on_pass: &dyn Fn(usize, usize),
    ) -> Result<Fitted, E> {
        let light = finished.split_off(finished.len().min(Full::STAGES));
        let full_prior = prior.map(PatternWeights::full_in_discs);
        let light_prior = prior.map(PatternWeights::light_in_discs);
        let mut job = Job {
            fit: self,
            split,
            threads,
            on_stage,
            on_pass,
        };
        let full = job.fit_stages::<Full, E>(full_prior.as_deref(), finished, 0)?;
        let light = job.fit_stages::<Light, E>(light_prior.as_deref(), light, Full::STAGES)?;
        Ok(Fitted { full, light })
    }
}

/// A fit that runs.
struct Job<'a, S> {
    fit: &'a Fit,
    split: &'a Split,
    threads: NonZero<usize>,
    on_stage: S,
    on_pass: &'a dyn Fn(usize, usize),
}

impl<S> Job<'_, S> {
    /// Fits the stages of one set of features that are not `finished`, after `stages_before` stages of other sets.
    /// Returns all of them, the first stage first.
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
            let mut system = System::new(self.fit, &folding, self.split, stage, self.threads);
            let fitted = system.solve(self.fit, prior, &|pass| {
                let passes_before = (stages_before + done) * passes;
                (self.on_pass)(passes_before + pass, Fit::STAGES * passes);
            });
            (self.on_stage)(&fitted)?;
            stages.push(fitted);
        }
        stages.reverse();
        Ok(stages)
    }
}

/// The linear system of a stage. Each position is an equation: the weights of its features add up to its label. The
/// design matrix has a row for each position, with ones in the columns of its weight indices.
struct System<'a, F> {
    folding: &'a ReducedIndex<F>,
    chunks: Vec<Chunk<'a>>,
    threads: NonZero<usize>,
}

/// Positions of a chunk. Sums over chunks are added up in the order of the chunks, so that rounding does not depend on the
/// number of threads.
const CHUNK_LEN: usize = 1 << 17;

impl<'a, F: Features> System<'a, F> {
    fn new(
        fit: &Fit,
        folding: &'a ReducedIndex<F>,
        split: &'a Split,
        stage: usize,
        threads: NonZero<usize>,
    ) -> System<'a, F> {
        let training = &split.training;
        let mut chunks = Vec::new();
        let mut add = |samples: &'a [Sample], weight: f32, role| {
            let of = samples.chunks(CHUNK_LEN);
            chunks.extend(of.map(|samples| Chunk::new(samples, weight, role)));
        };
        for (empties, kind, samples) in training.stage(stage) {
            add(samples, training.weight(empties, kind), Role::Training);
        }
        for (_, _, samples) in split.held_out.stage(stage) {
            add(samples, 0.0, Role::HeldOut);
        }
        for beside in [stage.checked_sub(1), Some(stage + 1)]
            .into_iter()
            .flatten()
        {
            for (empties, kind, samples) in training.stage(beside) {
                let weight = fit.neighbours * training.weight(empties, kind);
                add(samples, weight, Role::Neighbour);
            }
        }
        System {
            folding,
            chunks,
            threads,
        }
    }

    /// The weights with the least regularised squared error, by preconditioned conjugate gradients from `prior` on.
    fn solve(&mut self, fit: &Fit, prior: Vec<f32>, on_pass: &dyn Fn(usize)) -> StageFit {
        let folding = self.folding;
        let mut weights = prior;
        // How many positions have each weight index: the diagonal of the Hessian, where no index comes twice.
        let preconditioner = self.sum(vec![fit.ridge; weights.len()], |chunk, sums| {
            chunk.add_counts(folding, sums);
        });
        let precondition = |gradient: &[f32]| -> Vec<f32> {
            let pairs = gradient.iter().zip(&preconditioner);
            pairs.map(|(gradient, scale)| gradient / scale).collect()
        };
        // The ridge term has no gradient at the prior.
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
            work::for_each(self.threads, &mut self.chunks, |chunk| {
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

    /// Adds to `sums`, one for each weight, what `add_to` adds for each chunk.
    fn sum(
        &mut self,
        mut sums: Vec<f32>,
        add_to: impl Fn(&mut Chunk, &mut [f32]) + Sync,
    ) -> Vec<f32> {
        let len = sums.len();
        // So many chunks at a time that their sums take little memory.
        for chunks in self.chunks.chunks_mut(4 * self.threads.get()) {
            let mut of_chunks: Vec<(&mut Chunk, Vec<f32>)> =
                chunks.iter_mut().map(|chunk| (chunk, Vec::new())).collect();
            work::for_each(self.threads, &mut of_chunks, |(chunk, sums)| {
                sums.resize(len, 0.0);
                add_to(chunk, sums);
            });
            for (_, of_chunk) in &of_chunks {
                add_scaled(&mut sums, 1.0, of_chunk);
            }
        }
        sums
    }

    /// The errors on the training positions of the stage itself and on those held out.
    fn errors(&self) -> [ErrorStats; 2] {
        let [mut training, mut held_out] = [ErrorStats::default(); 2];
        for chunk in &self.chunks {
            let errors = match chunk.role {
                Role::Training => &mut training,
                Role::HeldOut => &mut held_out,
                Role::Neighbour => continue,
            };
            for residual in &chunk.residuals {
                errors.add((-*residual).into());
            }
        }
        [training, held_out]
    }
}

/// What the positions of a chunk are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Of the stage itself: they are fitted, and their errors are measured.
    Training,
    /// Of the stage itself, but held out: only their errors are measured.
    HeldOut,
    /// Of a stage beside it: they are only fitted.
    Neighbour,
}

/// Some of the equations.
struct Chunk<'a> {
    samples: &'a [Sample],
    /// Label minus prediction, in discs.
    residuals: Vec<f32>,
    /// The design matrix times the direction: how much each prediction changes in a step of size 1.
    changes: Vec<f32>,
    /// How much each equation counts; 0 if it is held out.
    weight: f32,
    role: Role,
}

impl<'a> Chunk<'a> {
    fn new(samples: &'a [Sample], weight: f32, role: Role) -> Chunk<'a> {
        Chunk {
            samples,
            residuals: samples.iter().map(|sample| sample.label).collect(),
            changes: vec![0.0; samples.len()],
            weight,
            role,
        }
    }

    /// Adds to the sum of each weight index how much the positions that have it count together.
    fn add_counts<F: Features>(&self, folding: &ReducedIndex<F>, sums: &mut [f32]) {
        self.for_each_row(folding, |_, row| {
            for &index in row {
                sums[index as usize] += self.weight;
            }
        });
    }

    /// Computes the residuals at `weights`, and adds the negative gradient.
    fn begin<F: Features>(&mut self, folding: &ReducedIndex<F>, weights: &[f32], sums: &mut [f32]) {
        let mut residuals = std::mem::take(&mut self.residuals);
        self.for_each_row(folding, |at, row| {
            residuals[at] -= predict(weights, row);
            for &index in row {
                sums[index as usize] += self.weight * residuals[at];
            }
        });
        self.residuals = residuals;
    }

    /// Computes the changes in `direction`, and adds the Hessian times the direction.
    fn multiply<F: Features>(
        &mut self,
        folding: &ReducedIndex<F>,
        direction: &[f32],
        sums: &mut [f32],
    ) {
        let mut changes = std::mem::take(&mut self.changes);
        self.for_each_row(folding, |at, row| {
            changes[at] = predict(direction, row);
            if self.weight > 0.0 {
                for &index in row {
                    sums[index as usize] += self.weight * changes[at];
                }
            }
        });
        self.changes = changes;
    }

    /// Takes a step of this size in the direction.
    fn step(&mut self, size: f32) {
        add_scaled(&mut self.residuals, -size, &self.changes);
    }

    /// Calls `visit` with the weight indices of each position. They are computed anew each time: stored, they would take
    /// ten times the memory of the positions.
    fn for_each_row<F: Features>(
        &self,
        folding: &ReducedIndex<F>,
        mut visit: impl FnMut(usize, &[u32]),
    ) {
        for (at, sample) in self.samples.iter().enumerate() {
            visit(at, &folding.row(&sample.board));
        }
    }
}

/// The sum of the weights at these indices.
fn predict(weights: &[f32], row: &[u32]) -> f32 {
    row.iter().map(|&index| weights[index as usize]).sum()
}

fn dot(left: &[f32], right: &[f32]) -> f64 {
    let products = left.iter().zip(right);
    products
        .map(|(&left, &right)| f64::from(left) * f64::from(right))
        .sum()
}

/// `to += factor * more`, element by element.
fn add_scaled(to: &mut [f32], factor: f32, more: &[f32]) {
    for (to, more) in to.iter_mut().zip(more) {
        *to += factor * more;
    }
}
