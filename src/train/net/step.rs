//! Step size parameters of the gradient descent.

/// Parameters of one gradient step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) learning_rate: f32,
    /// Weight decay per step, relative to the learning rate.
    pub(super) decay: f32,
    /// Added to the root of the second moment. Limits the step of rows that are rarely read.
    pub(super) epsilon: f32,
}

/// Decay factor per step of the running mean of the squared gradient.
pub(super) const BETA_2: f32 = 0.99;
