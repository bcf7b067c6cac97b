//! The coverage of a run: the opcodes, with types, operands and uses, of the modules checked.
//!
//! A [`Coverage`] is four tables ([`cells`]), a bit for each cell. Modules are looked at one by one ([`collect`]), and
//! the tables of several processes are merged by `or`, so that neither order nor number of the processes shows.
//! Unreachable cells are declared in one module ([`exclusions`]); a reachable cell that was not reached is a hole
//! ([`report`]).
//!
//! # Source
//!
//! Tables of this kind are the functional coverage of hardware verification: A. Piziali, "Functional Verification
//! Coverage Measurement and Analysis", 2004, chapter 4 (cross coverage, and the exclusion of illegal crosses).

mod cells;
mod collect;
mod dimensions;
mod exclusions;
mod report;

use cells::{Cell, Comparison, Conversion, Memory, Operation};
use lir_opt::passes::expand_wide;
use lir_syntax::ir::Module;
use std::marker::PhantomData;

/// The coverage of some modules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    operations: Table<Operation>,
    memory: Table<Memory>,
    comparisons: Table<Comparison>,
    conversions: Table<Conversion>,
}

/// A bit for each cell.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Table<C> {
    words: Vec<u64>,
    of: PhantomData<C>,
}

impl<C: Cell> Default for Table<C> {
    fn default() -> Table<C> {
        Table { words: vec![0; C::count().div_ceil(64)], of: PhantomData }
    }
}

impl<C: Cell> Table<C> {
    fn mark(&mut self, cell: &C) {
        let n = cell.number();
        self.words[n / 64] |= 1 << (n % 64);
    }
    fn is_reached(&self, n: usize) -> bool {
        self.words[n / 64] >> (n % 64) & 1 != 0
    }
}

impl Coverage {
    /// Adds the coverage of a module, with pairs of i64 for i128, as selection sees it.
    pub fn add(&mut self, module: &Module) {
        let mut module = module.clone();
        if expand_wide::expand(&mut module).is_err() {
            return;
        }
        for f in module.funcs.values() {
            collect::collect(self, &module.decls, f);
        }
    }
    /// Adds the cells that another coverage has reached.
    pub fn merge(&mut self, other: &Coverage) {
        for (word, more) in self.words_mut().zip(other.words()) {
            *word |= more;
        }
    }
    fn words(&self) -> impl Iterator<Item = u64> {
        let [a, b, c, d] =
            [&self.operations.words, &self.memory.words, &self.comparisons.words, &self.conversions.words];
        a.iter().chain(b).chain(c).chain(d).copied()
    }
    fn words_mut(&mut self) -> impl Iterator<Item = &mut u64> {
        let Coverage { operations, memory, comparisons, conversions } = self;
        let (a, b) = (operations.words.iter_mut(), memory.words.iter_mut());
        a.chain(b).chain(comparisons.words.iter_mut()).chain(conversions.words.iter_mut())
    }
    /// Encodes the tables as text for another process: the nonzero words in hexadecimal, with their numbers.
    pub fn encode(&self) -> String {
        let words = self.words().enumerate().filter(|(_, word)| *word != 0);
        words.map(|(n, word)| format!("{n:x} {word:x} ")).collect()
    }
    /// Parses the text of [`Coverage::encode`]; returns `None` if it is malformed.
    pub fn decode(text: &str) -> Option<Coverage> {
        let mut coverage = Coverage::default();
        let mut numbers = text.split_ascii_whitespace().map(|n| u64::from_str_radix(n, 16).ok());
        let mut words: Vec<&mut u64> = coverage.words_mut().collect();
        while let Some(n) = numbers.next() {
            let word = words.get_mut(usize::try_from(n?).ok()?)?;
            **word = numbers.next()??;
        }
        Some(coverage)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::origin::module_of;

    fn of_seeds(seeds: std::ops::Range<u64>) -> Coverage {
        let mut coverage = Coverage::default();
        seeds.for_each(|seed| coverage.add(&module_of(seed)));
        coverage
    }

    #[test]
    fn parts_make_the_whole_in_any_order() {
        let whole = of_seeds(0..30);
        let mut parts = of_seeds(20..30);
        parts.merge(&of_seeds(0..20));
        assert_eq!(parts, whole);
        assert_eq!(Coverage::decode(&whole.encode()), Some(whole));
        assert_eq!(Coverage::decode("1"), None);
        assert_eq!(Coverage::decode("ffffff 1"), None);
    }

    /// Cells with a reason never to be reached are not, or the reason is wrong. Most of the rest are reached soon.
    #[test]
    fn reasons_are_true_and_holes_are_few() {
        let coverage = of_seeds(0..400);
        let report = coverage.report();
        assert!(!report.contains("against reason"), "{report}");
        assert!(coverage.holes() < 3600, "{report}");
    }
}
