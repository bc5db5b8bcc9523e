//! Tools for work shared by threads and processes: threads, work queues, shards, stop flags.
//!
//! Reading order:
//! - `stop`: a flag that ends a job or a search.
//! - `shard`: part K of N of a job, for `--shard K/N`.
//! - `queue`: `parallel_map` hands items to worker threads, one at a time.
//! - `threads`: starts named threads.
//! - `prefetch`: a cache prefetch instruction.

mod prefetch;
mod queue;
mod shard;
mod stop;
mod threads;

pub use prefetch::prefetch;
pub use queue::parallel_map;
pub use shard::Shard;
pub use stop::StopFlag;
pub use threads::{spawn_thread, start_thread, usable_cores};
