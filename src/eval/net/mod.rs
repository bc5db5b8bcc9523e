//! The network: the patterns give sums, and small layers make a value of them.

#[cfg(feature = "train")]
mod parameters;
pub(crate) mod shape;

#[cfg(feature = "train")]
pub(crate) use parameters::{Parameters, Stack};
