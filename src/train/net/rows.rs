//! [`Rows`]: parameter rows that are added to the accumulator, with their optimiser (Adam). A
//! position uses few rows, so a step updates only the rows that the batch used.

use super::vector::{BETA_2, RowVector, Step, add, descend, dot};
use emilia_core::eval::net::WIDTH;

/// Rows of weights, with the optimiser state and the gradients of the current batch.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    pub(super) weights: Vec<RowVector>,
    /// For each row, the running mean of the squared gradient (the second moment of Adam), over the
    /// units of the row and over the batches that used the row.
    squares: Vec<f32>,
    /// Indices of the rows that the current batch used, in order of first use.
    read: Vec<u32>,
    /// Gradients of the rows in `read`, in the same order.
    gradients: Vec<RowVector>,
    /// For each row, its index in `read`. [`UNREAD`] if the current batch has not used the row.
    slots: Vec<u32>,
}

/// Value in [`Rows::slots`] for a row that the current batch has not used.
const UNREAD: u32 = u32::MAX;

impl Rows {
    /// Creates rows with the given weights. The optimiser state is zero.
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

    /// Adds a gradient to the sum for `row` in the current batch.
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

    /// Calls `visit` with the index and the gradient of each row that the current batch used.
    pub(super) fn for_each_read(&self, mut visit: impl FnMut(usize, &RowVector)) {
        for (&row, gradient) in self.read.iter().zip(&self.gradients) {
            visit(row as usize, gradient);
        }
    }

    /// Updates the rows that the current batch used, and ends the batch. The optimiser is a reduced
    /// form of Adam that saves memory: there is no first moment, and the second moment is one
    /// number per row.
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

    /// Yields the weights and the second moments, for a checkpoint.
    pub(super) fn numbers(&mut self) -> impl Iterator<Item = &mut f32> {
        let weights = self.weights.as_flattened_mut().iter_mut();
        weights.chain(&mut self.squares)
    }
}
