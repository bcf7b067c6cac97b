//! Tests of many files or values inside one `#[test]`: all are tried, several at a time, and those that fail are named.
//!
//! `LIR_ONLY=WORD cargo test NAME` tries those whose names contain the word.

use std::any::Any;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

/// The reason for a failure.
pub struct Failed(String);

impl<E: Display> From<E> for Failed {
    fn from(error: E) -> Failed {
        Failed(error.to_string())
    }
}

type Check = Box<dyn FnOnce() -> Result<(), Failed> + Send>;

/// A file or value, by name, and the check to try with it.
pub struct Trial {
    name: String,
    check: Check,
}

impl Trial {
    /// Makes a trial.
    pub fn test(name: impl Into<String>, check: impl FnOnce() -> Result<(), Failed> + Send + 'static) -> Trial {
        Trial { name: name.into(), check: Box::new(check) }
    }
}

/// Tries all on as many threads as there are processors; panics with all that failed, in order.
pub fn run(trials: Vec<Trial>) {
    run_on(std::thread::available_parallelism().map_or(1, usize::from), trials);
}

/// Tries all one after another, for checks that change the process; panics with all that failed.
pub fn run_in_order(trials: Vec<Trial>) {
    run_on(1, trials);
}

fn run_on(threads: usize, mut trials: Vec<Trial>) {
    if let Ok(word) = std::env::var("LIR_ONLY") {
        trials.retain(|t| t.name.contains(&word));
    }
    let total = trials.len();
    let queue = Mutex::new(trials.into_iter().enumerate());
    let failed = Mutex::new(Vec::new());
    let next = || queue.lock().expect("nothing panics in `next`").next();
    let work = || {
        while let Some((k, Trial { name, check })) = next() {
            if let Err(why) = catch_unwind(AssertUnwindSafe(check)).unwrap_or_else(|panic| Err(message(&*panic))) {
                failed.lock().expect("nothing panics in `push`").push((k, format!("---- {name} ----\n{}", why.0)));
            }
        }
    };
    std::thread::scope(|scope| {
        (0..threads).for_each(|_| drop(scope.spawn(work)));
    });
    let mut failed = failed.into_inner().expect("all threads have ended");
    failed.sort();
    let texts: Vec<String> = failed.into_iter().map(|(_, text)| text).collect();
    assert!(texts.is_empty(), "{} of {total} failed:\n{}", texts.len(), texts.join("\n"));
}

/// Returns the text of a panic.
fn message(panic: &(dyn Any + Send)) -> Failed {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a text").into()
}
