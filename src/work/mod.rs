//! Work that several threads share: which part of a job is ours, who takes which item, and how all are told to end.

#[cfg(feature = "train")]
mod each;
mod queue;
mod shard;
mod stop;
mod threads;

#[cfg(feature = "train")]
pub(crate) use each::for_each;
pub(crate) use queue::map;
pub use shard::Shard;
pub use stop::Stop;
pub(crate) use threads::{spawn_thread, start_thread};
