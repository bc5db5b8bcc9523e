//! Work on many items by several threads. Stands on nothing.

use crate::threads;
use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Does some work on each item, on so many threads.
pub(super) fn in_parallel<T: Send>(
    threads: NonZero<usize>,
    items: &mut [T],
    work: impl Fn(&mut T) + Sync,
) {
    let rest = Mutex::new(items.iter_mut());
    let next = || rest.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work_off = || {
        while let Some(item) = next() {
            work(item);
        }
    };
    thread::scope(|scope| {
        for others in 0..threads.get() - 1 {
            // Where there can be no more threads, those that there are do the work.
            if threads::start(scope, "work", others, work_off).is_err() {
                break;
            }
        }
        work_off();
    });
}
