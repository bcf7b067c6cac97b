//! The lock of an interpreter: one thread at a time executes LIR code.
//!
//! The holder has the [`Shared`] state: taking the lock moves it to the taker, so no other thread can even name it. The
//! lock is released around every call into C, so that a C function may wait for another thread, and now and then in
//! between, so that no thread waits for ever for one that computes. It is the scheme of Python's "global interpreter
//! lock" (A. Pitrou's of CPython 3.2, 2009: a thread that yields waits until another one has had the lock).
//!
//! Between two calls of an interpreter only the interpreter itself holds the lock: a thread of the program that still
//! runs waits, until the next call, or for ever. So threads execute LIR code only while
//! [`Interp::call`](super::Interp::call) borrows the module.

use super::memory::raw::Region;
use super::memory::{Memory, Shared};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};

/// The lock. Held at first.
#[derive(Debug)]
pub(super) struct Lock {
    state: Mutex<LockState>,
    /// The lock is free.
    free: Condvar,
    /// The lock was taken.
    taken: Condvar,
    /// Number of threads that wait for the lock, written under the mutex.
    waiting: AtomicUsize,
}

#[derive(Debug)]
struct LockState {
    held: bool,
    /// While the lock is free.
    shared: Shared,
    /// Number of times the lock was taken.
    acquisitions: u64,
    /// Threads that yielded and wait until another one had the lock.
    giving_way: usize,
    /// Stacks of threads that have ended, until the next holder removes them from the map.
    retired: Vec<(usize, Region)>,
}

impl Lock {
    pub(super) fn held() -> Lock {
        let state =
            LockState { held: true, shared: Shared::default(), acquisitions: 0, giving_way: 0, retired: Vec::new() };
        Lock { state: Mutex::new(state), free: Condvar::new(), taken: Condvar::new(), waiting: AtomicUsize::new(0) }
    }
    /// Locks the state. No panic can leave it half changed.
    fn state(&self) -> MutexGuard<'_, LockState> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }
    /// Waits for the lock, and moves the shared state to `shared`.
    pub(super) fn acquire(&self, shared: &mut Shared) {
        let mut state = self.state();
        if state.held {
            self.waiting.fetch_add(1, Ordering::Relaxed);
            state = self.free.wait_while(state, |s| s.held).unwrap_or_else(|e| e.into_inner());
            self.waiting.fetch_sub(1, Ordering::Relaxed);
        }
        state.held = true;
        state.acquisitions += 1;
        std::mem::swap(&mut state.shared, shared);
        for (index, region) in state.retired.drain(..) {
            Memory::forget_stack(shared, index);
            drop(region);
        }
        if state.giving_way > 0 {
            self.taken.notify_all();
        }
    }
    /// Releases the lock, with the shared state.
    pub(super) fn release(&self, shared: &mut Shared) {
        let mut state = self.state();
        state.held = false;
        std::mem::swap(&mut state.shared, shared);
        if self.is_wanted() {
            self.free.notify_one();
        }
    }
    /// True if another thread waits.
    #[inline]
    pub(super) fn is_wanted(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }
    /// Lets a waiting thread have the lock.
    pub(super) fn give_way(&self, shared: &mut Shared) {
        self.release(shared);
        let mut state = self.state();
        let turn = state.acquisitions;
        state.giving_way += 1;
        // A waiting thread is woken up and takes the lock, unless another one was faster: the number grows in any case.
        while !state.held && state.acquisitions == turn && self.is_wanted() {
            state = self.taken.wait(state).unwrap_or_else(|e| e.into_inner());
        }
        state.giving_way -= 1;
        drop(state);
        self.acquire(shared);
    }
    /// Receives the stack of a thread that has ended.
    pub(super) fn retire(&self, index: usize, stack: Region) {
        self.state().retired.push((index, stack));
    }
}
