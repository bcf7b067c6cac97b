//! Counters of passes, and of the other stages of a tool.

use rustc_hash::FxHashMap;
use std::fmt::Write;

/// The counters of the passes of a pipeline.
#[derive(Clone, Default, Debug)]
pub struct Stats {
    pass: &'static str,
    counters: Vec<Counter>,
    /// The number of each counter, by the addresses of both texts. Some passes count hundreds of things.
    found: FxHashMap<(usize, usize, usize), u32>,
}

/// One counter.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Counter {
    /// Name of the pass.
    pub pass: &'static str,
    /// The things that are counted, a plural in lower case: `instructions removed`.
    pub what: &'static str,
    /// The count.
    pub count: u64,
}

/// The format in which counters are printed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum StatsFormat {
    /// One line per counter.
    Text,
    /// An object of passes, each an object of counters.
    Json,
}

impl Stats {
    /// Returns the counters as text.
    pub fn print(&self, format: StatsFormat) -> String {
        match format {
            StatsFormat::Text => self.text(),
            StatsFormat::Json => self.json(),
        }
    }
    fn text(&self) -> String {
        self.counters().iter().fold(String::new(), |mut out, c| {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{:10} {}: {}", c.count, c.pass, c.what);
            out
        })
    }
    /// Names and counters are words that need no escapes.
    fn json(&self) -> String {
        let counters = self.counters();
        let passes: Vec<String> = counters
            .chunk_by(|a, b| a.pass == b.pass)
            .map(|group| {
                let counts: Vec<String> = group.iter().map(|c| format!("\"{}\": {}", c.what, c.count)).collect();
                format!("  \"{}\": {{{}}}", group[0].pass, counts.join(", "))
            })
            .collect();
        if passes.is_empty() { "{}\n".to_string() } else { format!("{{\n{}\n}}\n", passes.join(",\n")) }
    }
    /// Adds to a counter of the running pass; adding 0 makes no counter.
    pub fn add(&mut self, what: &'static str, count: u64) {
        self.add_for(self.pass, what, count);
    }
    /// Sets the pass that runs now.
    pub(crate) fn set_pass(&mut self, pass: &'static str) {
        self.pass = pass;
    }
    /// Returns all counters, ordered by pass and by counted item.
    pub fn counters(&self) -> Vec<Counter> {
        let mut sorted = self.counters.clone();
        sorted.sort();
        sorted
    }
    /// Adds the counters of another.
    pub fn merge(&mut self, other: &Stats) {
        for c in &other.counters {
            self.add_for(c.pass, c.what, c.count);
        }
    }
    /// Adds to a counter of a pass, or of another stage. Adding 0 makes no counter.
    pub fn add_for(&mut self, pass: &'static str, what: &'static str, count: u64) {
        if count == 0 {
            return;
        }
        let Stats { counters, found, .. } = self;
        let k = *found.entry((pass.as_ptr() as usize, what.as_ptr() as usize, what.len())).or_insert_with(|| {
            // The same text may be at several addresses.
            let known = counters.iter().position(|c| c.pass == pass && c.what == what);
            known.unwrap_or_else(|| {
                counters.push(Counter { pass, what, count: 0 });
                counters.len() - 1
            }) as u32
        });
        counters[k as usize].count += count;
    }
}
