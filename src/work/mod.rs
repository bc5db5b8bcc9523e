//! Work that several threads share: which part of a job is ours, who takes which item, and how all are told to end.

mod queue;
mod shard;
mod stop;
mod threads;

pub(crate) use queue::{for_each, map};
pub use shard::Shard;
pub use stop::Stop;
pub(crate) use threads::{spawn_thread, start_thread};
