//! Fit of the light weights by linear least squares with L2 regularisation (ridge regression).
//!
//! Each table is solved by preconditioned conjugate gradients (Hestenes and Stiefel 1952).
//! Deterministic: the weights are bit-identical for any number of threads.

use std::num::NonZero;

use super::stream::LabelledBoard;
use emilia_core::eval::light::{EXTRAS, MOST_EMPTIES, TABLES, columns, reduced_index, table};
use emilia_core::eval::{Light, ReducedIndex};
use emilia_core::work::parallel_map;

/// Strength of the L2 regularisation, as a number of positions.
///
/// A weight that occurs in this number of positions is halfway between its prior and the weight
/// that fits these positions best. The prior is the weight in the next table, and 0 in the last
/// table.
const RIDGE: f32 = 50.0;

/// Conjugate gradient iterations per table. Each iteration is one pass over the positions.
const PASSES: usize = 8;

/// Weight of a position in the two adjacent tables, relative to its weight in its own table.
const NEIGHBOUR_WEIGHT: f32 = 0.5;

/// Fits the light weights to the positions, from the last table to the first.
/// Returns a file of weights. `on_pass` receives the number of passes done and their total.
pub fn fit_light(
    training: Vec<LabelledBoard>,
    threads: NonZero<usize>,
    on_pass: &dyn Fn(usize, usize),
) -> Vec<u8> {
    // Index `1 + table` has the positions of a table. Index 0 has positions with one or two empties
    // more than the first table covers: they count in the first table as neighbours.
    let mut positions = vec![Vec::new(); TABLES + 1];
    for position in training {
        let empties = position.board.empty_count();
        if empties <= MOST_EMPTIES {
            positions[1 + table(empties)].push(position);
        } else if empties <= MOST_EMPTIES + 2 {
            positions[0].push(position);
        }
    }
    let index = reduced_index();
    let mut prior = vec![0.0; index.count() + EXTRAS];
    let mut tables = [const { Vec::new() }; TABLES];
    for (done, table) in tables.iter_mut().rev().enumerate() {
        let on_pass = |pass| on_pass(done * PASSES + pass, TABLES * PASSES);
        let mut system = System::new(&index, &positions, TABLES - done, threads);
        prior = system.solve(prior, &on_pass);
        table.clone_from(&prior);
    }
    Light::pack(&tables)
}

/// The linear system for the weights of a table. Each position is one equation.
///
/// The equation sets the sum of the weights of the position's features equal to the label.
/// The design matrix has a row for each position, with ones in the columns of the position's weight
/// indices.
struct System<'a> {
    index: &'a ReducedIndex,
    chunks: Vec<Chunk<'a>>,
    threads: NonZero<usize>,
}

/// A part of the equations of a system.
struct Chunk<'a> {
    positions: &'a [LabelledBoard],
    /// Factor applied to the weight of each position.
    share: f32,
    /// Label minus prediction of each position, in discs.
    residuals: Vec<f32>,
    /// Design matrix times search direction: the change of each prediction for a step of size 1.
    changes: Vec<f32>,
}

/// Positions per chunk.
///
/// The sums of chunks are added in a fixed order, so that rounding does not depend on the number of
/// threads.
const CHUNK_LEN: usize = 1 << 17;

impl<'a> System<'a> {
    fn new(
        index: &'a ReducedIndex,
        positions: &'a [Vec<LabelledBoard>],
        table: usize,
        threads: NonZero<usize>,
    ) -> System<'a> {
        let neighbours =
            [table.wrapping_sub(1), table + 1].map(|beside| (beside, NEIGHBOUR_WEIGHT));
        let mut chunks = Vec::new();
        for (table, share) in [(table, 1.0)].into_iter().chain(neighbours) {
            let of_table = positions.get(table).map_or(&[][..], |positions| positions);
            chunks.extend(of_table.chunks(CHUNK_LEN).map(|positions| Chunk {
                positions,
                share,
                residuals: positions.iter().map(|one| one.label).collect(),
                changes: vec![0.0; positions.len()],
            }));
        }
        System {
            index,
            chunks,
            threads,
        }
    }

    /// Minimises the regularised squared error by preconditioned conjugate gradients from `prior`.
    fn solve(&mut self, prior: Vec<f32>, on_pass: &dyn Fn(usize)) -> Vec<f32> {
        let mut weights = prior;
        // Diagonal of the Hessian, if no weight index occurs twice in a position.
        let ridge = vec![RIDGE; weights.len()];
        let preconditioner = self.sum(ridge, |_, _, _| 1.0);
        let precondition = |gradient: &[f32]| -> Vec<f32> {
            let pairs = gradient.iter().zip(&preconditioner);
            pairs.map(|(gradient, scale)| gradient / scale).collect()
        };
        // The gradient of the ridge term is zero at the prior.
        let mut negative_gradient = self.sum(vec![0.0; weights.len()], |residual, _, row| {
            *residual -= predict(&weights, row);
            *residual
        });
        let mut direction = precondition(&negative_gradient);
        let mut slope = dot(&negative_gradient, &direction);
        for pass in 1..=PASSES {
            let ridge_term = direction.iter().map(|weight| RIDGE * weight).collect();
            let hessian_product = self.sum(ridge_term, |_, change, row| {
                *change = predict(&direction, row);
                *change
            });
            let curvature = dot(&direction, &hessian_product);
            // The gradient is zero: `weights` is the minimum.
            if curvature <= 0.0 {
                break;
            }
            let step_size = (slope / curvature) as f32;
            add_scaled(&mut weights, step_size, &direction);
            for chunk in &mut self.chunks {
                add_scaled(&mut chunk.residuals, -step_size, &chunk.changes);
            }
            add_scaled(&mut negative_gradient, -step_size, &hessian_product);
            let steepest = precondition(&negative_gradient);
            let next_slope = dot(&negative_gradient, &steepest);
            let beta = (next_slope / slope) as f32;
            slope = next_slope;
            for (direction, steepest) in direction.iter_mut().zip(steepest) {
                *direction = steepest + beta * *direction;
            }
            on_pass(pass);
        }
        weights
    }

    /// Adds to `sums`, at each weight index of a position, the weight of the position times
    /// `value`.
    ///
    /// `value` receives the residual, the change and the weight indices of the position. The
    /// indices are computed on each call: storing them would take ten times the memory of the
    /// positions.
    fn sum(
        &mut self,
        mut sums: Vec<f32>,
        value: impl Fn(&mut f32, &mut f32, &[u32]) -> f32 + Sync,
    ) -> Vec<f32> {
        let (len, index) = (sums.len(), self.index);
        let of_chunk = |(): &mut (), chunk: &mut Chunk| {
            let mut sums = vec![0.0; len];
            let numbers = chunk.residuals.iter_mut().zip(&mut chunk.changes);
            for (one, (residual, change)) in chunk.positions.iter().zip(numbers) {
                let row = columns(index, &one.board);
                let product = chunk.share * one.weight * value(residual, change, &row);
                for &column in &row {
                    sums[column as usize] += product;
                }
            }
            Some(sums)
        };
        let mut workers = vec![(); self.threads.get()];
        // Limits the number of chunks in flight, so that their sums take little memory.
        for chunks in self.chunks.chunks_mut(4 * workers.len()) {
            let of_chunks = parallel_map("fit", &mut workers, chunks, &|_| (), of_chunk);
            for of_chunk in of_chunks.unwrap_or_default() {
                add_scaled(&mut sums, 1.0, &of_chunk);
            }
        }
        sums
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
