//! The network: the patterns give sums, and small layers make a value of them.

#[cfg(feature = "train")]
mod parameters;
pub(crate) mod shape;

#[cfg(feature = "train")]
pub(crate) use parameters::{MOST_LINEAR, Parameters, Stack};
#[cfg(feature = "train")]
pub(crate) use shape::{EXTRAS, HIDDEN, OUTPUT_DISCS, STACKS, WIDTH, extras, stack};
