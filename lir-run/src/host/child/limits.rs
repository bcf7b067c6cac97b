//! The resource limits of a child process. A faulty program cannot exhaust the machine's memory or its disk.

use std::time::Duration;

/// Limits of a child process.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The time on the clock that one module may take.
    pub time: Duration,
    /// Bytes of address space.
    pub memory: u64,
}

impl Default for Limits {
    /// Ten seconds, four GiB.
    fn default() -> Limits {
        Limits { time: Duration::from_secs(10), memory: 4 << 30 }
    }
}

/// Processor time that a child gets beyond its time on the clock. The kernel ends it then, also if its parent has
/// ended.
const SPARE_SECONDS: u64 = 5;

impl Limits {
    /// Puts the limits on this process for `modules` modules. There are no core dumps either.
    pub fn apply(&self, modules: u64) {
        let seconds = self.for_modules(modules).as_secs() + SPARE_SECONDS;
        set(libc::RLIMIT_CORE, 0);
        set(libc::RLIMIT_AS, self.memory);
        set(libc::RLIMIT_CPU, seconds);
    }
    /// Returns the largest address space, in bytes, that this process and its children may be given.
    pub fn available_memory() -> u64 {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: one valid structure, which is written.
        let known = unsafe { libc::getrlimit(libc::RLIMIT_AS, &mut limit) } == 0;
        if known { limit.rlim_max } else { u64::MAX }
    }
    /// Returns the time on the clock for this many modules: one that takes all its time is rare.
    pub fn for_modules(&self, modules: u64) -> Duration {
        self.time + self.time.mul_f64(modules.saturating_sub(1) as f64 / 8.0)
    }
}

/// A limit that the system does not set is one that it does not need.
fn set(what: libc::__rlimit_resource_t, value: u64) {
    let limit = libc::rlimit { rlim_cur: value, rlim_max: value };
    // SAFETY: one valid structure, which is only read.
    unsafe { libc::setrlimit(what, &limit) };
}
