//! The same work on many items in parallel.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Builder};

/// Bytes for a guest's stack and the host's frames around it. Explicit, because a thread's default depends on the environment.
const STACK: usize = crate::config::STACK + (2 << 20);

/// Results are in the items' order. The calling thread works too, so that a single item or `threads == 1` starts no thread.
pub fn map<T: Sync, R: Send>(items: &[T], threads: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    map_largest_first(items, threads, |_| 0, work)
}

/// The same, begun with the items of the largest `size`: threads end together when the last items are small.
pub fn map_largest_first<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    size: impl Fn(&T) -> usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|index| Reverse(size(&items[*index])));
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let Some(index) = order.get(next.fetch_add(1, Ordering::Relaxed)) else { return done };
            done.push((*index, work(&items[*index])));
        }
    };
    let mut done = thread::scope(|scope| {
        let helpers = 1..threads.min(items.len());
        // Without more threads it is slower, not wrong.
        let helpers: Vec<_> =
            helpers.filter_map(|_| Builder::new().stack_size(STACK).spawn_scoped(scope, worker).ok()).collect();
        let mut done = worker();
        for helper in helpers {
            done.extend(helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        done
    });
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}
