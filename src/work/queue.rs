//! Work queues: items handed out one by one to threads, each of which takes the next when it is done with the last.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use super::start_thread;

/// What `work` makes of each item, in the order of the items; `None` if it gave up on one, after which no more are begun.
///
/// Each worker (an engine, say) has a thread named `name`, the first one the thread of the caller. If the system has no
/// room for all these threads, the others do the work. `done` hears how many items are finished, from any thread.
pub(crate) fn map<W: Send, T, R: Send>(
    name: &str,
    workers: &mut [W],
    items: impl IntoIterator<Item = T, IntoIter: Send>,
    done: &(dyn Fn(usize) + Sync),
    work: impl Fn(&mut W, T) -> Option<R> + Sync,
) -> Option<Vec<R>> {
    let queue = Mutex::new(Some(items.into_iter().enumerate()));
    let results = Mutex::new(Vec::new());
    let finished = AtomicUsize::new(0);
    let work_off = |worker: &mut W| {
        // The lock is not held while the item is worked on.
        let next = || lock(&queue).as_mut()?.next();
        while let Some((index, item)) = next() {
            let Some(result) = work(worker, item) else {
                *lock(&queue) = None;
                break;
            };
            lock(&results).push((index, result));
            done(finished.fetch_add(1, Ordering::Relaxed) + 1);
        }
    };
    let count = workers.len();
    thread::scope(|scope| {
        let Some((own, others)) = workers.split_first_mut() else {
            return;
        };
        for (number, worker) in (0..).zip(others) {
            if let Err(error) = start_thread(scope, name, number, || work_off(worker)) {
                log::warn!(
                    "only {} of {count} threads can be started: {error}",
                    number + 1
                );
                break;
            }
        }
        work_off(own);
    });
    lock(&queue).as_ref()?;
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_unstable_by_key(|&(index, _)| index);
    Some(results.into_iter().map(|(_, result)| result).collect())
}

/// What is inside is whole between two calls, so a lock that a panic has poisoned is as good as any.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        for threads in 1..5 {
            let finished = AtomicUsize::new(0);
            let done = |count| {
                finished.fetch_max(count, Ordering::Relaxed);
            };
            let squares = map("test", &mut vec![(); threads], 0..100, &done, |(), item| {
                Some(item * item)
            });
            assert_eq!(squares, Some((0..100).map(|item| item * item).collect()));
            assert_eq!(finished.into_inner(), 100);
        }
    }

    #[test]
    fn nothing_is_begun_after_one_is_given_up() {
        let mut begun = [0];
        let result = map("test", &mut begun, 0..100, &|_| (), |begun, item| {
            *begun += 1;
            (item < 10).then_some(())
        });
        assert_eq!((result, begun), (None, [11]));
    }
}
