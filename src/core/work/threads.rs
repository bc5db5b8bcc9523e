//! Starts named threads. If a thread cannot be started, the error has the reason.

use std::io;
use std::num::NonZero;
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle, available_parallelism};

/// Returns the number of threads that can run at the same time.
/// The number respects the limits of the process, such as its processor set or a container's quota.
/// If the system does not report the number, returns `usize::MAX`.
pub fn usable_cores() -> usize {
    available_parallelism().map_or(usize::MAX, NonZero::get)
}

/// Spawns a named thread.
pub fn spawn_thread<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    explained(Builder::new().name(name.to_owned()).spawn(work))
}

/// Spawns a named thread in `scope`.
pub fn start_thread<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: &str,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    explained(
        Builder::new()
            .name(name.to_owned())
            .spawn_scoped(scope, work),
    )
}

fn explained<T>(started: io::Result<T>) -> io::Result<T> {
    started.map_err(|error| io::Error::new(error.kind(), format!("cannot start a thread: {error}")))
}
