//! Fitting the weights: regularised least squares on final scores, stage by stage, by conjugate gradients (Hestenes and
//! Stiefel 1952) with a diagonal preconditioner. The same bits every time, whatever the number of threads.
//! Stands on `samples`.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::samples::{Error, Sample, Split};
use crate::eval::{Features, Folding, Full, Light};

/// How to fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// So many positions would have to speak for a weight as loudly as what is expected of it without any: the more, the
    /// closer rare arrangements stay to the weight they have in the next stage.
    pub ridge: f32,
    /// Passes over the positions of a stage.
    pub passes: usize,
    /// How much a position counts in the stages before and after its own.
    pub neighbours: f32,
}

impl Default for Fit {
    fn default() -> Fit {
        Fit {
            ridge: 200.0,
            passes: 10,
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
    /// hears of each further one, `passed` of every pass of so many.
    ///
    /// # Errors
    /// What `fitted` returns.
    pub fn run<E>(
        &self,
        split: &Split,
        threads: NonZero<usize>,
        mut finished: Vec<StageFit>,
        mut fitted: impl FnMut(&StageFit) -> Result<(), E>,
        passed: &dyn Fn(usize, usize),
    ) -> Result<Fitted, E> {
        let total = Fit::STAGES * self.passes;
        let mut light = finished.split_off(finished.len().min(Full::STAGES));
        let mut full = finished;
        self.set::<Full, E>(split, threads, &mut full, &mut fitted, &|done| {
            passed(done, total);
        })?;
        self.set::<Light, E>(split, threads, &mut light, &mut fitted, &|done| {
            passed(Full::STAGES * self.passes + done, total);
        })?;
        full.reverse();
        light.reverse();
        Ok(Fitted { full, light })
    }

    /// Fits the stages of a set of features that are not `finished`.
    fn set<F: Features, E>(
        &self,
        split: &Split,
        threads: NonZero<usize>,
        finished: &mut Vec<StageFit>,
        fitted: &mut impl FnMut(&StageFit) -> Result<(), E>,
        passed: &dyn Fn(usize),
    ) -> Result<(), E> {
        let folding = Folding::<F>::new();
        for at in finished.len()..F::STAGES {
            let prior = finished
                .last()
                .map_or_else(|| vec![0.0; folding.len()], |next| next.weights.clone());
            let stage = F::FIRST_STAGE + F::STAGES - 1 - at;
            let mut system = System::new(self, &folding, split, stage, threads);
            let fit = system.solve(self, prior, &|pass| passed(at * self.passes + pass));
            fitted(&fit)?;
            finished.push(fit);
        }
        Ok(())
    }
}

/// The equations of a stage: for each position, the weights that should add up to its score.
struct System {
    parts: Vec<Part>,
    threads: NonZero<usize>,
}

/// Positions of a part. The sums over each are put together in the order of the parts, so that the number of threads
/// makes no difference.
const PART: usize = 1 << 17;

impl System {
    fn new<F: Features>(
        fit: &Fit,
        folding: &Folding<F>,
        split: &Split,
        stage: usize,
        threads: NonZero<usize>,
    ) -> System {
        let beside = [stage.checked_sub(1), Some(stage + 1)];
        let mut groups = vec![
            (split.training.stage(stage), 1.0, Some(0)),
            (split.held_out.stage(stage), 0.0, Some(1)),
        ];
        groups.extend(
            beside
                .into_iter()
                .flatten()
                .map(|stage| (split.training.stage(stage), fit.neighbours, None)),
        );
        let mut chunks: Vec<(&[Sample], Part)> = groups
            .into_iter()
            .flat_map(|(samples, loudness, errors)| {
                samples
                    .chunks(PART)
                    .map(move |samples| (samples, Part::empty(loudness, errors)))
            })
            .collect();
        in_parallel(threads, &mut chunks, |(samples, part)| {
            part.fill(folding, samples);
        });
        System {
            parts: chunks.into_iter().map(|(_, part)| part).collect(),
            threads,
        }
    }

    /// The weights, from `prior` on.
    fn solve(&mut self, fit: &Fit, prior: Vec<f32>, passed: &dyn Fn(usize)) -> StageFit {
        let mut weights = prior;
        self.each(|part| part.change(&weights));
        self.each(|part| part.follow(1.0));
        let mut curve = vec![self.errors()];
        // What the rest pulls at each weight, and how many positions stand behind it.
        let mut pull = self.sums(vec![0.0; weights.len()], Part::pull);
        let scale = self.sums(vec![fit.ridge; weights.len()], Part::count);
        let scaled = |pull: &[f32]| -> Vec<f32> {
            let pairs = pull.iter().zip(&scale);
            pairs.map(|(pull, scale)| pull / scale).collect()
        };
        let mut step = scaled(&pull);
        let mut descent = dot(&pull, &step);
        for pass in 1..=fit.passes {
            // One sweep: what the step changes at each position, and what that change pulls at each weight.
            let spring = step.iter().map(|step| fit.ridge * step).collect();
            let counter = self.sums(spring, |part, sums| part.sweep(&step, sums));
            let curvature = dot(&step, &counter);
            // Nothing is left to learn.
            if curvature <= 0.0 {
                break;
            }
            let length = (descent / curvature) as f32;
            add(&mut weights, length, &step);
            self.each(|part| part.follow(length));
            add(&mut pull, -length, &counter);
            let scaled = scaled(&pull);
            let next = dot(&pull, &scaled);
            let keep = (next / descent) as f32;
            descent = next;
            for (step, scaled) in step.iter_mut().zip(scaled) {
                *step = scaled + keep * *step;
            }
            curve.push(self.errors());
            passed(pass);
        }
        StageFit { weights, curve }
    }

    /// Lets all parts do something.
    fn each(&mut self, work: impl Fn(&mut Part) + Sync) {
        in_parallel(self.threads, &mut self.parts, work);
    }

    /// Adds to `sums`, one for each weight, what each part has to add.
    fn sums(&mut self, sums: Vec<f32>, add_to: impl Fn(&mut Part, &mut [f32]) + Sync) -> Vec<f32> {
        let len = sums.len();
        let mut of_parts: Vec<(&mut Part, Vec<f32>)> = self
            .parts
            .iter_mut()
            .map(|part| (part, Vec::new()))
            .collect();
        in_parallel(self.threads, &mut of_parts, |(part, sums)| {
            sums.resize(len, 0.0);
            add_to(part, sums);
        });
        of_parts.iter().fold(sums, |mut sums, (_, of_part)| {
            add(&mut sums, 1.0, of_part);
            sums
        })
    }

    /// The errors on the stage's own positions and on those held out.
    fn errors(&self) -> [Error; 2] {
        let mut errors = [Error::default(); 2];
        for part in &self.parts {
            if let Some(of) = part.errors {
                for rest in &part.rests {
                    errors[of].add((*rest).into());
                }
            }
        }
        errors
    }
}

/// Some of the equations.
struct Part {
    /// The numbers of the weights of each position, one position after the other.
    columns: Vec<u32>,
    /// How many these are.
    width: usize,
    /// What is left of each score when the weights are taken off.
    rests: Vec<f32>,
    /// By how much the last step would change each.
    changes: Vec<f32>,
    /// How much each position counts; nothing if it is held out.
    loudness: f32,
    /// Which of the errors these positions are counted in.
    errors: Option<usize>,
}

impl Part {
    fn empty(loudness: f32, errors: Option<usize>) -> Part {
        Part {
            columns: Vec::new(),
            width: 1,
            rests: Vec::new(),
            changes: Vec::new(),
            loudness,
            errors,
        }
    }

    fn fill<F: Features>(&mut self, folding: &Folding<F>, samples: &[Sample]) {
        self.width = Folding::<F>::COLUMNS;
        self.columns.reserve_exact(samples.len() * self.width);
        for sample in samples {
            self.columns.extend(folding.row(&sample.board));
        }
        self.rests = samples.iter().map(|sample| sample.score).collect();
        self.changes = vec![0.0; samples.len()];
    }

    /// What adding `step` to the weights would change at each position.
    fn change(&mut self, step: &[f32]) {
        let rows = self.columns.chunks_exact(self.width);
        for (change, row) in self.changes.iter_mut().zip(rows) {
            *change = row.iter().map(|&column| step[column as usize]).sum();
        }
    }

    /// Takes so much of the step.
    fn follow(&mut self, length: f32) {
        add(&mut self.rests, -length, &self.changes);
    }

    /// The same, and adds what these changes pull at each weight.
    fn sweep(&mut self, step: &[f32], sums: &mut [f32]) {
        let rows = self.columns.chunks_exact(self.width);
        for (change, row) in self.changes.iter_mut().zip(rows) {
            *change = row.iter().map(|&column| step[column as usize]).sum();
            if self.loudness > 0.0 {
                for &column in row {
                    sums[column as usize] += self.loudness * *change;
                }
            }
        }
    }

    /// Adds what the rests pull at each weight.
    fn pull(&mut self, sums: &mut [f32]) {
        let rows = self.columns.chunks_exact(self.width);
        for (row, rest) in rows.zip(&self.rests) {
            for &column in row {
                sums[column as usize] += self.loudness * rest;
            }
        }
    }

    /// Adds how much all positions with a weight count together.
    fn count(&mut self, sums: &mut [f32]) {
        for &column in &self.columns {
            sums[column as usize] += self.loudness;
        }
    }
}

/// Does some work on each item, on so many threads.
fn in_parallel<T: Send>(threads: NonZero<usize>, items: &mut [T], work: impl Fn(&mut T) + Sync) {
    let rest = Mutex::new(items.iter_mut());
    let next = || rest.lock().unwrap_or_else(PoisonError::into_inner).next();
    thread::scope(|scope| {
        for _ in 0..threads.get() {
            scope.spawn(|| {
                while let Some(item) = next() {
                    work(item);
                }
            });
        }
    });
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
