//! Work that several threads share: which part of a job is ours, who takes which item, how all are told to end, and what
//! the processor is told to fetch.

#[cfg(feature = "train")]
mod each;
mod prefetch;
mod queue;
mod shard;
mod stop;
mod threads;

#[cfg(feature = "train")]
pub(crate) use each::for_each;
pub(crate) use prefetch::prefetch;
pub(crate) use queue::map;
pub use shard::Shard;
pub use stop::Stop;
pub(crate) use threads::{spawn_thread, start_thread};
