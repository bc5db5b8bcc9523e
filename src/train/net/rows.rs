//! Rows of parameters of the accumulator, with their optimiser (Adam).
//! Each position reads only a few rows, so a step updates only the rows read by its batch.

use super::vector::{BETA_2, RowVector, Step, add, descend, dot};
use emilia_core::eval::net::WIDTH;

/// Rows of weights, with optimiser state and the gradients of the current batch.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    pub(super) weights: Vec<RowVector>,
    /// For each row, the running mean of the squared gradient, over the units of the row and the
    /// batches that read the row.
    squares: Vec<f32>,
    /// Indices of the rows read by the current batch, in order of the first read.
    read: Vec<u32>,
    /// Gradients of the rows in `read`, in the same order.
    gradients: Vec<RowVector>,
    /// Index into `read` of each row, or [`UNREAD`].
    slots: Vec<u32>,
}

/// Slot of a row that the current batch has not read.
const UNREAD: u32 = u32::MAX;

impl Rows {
    /// Returns rows with these weights and fresh optimiser state.
    pub(super) fn new(weights: Vec<RowVector>) -> Rows {
        let len = weights.len();
        Rows {
            weights,
            squares: vec![0.0; len],
            read: Vec::new(),
            gradients: Vec::new(),
            slots: vec![UNREAD; len],
        }
    }

    /// Adds a gradient to the gradient of `row` for the current batch.
    #[inline]
    pub(super) fn add_gradient(&mut self, row: usize, gradient: &RowVector) {
        let slot = self.slots[row];
        if slot == UNREAD {
            self.slots[row] = self.read.len() as u32;
            self.read.push(row as u32);
            self.gradients.push(*gradient);
            return;
        }
        add(&mut self.gradients[slot as usize], gradient);
    }

    /// Calls `visit` with each row read by the current batch and its gradient.
    pub(super) fn for_each_read(&self, mut visit: impl FnMut(usize, &RowVector)) {
        for (&row, gradient) in self.read.iter().zip(&self.gradients) {
            visit(row as usize, gradient);
        }
    }

    /// Updates the rows read by the current batch, by a reduced form of Adam, and ends the batch.
    /// To save memory, this form keeps no mean gradient, and only one mean square for a whole row.
    pub(super) fn step(&mut self, step: Step) {
        let kept = 1.0 - step.learning_rate * step.decay;
        for (&row, gradient) in self.read.iter().zip(&self.gradients) {
            let row = row as usize;
            self.slots[row] = UNREAD;
            let square = &mut self.squares[row];
            *square += (1.0 - BETA_2) * (dot(gradient, gradient) / WIDTH as f32 - *square);
            let rate = step.learning_rate / (square.sqrt() + step.epsilon);
            descend(&mut self.weights[row], gradient, kept, rate);
        }
        self.read.clear();
        self.gradients.clear();
    }

    /// Yields weights and mean squares, for a checkpoint.
    pub(super) fn numbers(&mut self) -> impl Iterator<Item = &mut f32> {
        let weights = self.weights.as_flattened_mut().iter_mut();
        weights.chain(&mut self.squares)
    }
}
