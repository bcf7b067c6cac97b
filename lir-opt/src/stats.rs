//! Counters of passes.

/// What the passes of a pipeline counted, by pass and by what was counted.
#[derive(Clone, Default, Debug)]
pub struct Stats {
    pass: &'static str,
    counters: Vec<Counter>,
}

/// One counter.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Counter {
    /// Name of the pass.
    pub pass: &'static str,
    /// What is counted, a plural in lower case: `instructions removed`.
    pub what: &'static str,
    /// How many.
    pub count: u64,
}

impl Stats {
    /// Adds to a counter of the running pass; adding 0 makes no counter.
    pub fn add(&mut self, what: &'static str, count: u64) {
        self.add_for(self.pass, what, count);
    }
    /// Says which pass runs now.
    pub(crate) fn set_pass(&mut self, pass: &'static str) {
        self.pass = pass;
    }
    /// All counters, ordered by pass and by what is counted.
    pub fn counters(&self) -> Vec<Counter> {
        let mut sorted = self.counters.clone();
        sorted.sort();
        sorted
    }
    /// Adds the counters of another.
    pub(crate) fn merge(&mut self, other: &Stats) {
        for c in &other.counters {
            self.add_for(c.pass, c.what, c.count);
        }
    }
    fn add_for(&mut self, pass: &'static str, what: &'static str, count: u64) {
        if count == 0 {
            return;
        }
        match self.counters.iter_mut().find(|c| c.pass == pass && c.what == what) {
            Some(c) => c.count += count,
            None => self.counters.push(Counter { pass, what, count }),
        }
    }
}
