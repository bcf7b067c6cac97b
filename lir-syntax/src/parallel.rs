//! Distributes work on functions over several threads.
//!
//! Every pool has the number of threads that the caller gives. The pool that `rayon` keeps for the process is never
//! used: it reads its size from the environment, which libraries do not. No thread remains: it would execute signal
//! handlers of a program that runs next.

use rayon::ThreadPoolBuilder;
use rayon::iter::ParallelIterator;
use rayon::slice::{ParallelSlice, ParallelSliceMut};

/// Fewer functions than this are not worth starting threads for.
const MIN_FUNCTIONS: usize = 64;

/// Calls `work` on chunks of `items` in `threads` threads, and returns the results in order. For less than two threads,
/// for less than [`MIN_FUNCTIONS`] items, and if the system cannot create threads, `work` is called here, once, with
/// all items: the results must not depend on how the items are divided.
pub fn map_chunks<T: Sync, R: Send>(items: &[T], threads: usize, work: impl Fn(&[T]) -> R + Sync) -> Vec<R> {
    let len = items.len();
    let done = in_pool(len, threads, || items.par_chunks(chunk_len(len, threads)).map(&work).collect());
    done.unwrap_or_else(|| vec![work(items)])
}

/// The same as [`map_chunks`] for items that `work` changes.
pub fn map_chunks_mut<T: Send, R: Send>(
    items: &mut [T],
    threads: usize,
    work: impl Fn(&mut [T]) -> R + Sync,
) -> Vec<R> {
    let len = items.len();
    let done = in_pool(len, threads, || items.par_chunks_mut(chunk_len(len, threads)).map(&work).collect());
    done.unwrap_or_else(|| vec![work(items)])
}

/// Calls `act` in a pool, whose threads have ended when it returns. None without a pool.
fn in_pool<R: Send>(items: usize, threads: usize, act: impl FnOnce() -> R + Send) -> Option<R> {
    if threads < 2 || items < MIN_FUNCTIONS {
        return None;
    }
    std::thread::scope(|scope| {
        let mut started = Vec::new();
        let pool = ThreadPoolBuilder::new().num_threads(threads).spawn_handler(|thread| {
            started.push(std::thread::Builder::new().spawn_scoped(scope, || thread.run())?);
            Ok(())
        });
        // Without threads the work is done all the same, only later.
        let pool = pool.build().ok()?;
        let result = pool.install(act);
        drop(pool);
        // The scope waits until their work is done, but not for the system to end them.
        for thread in started {
            thread.join().expect("work that panics has ended this thread, too");
        }
        Some(result)
    })
}

/// Several chunks for each thread, because functions differ in size; some functions for each chunk.
fn chunk_len(items: usize, threads: usize) -> usize {
    (items / threads.saturating_mul(16)).clamp(4, 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_in_order() {
        for len in [0, 1, MIN_FUNCTIONS, 10_000] {
            let mut items: Vec<usize> = (0..len).collect();
            for threads in [0, 1, 2, 3] {
                let chunks = map_chunks(&items, threads, <[usize]>::to_vec);
                assert_eq!(chunks.len() > 1, threads > 1 && len >= MIN_FUNCTIONS);
                assert_eq!(chunks.concat(), items);
            }
            let firsts = map_chunks_mut(&mut items, 2, |chunk| {
                chunk.iter_mut().for_each(|n| *n += 1);
                chunk.first().copied()
            });
            assert!(firsts.is_sorted());
            assert!(items.into_iter().eq(1..=len));
        }
    }
}
