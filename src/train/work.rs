//! Parallel loop over the items of a slice, built on [`parallel_map`].

use std::num::NonZero;

use emilia_core::work::parallel_map;

/// Calls `work` once for each item, in up to `threads` threads.
pub(crate) fn parallel_for_each<T: Send>(
    threads: NonZero<usize>,
    items: &mut [T],
    work: impl Fn(&mut T) + Sync,
) {
    let mut workers = vec![(); threads.get().min(items.len())];
    parallel_map("work", &mut workers, items, &|_| (), |(), item| {
        work(item);
        Some(())
    });
}
