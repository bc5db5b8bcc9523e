//! Threads, as long as the system has room for more.

use std::hint::black_box;
use std::io;
use std::num::NonZero;
use std::sync::mpsc::sync_channel;
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle, available_parallelism};

/// What must be free when a thread is started, in bytes: its stack, and what the allocator sets apart for it. A thread that
/// cannot have that when it begins ends the process.
const ROOM: usize = 96 << 20;

/// Starts a thread of this name, if there is room for one.
///
/// # Errors
/// If the system has no memory or no thread left.
pub(crate) fn spawn_thread<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    let started = check_room().and_then(|()| Builder::new().name(name.to_owned()).spawn(work));
    started.map_err(|error| io::Error::new(error.kind(), format!("cannot start a thread: {error}")))
}

fn check_room() -> io::Result<()> {
    Vec::<u8>::new()
        .try_reserve_exact(ROOM)
        .map_err(|_| io::ErrorKind::OutOfMemory.into())
}

/// Starts a thread of this name that does some work beside `others` that were started for the same, if there is room for
/// one. Where there is not, those that there are do the work.
///
/// # Errors
/// If the system has no memory or no thread left.
pub(crate) fn start_thread<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: &str,
    others: usize,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    check_room()?;
    let (sender, begun) = sync_channel(1);
    let thread = Builder::new()
        .name(name.to_owned())
        .spawn_scoped(scope, move || {
            // The allocator sets room apart for a thread at its first allocation.
            drop(black_box(Box::new(0_u8)));
            // Nobody listens where there is no hurry.
            let _ = sender.send(());
            work()
        })?;
    let cores = available_parallelism().map_or(1, NonZero::get);
    if others + 1 >= cores {
        // More make nothing faster. One after the other they cannot take the last of the memory from each other.
        let _ = begun.recv();
    }
    Ok(thread)
}
