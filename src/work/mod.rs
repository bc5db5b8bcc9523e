//! Tools for work shared by threads and processes: threads, work queues, shards, stop flags.
//!
//! Reading order:
//! - `stop`: a flag that ends a job or a search.
//! - `shard`: part K of N of a job, for `--shard K/N`.
//! - `queue`: `parallel_map` hands items to worker threads, one at a time.
//! - `each`: the same for the items of a slice, in place.
//! - `threads`: starts threads and reports a lack of memory as an error.
//! - `prefetch`: a cache prefetch instruction.

#[cfg(feature = "train")]
mod each;
mod prefetch;
mod queue;
mod shard;
mod stop;
mod threads;

#[cfg(feature = "train")]
pub(crate) use each::parallel_for_each;
pub(crate) use prefetch::prefetch;
pub(crate) use queue::parallel_map;
pub use shard::Shard;
pub use stop::StopFlag;
pub(crate) use threads::{spawn_thread, start_thread};
