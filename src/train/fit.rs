//! Fitting the weights: least squares with L2 regularisation, stage by stage, by conjugate gradients (Hestenes and Stiefel
//! 1952) with a diagonal preconditioner. The same bits every time, whatever the number of threads.
//! Stands on `samples`.

use std::num::NonZero;

use super::samples::{Error, Sample, Split};
use crate::eval::{Features, Full, Light, PatternWeights, ReducedIndex};
use crate::work;

/// How to fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// The strength of the L2 regularisation, in positions: a configuration met so often is half way between its prior and
    /// what its positions say. The prior is the weight of the next stage, or the one that is given.
    pub ridge: f32,
    /// Passes over the positions of a stage.
    pub passes: usize,
    /// How much a position counts in the stages before and after its own.
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

/// The weights of a stage, and how the errors went down.
#[derive(Clone, Debug, PartialEq)]
pub struct StageFit {
    /// In discs, in the order of their numbers.
    pub weights: Vec<f32>,
    /// Before the first pass and after each: the error on positions learnt from and on those held out.
    pub curve: Vec<[Error; 2]>,
}

/// All that was fitted, the first stage first.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The stages of the pattern evaluation.
    pub full: Vec<StageFit>,
    /// The stages of the light one.
    pub light: Vec<StageFit>,
}

impl Fit {
    /// How many stages there are to fit.
    pub const STAGES: usize = Full::STAGES + Light::STAGES;

    /// Fits all stages, first those of the full set of features and then those of the light one, the last stage of each
    /// first, and each starting from the one after it. `finished` holds those fitted already, in this order; `fitted`
    /// hears of each further one, `passed` of every pass of so many. With a `prior`, each stage starts from and is drawn to
    /// its weights there, instead of those of the next stage.
    ///
    /// # Errors
    /// What `fitted` returns.
    pub fn run<E>(
        &self,
        split: &Split,
        prior: Option<&PatternWeights>,
        threads: NonZero<usize>,
        mut finished: Vec<StageFit>,
        mut fitted: impl FnMut(&StageFit) -> Result<(), E>,
        passed: &dyn Fn(usize, usize),
    ) -> Result<Fitted, E> {
        let total = Fit::STAGES * self.passes;
        let mut light = finished.split_off(finished.len().min(Full::STAGES));
        let mut full = finished;
        let full_prior = prior.map(PatternWeights::full_in_discs);
        self.set::<Full, E>(
            split,
            full_prior.as_deref(),
            threads,
            &mut full,
            &mut fitted,
            &|done| {
                passed(done, total);
            },
        )?;
        let light_prior = prior.map(PatternWeights::light_in_discs);
        self.set::<Light, E>(
            split,
            light_prior.as_deref(),
            threads,
            &mut light,
            &mut fitted,
            &|done| {
                passed(Full::STAGES * self.passes + done, total);
            },
        )?;
        full.reverse();
        light.reverse();
        Ok(Fitted { full, light })
    }

    /// Fits the stages of a set of features that are not `finished`.
    fn set<F: Features, E>(
        &self,
        split: &Split,
        prior: Option<&[Vec<f32>]>,
        threads: NonZero<usize>,
        finished: &mut Vec<StageFit>,
        fitted: &mut impl FnMut(&StageFit) -> Result<(), E>,
        passed: &dyn Fn(usize),
    ) -> Result<(), E> {
        let folding = ReducedIndex::<F>::new();
        for at in finished.len()..F::STAGES {
            let own = F::STAGES - 1 - at;
            let prior = match (prior, finished.last()) {
                (Some(prior), _) => prior[own].clone(),
                (None, Some(next)) => next.weights.clone(),
                (None, None) => vec![0.0; folding.len()],
            };
            let mut system = System::new(self, &folding, split, F::FIRST_STAGE + own, threads);
            let fit = system.solve(self, prior, &|pass| passed(at * self.passes + pass));
            fitted(&fit)?;
            finished.push(fit);
        }
        Ok(())
    }
}

/// The equations of a stage: for each position, the weights that should add up to its label.
struct System<'a, F> {
    folding: &'a ReducedIndex<F>,
    parts: Vec<Part<'a>>,
    threads: NonZero<usize>,
}

/// Positions of a part. The sums over each are put together in the order of the parts, so that the number of threads
/// makes no difference.
const PART: usize = 1 << 17;

impl<'a, F: Features> System<'a, F> {
    fn new(
        fit: &Fit,
        folding: &'a ReducedIndex<F>,
        split: &'a Split,
        stage: usize,
        threads: NonZero<usize>,
    ) -> System<'a, F> {
        let training = &split.training;
        let mut parts = Vec::new();
        let mut add = |samples: &'a [Sample], weight: f32, errors| {
            let of = samples.chunks(PART);
            parts.extend(of.map(|samples| Part::new(samples, weight, errors)));
        };
        for (empties, kind, samples) in training.stage(stage) {
            add(samples, training.weight(empties, kind), Some(0));
        }
        for (_, _, samples) in split.held_out.stage(stage) {
            add(samples, 0.0, Some(1));
        }
        for beside in [stage.checked_sub(1), Some(stage + 1)]
            .into_iter()
            .flatten()
        {
            for (empties, kind, samples) in training.stage(beside) {
                let weight = fit.neighbours * training.weight(empties, kind);
                add(samples, weight, None);
            }
        }
        System {
            folding,
            parts,
            threads,
        }
    }

    /// The weights, from `prior` on.
    fn solve(&mut self, fit: &Fit, prior: Vec<f32>, passed: &dyn Fn(usize)) -> StageFit {
        let folding = self.folding;
        let mut weights = prior;
        let counts = vec![fit.ridge; weights.len()];
        // What the preconditioner divides by: how many positions stand behind each weight.
        let scale = self.sums(counts, |part, sums| part.count(folding, sums));
        // How far each weight should go by its positions, the negative gradient.
        let mut descent = self.sums(vec![0.0; weights.len()], |part, sums| {
            part.begin(folding, &weights, sums);
        });
        let mut curve = vec![self.errors()];
        let preconditioned = |descent: &[f32]| -> Vec<f32> {
            let pairs = descent.iter().zip(&scale);
            pairs.map(|(descent, scale)| descent / scale).collect()
        };
        let mut direction = preconditioned(&descent);
        let mut slope = dot(&descent, &direction);
        for pass in 1..=fit.passes {
            let ridge_term = direction.iter().map(|weight| fit.ridge * weight).collect();
            // The matrix of the system times the direction.
            let product = self.sums(ridge_term, |part, sums| {
                part.multiply(folding, &direction, sums);
            });
            let curvature = dot(&direction, &product);
            // Nothing is left to learn.
            if curvature <= 0.0 {
                break;
            }
            let length = (slope / curvature) as f32;
            add(&mut weights, length, &direction);
            work::for_each(self.threads, &mut self.parts, |part| part.step(length));
            add(&mut descent, -length, &product);
            let next_direction = preconditioned(&descent);
            let next_slope = dot(&descent, &next_direction);
            let keep = (next_slope / slope) as f32;
            slope = next_slope;
            for (direction, next) in direction.iter_mut().zip(next_direction) {
                *direction = next + keep * *direction;
            }
            curve.push(self.errors());
            passed(pass);
        }
        StageFit { weights, curve }
    }

    /// Adds to `sums`, one for each weight, what each part has to add.
    fn sums(
        &mut self,
        mut sums: Vec<f32>,
        add_to: impl Fn(&mut Part, &mut [f32]) + Sync,
    ) -> Vec<f32> {
        let len = sums.len();
        // So many parts at a time that their sums take little memory.
        for parts in self.parts.chunks_mut(4 * self.threads.get()) {
            let mut of_parts: Vec<(&mut Part, Vec<f32>)> =
                parts.iter_mut().map(|part| (part, Vec::new())).collect();
            work::for_each(self.threads, &mut of_parts, |(part, sums)| {
                sums.resize(len, 0.0);
                add_to(part, sums);
            });
            for (_, of_part) in &of_parts {
                add(&mut sums, 1.0, of_part);
            }
        }
        sums
    }

    /// The errors on the stage's own positions and on those held out.
    fn errors(&self) -> [Error; 2] {
        let mut errors = [Error::default(); 2];
        for part in &self.parts {
            if let Some(of) = part.errors {
                for residual in &part.residuals {
                    errors[of].add((-*residual).into());
                }
            }
        }
        errors
    }
}

/// Some of the equations.
struct Part<'a> {
    samples: &'a [Sample],
    /// What is left of each label when the weights are taken off.
    residuals: Vec<f32>,
    /// By how much the direction would change the sum at each position.
    changes: Vec<f32>,
    /// How much each position counts; nothing if it is held out.
    weight: f32,
    /// Which of the errors these positions are counted in.
    errors: Option<usize>,
}

impl<'a> Part<'a> {
    fn new(samples: &'a [Sample], weight: f32, errors: Option<usize>) -> Part<'a> {
        Part {
            samples,
            residuals: samples.iter().map(|sample| sample.label).collect(),
            changes: vec![0.0; samples.len()],
            weight,
            errors,
        }
    }

    /// Adds how much all positions with a weight count together.
    fn count<F: Features>(&self, folding: &ReducedIndex<F>, sums: &mut [f32]) {
        self.rows(folding, |_, row| {
            for &column in row {
                sums[column as usize] += self.weight;
            }
        });
    }

    /// Takes the weights off the labels, and adds the negative gradient.
    fn begin<F: Features>(&mut self, folding: &ReducedIndex<F>, weights: &[f32], sums: &mut [f32]) {
        let mut residuals = std::mem::take(&mut self.residuals);
        self.rows(folding, |at, row| {
            residuals[at] -= value(weights, row);
            for &column in row {
                sums[column as usize] += self.weight * residuals[at];
            }
        });
        self.residuals = residuals;
    }

    /// Finds what the direction changes at each position, and adds what that changes of the gradient.
    fn multiply<F: Features>(
        &mut self,
        folding: &ReducedIndex<F>,
        direction: &[f32],
        sums: &mut [f32],
    ) {
        let mut changes = std::mem::take(&mut self.changes);
        self.rows(folding, |at, row| {
            changes[at] = value(direction, row);
            if self.weight > 0.0 {
                for &column in row {
                    sums[column as usize] += self.weight * changes[at];
                }
            }
        });
        self.changes = changes;
    }

    /// Goes so far in the direction.
    fn step(&mut self, length: f32) {
        add(&mut self.residuals, -length, &self.changes);
    }

    /// Tells the numbers of the weights of each position. They are found anew each time: kept, they would take ten times the
    /// memory of the positions.
    fn rows<F: Features>(&self, folding: &ReducedIndex<F>, mut tell: impl FnMut(usize, &[u32])) {
        for (at, sample) in self.samples.iter().enumerate() {
            tell(at, &folding.row(&sample.board));
        }
    }
}

/// The sum of the weights with these numbers.
fn value(weights: &[f32], row: &[u32]) -> f32 {
    row.iter().map(|&column| weights[column as usize]).sum()
}

fn dot(left: &[f32], right: &[f32]) -> f64 {
    let products = left.iter().zip(right);
    products
        .map(|(&left, &right)| f64::from(left) * f64::from(right))
        .sum()
}

/// Adds `factor` times `more` to `to`.
fn add(to: &mut [f32], factor: f32, more: &[f32]) {
    for (to, more) in to.iter_mut().zip(more) {
        *to += factor * more;
    }
}
