//! Starts threads, and returns an error if the system lacks the memory for another one.

use std::hint::black_box;
use std::io;
use std::num::NonZero;
use std::sync::mpsc::sync_channel;
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle, available_parallelism};

/// Memory in bytes that must be available to start a thread: its stack and its allocator arena.
/// Without it the process would abort when the thread starts.
const THREAD_BYTES: usize = 96 << 20;

/// Spawns a named thread.
///
/// # Errors
/// If memory or the thread limit of the system is exhausted.
pub(crate) fn spawn_thread<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    let started = check_memory().and_then(|()| Builder::new().name(name.to_owned()).spawn(work));
    started.map_err(|error| io::Error::new(error.kind(), format!("cannot start a thread: {error}")))
}

/// Returns an error unless `THREAD_BYTES` can be allocated now. Frees the memory at once.
fn check_memory() -> io::Result<()> {
    Vec::<u8>::new()
        .try_reserve_exact(THREAD_BYTES)
        .map_err(|_| io::ErrorKind::OutOfMemory.into())
}

/// Starts a scoped thread named `name`, where `others` threads already share the same work.
///
/// If the thread cannot be started, the caller continues with the threads it has.
///
/// # Errors
/// If memory or the thread limit of the system is exhausted.
pub(crate) fn start_thread<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: &str,
    others: usize,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    check_memory()?;
    let (sender, started_signal) = sync_channel(1);
    let thread = Builder::new()
        .name(name.to_owned())
        .spawn_scoped(scope, move || {
            // The allocator reserves the arena of a thread at its first allocation.
            drop(black_box(Box::new(0_u8)));
            // Fails if `start_thread` returned without waiting, which is no error.
            let _ = sender.send(());
            work()
        })?;
    let cores = available_parallelism().map_or(1, NonZero::get);
    if others + 1 >= cores {
        // Waits until the thread has its arena, so that threads do not exhaust memory together.
        // Waiting costs no speed here: every core already has a thread.
        let _ = started_signal.recv();
    }
    Ok(thread)
}
