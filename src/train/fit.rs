//! Fitting the weights: regularised least squares on final scores, stage by stage, by conjugate gradients (Hestenes and
//! Stiefel 1952) with a diagonal preconditioner. One thread, the same bits every time. Stands on `samples`.

use super::samples::{Error, Sample, Split};
use crate::eval::{Folding, Row, STAGES};

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

impl Fit {
    /// Fits all stages, the last one first, each starting from the one after it. `finished` holds those fitted already,
    /// the last stage first; `fitted` hears of each further one, `passed` of every pass of so many.
    ///
    /// # Errors
    /// What `fitted` returns.
    pub fn run<E>(
        &self,
        split: &Split,
        mut finished: Vec<StageFit>,
        mut fitted: impl FnMut(&StageFit) -> Result<(), E>,
        passed: &dyn Fn(usize, usize),
    ) -> Result<Vec<StageFit>, E> {
        let folding = Folding::new();
        while finished.len() < STAGES {
            let stage = STAGES - 1 - finished.len();
            let before = (STAGES - 1 - stage) * self.passes;
            let prior = finished
                .last()
                .map_or_else(|| vec![0.0; folding.len()], |next| next.weights.clone());
            let system = System::new(self, &folding, split, stage);
            let fit = system.solve(self, prior, &|pass| {
                passed(before + pass, STAGES * self.passes);
            });
            fitted(&fit)?;
            finished.push(fit);
        }
        Ok(finished)
    }
}

/// The equations of a stage: for each position, the weights that should add up to its score.
struct System {
    rows: Vec<Row>,
    scores: Vec<f32>,
    /// How much each counts.
    loudness: Vec<f32>,
    /// The first so many are of the stage itself.
    own: usize,
    held_out: Vec<Row>,
    held_out_scores: Vec<f32>,
}

impl System {
    fn new(fit: &Fit, folding: &Folding, split: &Split, stage: usize) -> System {
        let own = split.training.stage(stage);
        let mut around: Vec<(&Sample, f32)> = own.iter().map(|sample| (sample, 1.0)).collect();
        for neighbour in [stage.checked_sub(1), Some(stage + 1)]
            .into_iter()
            .flatten()
        {
            let samples = split.training.stage(neighbour).iter();
            around.extend(samples.map(|sample| (sample, fit.neighbours)));
        }
        let held_out = split.held_out.stage(stage);
        System {
            rows: around
                .iter()
                .map(|(sample, _)| folding.row(&sample.board))
                .collect(),
            scores: around.iter().map(|(sample, _)| sample.score).collect(),
            loudness: around.iter().map(|&(_, share)| share).collect(),
            own: own.len(),
            held_out: held_out
                .iter()
                .map(|sample| folding.row(&sample.board))
                .collect(),
            held_out_scores: held_out.iter().map(|sample| sample.score).collect(),
        }
    }

    /// The weights, from `prior` on.
    fn solve(&self, fit: &Fit, prior: Vec<f32>, passed: &dyn Fn(usize)) -> StageFit {
        let mut weights = prior;
        let mut rest: Vec<f32> = self
            .rows
            .iter()
            .zip(&self.scores)
            .map(|(row, score)| score - sum(row, &weights))
            .collect();
        // What the rest pulls at each weight, and how many positions stand behind it.
        let mut pull = vec![0.0_f32; weights.len()];
        let mut scale = vec![fit.ridge; weights.len()];
        for ((row, rest), loud) in self.rows.iter().zip(&rest).zip(&self.loudness) {
            for &column in row {
                pull[column as usize] += loud * rest;
                scale[column as usize] += loud;
            }
        }
        let mut curve = vec![self.errors(&rest, &weights)];
        let mut step: Vec<f32> = pull
            .iter()
            .zip(&scale)
            .map(|(pull, scale)| pull / scale)
            .collect();
        let mut descent = dot(&pull, &step);
        for pass in 1..=fit.passes {
            // One sweep: what the step changes at each position, and what that change pulls at each weight.
            let mut counter: Vec<f32> = step.iter().map(|step| fit.ridge * step).collect();
            let mut changes = Vec::with_capacity(self.rows.len());
            for (row, loud) in self.rows.iter().zip(&self.loudness) {
                let change = sum(row, &step);
                for &column in row {
                    counter[column as usize] += loud * change;
                }
                changes.push(change);
            }
            let curvature = dot(&step, &counter);
            // Nothing is left to learn.
            if curvature <= 0.0 {
                break;
            }
            let length = (descent / curvature) as f32;
            add(&mut weights, length, &step);
            add(&mut rest, -length, &changes);
            add(&mut pull, -length, &counter);
            let scaled: Vec<f32> = pull
                .iter()
                .zip(&scale)
                .map(|(pull, scale)| pull / scale)
                .collect();
            let next = dot(&pull, &scaled);
            let keep = (next / descent) as f32;
            descent = next;
            for (step, scaled) in step.iter_mut().zip(scaled) {
                *step = scaled + keep * *step;
            }
            curve.push(self.errors(&rest, &weights));
            passed(pass);
        }
        StageFit { weights, curve }
    }

    /// The errors on the stage's own positions and on those held out.
    fn errors(&self, rest: &[f32], weights: &[f32]) -> [Error; 2] {
        let mut errors = [Error::default(); 2];
        for rest in &rest[..self.own] {
            errors[0].add((*rest).into());
        }
        for (row, score) in self.held_out.iter().zip(&self.held_out_scores) {
            errors[1].add((sum(row, weights) - score).into());
        }
        errors
    }
}

/// The sum of a row's weights.
#[inline]
fn sum(row: &Row, weights: &[f32]) -> f32 {
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
