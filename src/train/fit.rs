//! Fits the weights of the light evaluation by linear least squares with L2 regularisation (ridge
//! regression).
//!
//! The weights of each table are found by preconditioned conjugate gradients (Hestenes and Stiefel
//! 1952). The fit is deterministic: the weights are bit-identical for any number of threads.

use std::num::NonZero;

use super::stream::LabelledBoard;
use emilia_core::eval::light::{EXTRAS, MOST_EMPTIES, TABLES, columns, reduced_index, table};
use emilia_core::eval::{Light, ReducedIndex};
use emilia_core::work::parallel_map;

/// Strength of the L2 regularisation, as a number of positions.
///
/// A weight that occurs in this number of positions ends halfway between its prior and the value
/// that fits these positions best. The prior of a weight is the same weight in the next table,
/// which has fewer empties. In the last table it is 0.
const RIDGE: f32 = 50.0;

/// Number of conjugate gradient iterations per table. An iteration passes over all positions once.
const PASSES: usize = 8;

/// Factor for the weight of positions of the two neighbouring tables, which also count in the fit
/// of a table.
const NEIGHBOUR_WEIGHT: f32 = 0.5;

/// Fits the weights of all tables, from the last table (fewest empties) to the first. Returns the
/// contents of a weight file. `on_pass` receives the number of passes done and the total number.
pub fn fit_light(
    training: Vec<LabelledBoard>,
    threads: NonZero<usize>,
    on_pass: &dyn Fn(usize, usize),
) -> Vec<u8> {
    // Index `1 + table` has the positions of `table`. Index 0 has the positions with one or two
    // empties more than the first table covers, which count as its neighbours.
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

/// Linear system for the weights of one table. Each position is one equation: the sum of the
/// weights of its features equals its label.
///
/// The design matrix has one row per position and one column per weight. An entry is the number of
/// times that the weight occurs in the position, mostly 0 or 1.
struct System<'a> {
    index: &'a ReducedIndex,
    chunks: Vec<Chunk<'a>>,
    threads: NonZero<usize>,
}

/// Equations of [`CHUNK_LEN`] positions of a [`System`], or of the positions left at the end. One
/// thread processes a chunk.
struct Chunk<'a> {
    positions: &'a [LabelledBoard],
    /// Factor for the weights of the positions: 1, or [`NEIGHBOUR_WEIGHT`].
    share: f32,
    /// Label minus prediction, in discs, for each position.
    residuals: Vec<f32>,
    /// Design matrix times search direction: the change of each prediction if the weights move by
    /// the search direction.
    changes: Vec<f32>,
}

/// Number of positions per [`Chunk`].
///
/// Threads process chunks, and the sums of the chunks are added in order. Rounding therefore does
/// not depend on the number of threads.
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

    /// Minimises the regularised squared error of the weights, starting from `prior`.
    fn solve(&mut self, prior: Vec<f32>, on_pass: &dyn Fn(usize)) -> Vec<f32> {
        let mut weights = prior;
        // The preconditioner is the diagonal of the Hessian. It is exact if no weight occurs twice
        // in a position.
        let ridge = vec![RIDGE; weights.len()];
        let preconditioner = self.sum(ridge, |_, _, _| 1.0);
        let precondition = |gradient: &[f32]| -> Vec<f32> {
            let pairs = gradient.iter().zip(&preconditioner);
            pairs.map(|(gradient, scale)| gradient / scale).collect()
        };
        // The regularisation adds nothing to the gradient here, because the weights equal the
        // prior.
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
            // A direction without curvature is zero, so the gradient is zero and `weights` is the
            // minimum.
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

    /// For each position, computes the weight of the position times `value`, and adds the product
    /// to `sums` at each weight index of the position.
    ///
    /// `value` receives the residual, the change and the weight indices of the position. The
    /// indices are computed again in each call, because storing them would take ten times the
    /// memory of the positions.
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
        // Limits the number of chunks processed together, because each chunk has its own copy of
        // the sums.
        for chunks in self.chunks.chunks_mut(4 * workers.len()) {
            let of_chunks = parallel_map("fit", &mut workers, chunks, &|_| (), of_chunk);
            for of_chunk in of_chunks.unwrap_or_default() {
                add_scaled(&mut sums, 1.0, &of_chunk);
            }
        }
        sums
    }
}

/// Predicts the label of a position as the sum of its weights. `row` has the weight indices.
fn predict(weights: &[f32], row: &[u32]) -> f32 {
    row.iter().map(|&index| weights[index as usize]).sum()
}

fn dot(left: &[f32], right: &[f32]) -> f64 {
    let products = left.iter().zip(right);
    products
        .map(|(&left, &right)| f64::from(left) * f64::from(right))
        .sum()
}

/// Computes `to += factor * more` for each element.
fn add_scaled(to: &mut [f32], factor: f32, more: &[f32]) {
    for (to, more) in to.iter_mut().zip(more) {
        *to += factor * more;
    }
}
