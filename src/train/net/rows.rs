//! Rows of parameters of which each position reads a few, and Adam for those that a batch has read.

use super::step::{BETA_2, Step};
use super::vector::{Row, add, descend, dot};
use crate::eval::net::WIDTH;

/// Rows, and the gradient of a batch for those it has read.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    pub(super) weights: Vec<Row>,
    /// The mean squared gradient of each row, over its units and over the batches that read it.
    squares: Vec<f32>,
    /// The rows that the batch has read, in the order of the first reading.
    read: Vec<u32>,
    /// The gradients of these.
    gradients: Vec<Row>,
    /// Where among these a row stands; [`UNREAD`] if the batch has not read it.
    slots: Vec<u32>,
}

/// Stands for a row that the batch has not read.
const UNREAD: u32 = u32::MAX;

impl Rows {
    /// Rows with these weights.
    pub(super) fn new(weights: Vec<Row>) -> Rows {
        let len = weights.len();
        Rows {
            weights,
            squares: vec![0.0; len],
            read: Vec::new(),
            gradients: Vec::new(),
            slots: vec![UNREAD; len],
        }
    }

    /// Adds to the gradient of a row.
    #[inline]
    pub(super) fn add_gradient(&mut self, row: usize, gradient: &Row) {
        let slot = self.slots[row];
        if slot == UNREAD {
            self.slots[row] = self.read.len() as u32;
            self.read.push(row as u32);
            self.gradients.push(*gradient);
            return;
        }
        add(&mut self.gradients[slot as usize], gradient);
    }

    /// Calls `visit` with each row that the batch has read and its gradient.
    pub(super) fn for_each_read(&self, mut visit: impl FnMut(usize, &Row)) {
        for (&row, gradient) in self.read.iter().zip(&self.gradients) {
            visit(row as usize, gradient);
        }
    }

    /// A step against the gradient for the rows that the batch has read: Adam without the mean gradient, and with one mean
    /// square for a row instead of one for each weight, so that a row takes little more memory than its weights.
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

    /// Weights and mean squares, for a checkpoint.
    pub(super) fn numbers(&self) -> impl Iterator<Item = f32> {
        let weights = self.weights.as_flattened().iter();
        weights.chain(&self.squares).copied()
    }

    /// Takes over [`numbers`](Self::numbers); `None` if there are too few.
    pub(super) fn restore(&mut self, numbers: &mut impl Iterator<Item = f32>) -> Option<()> {
        let weights = self.weights.as_flattened_mut().iter_mut();
        for own in weights.chain(&mut self.squares) {
            *own = numbers.next()?;
        }
        Some(())
    }
}
