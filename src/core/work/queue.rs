//! Work queue: hands items to worker threads one at a time and collects their results.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use parking_lot::Mutex;

use super::start_thread;

/// Applies `work` to every item in parallel and returns the results in the order of the items.
///
/// The first worker (for example an engine) runs in the calling thread.
/// Each other worker runs in its own thread, named `name`. Without workers, no item is processed.
/// If the system cannot start all threads, the threads that have started do the work.
/// `done` receives the number of finished items. Any of the threads may call it.
///
/// Returns `None` if `work` returns `None` for an item. No further item is then started.
pub fn parallel_map<W: Send, T, R: Send>(
    name: &str,
    workers: &mut [W],
    items: impl IntoIterator<Item = T, IntoIter: Send>,
    done: &(dyn Fn(usize) + Sync),
    work: impl Fn(&mut W, T) -> Option<R> + Sync,
) -> Option<Vec<R>> {
    let queue = Mutex::new(Some(items.into_iter().enumerate()));
    let results = Mutex::new(Vec::new());
    let finished = AtomicUsize::new(0);
    let run_worker = |worker: &mut W| {
        // The lock is released before the item is processed.
        let next = || queue.lock().as_mut()?.next();
        while let Some((index, item)) = next() {
            let Some(result) = work(worker, item) else {
                *queue.lock() = None;
                break;
            };
            results.lock().push((index, result));
            done(finished.fetch_add(1, Ordering::Relaxed) + 1);
        }
    };
    thread::scope(|scope| {
        let Some((own, others)) = workers.split_first_mut() else {
            return;
        };
        for worker in others {
            if let Err(error) = start_thread(scope, name, || run_worker(worker)) {
                log::warn!("{error}");
                break;
            }
        }
        run_worker(own);
    });
    queue.lock().as_ref()?;
    let mut sorted = results.into_inner();
    sorted.sort_unstable_by_key(|&(index, _)| index);
    Some(sorted.into_iter().map(|(_, result)| result).collect())
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
            let squares =
                parallel_map("test", &mut vec![(); threads], 0..100, &done, |(), item| {
                    Some(item * item)
                });
            assert_eq!(squares, Some((0..100).map(|item| item * item).collect()));
            assert_eq!(finished.into_inner(), 100);
        }
    }

    #[test]
    fn no_item_is_started_after_work_returns_none() {
        let mut begun = [0];
        let result = parallel_map("test", &mut begun, 0..100, &|_| (), |begun, item| {
            *begun += 1;
            (item < 10).then_some(())
        });
        assert_eq!((result, begun), (None, [11]));
    }
}
