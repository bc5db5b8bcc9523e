//! Parallel loop over the items of a slice, built on [`parallel_map`].

use std::num::NonZero;

use super::parallel_map;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_processed_once() {
        let mut items: Vec<u32> = (0..50).collect();
        let threads = NonZero::new(3).unwrap();
        parallel_for_each(threads, &mut items, |item| *item += 1);
        assert_eq!(items, (1..51).collect::<Vec<u32>>());
        parallel_for_each(threads, &mut [], |_: &mut u32| ());
    }
}
