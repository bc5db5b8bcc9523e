//! A step of the gradient descent.

/// The learning rate of a step and the strength of its weight decay.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) learning_rate: f32,
    /// The share of a weight that is taken away, relative to the learning rate.
    pub(super) decay: f32,
    /// Added to the root of the second moment: rows that are seldom read move little.
    pub(super) epsilon: f32,
}

/// Decay of the mean squared gradient from step to step.
pub(super) const BETA_2: f32 = 0.99;
