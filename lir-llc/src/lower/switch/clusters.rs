//! Groups the cases of a switch: those decided by a jump table, by a mask of bits, or alone.
//!
//! # Algorithm
//!
//! 1. Neighbouring values with one target are a [`Run`]; the input is a list of runs.
//! 2. The runs are divided into as few clusters as possible. A cluster is a run alone; or at least [`TABLE_RUNS`] runs
//!    that are *dense*, so that a table has at least two used entries in five; or runs within 64 values that have at
//!    most [`BIT_TARGETS`] targets and would take more comparisons than bit tests.
//! 3. The fewest clusters from run `i` on are one more than the fewest after a cluster that begins there. Runs `i..e`
//!    are dense where `a(e) >= b(i)`, with `a` and `b` sums that depend on one end each: so the best `e` is the minimum
//!    over those with a large enough `a`, which a tree of minima answers. It is filled from the last run to the first.
//!
//! # Cost and limits
//!
//! O(n log n) for n cases. A run counts for at most [`RUN_WEIGHT`] entries: a range takes one or two comparisons,
//! however long it is.
//!
//! # Source
//!
//! S. Kannan and T. A. Proebsting, "Correction to 'Producing Good Code for the Case Statement'", Software: Practice and
//! Experience 24(2), 1994: the fewest dense clusters, there in O(n^2). R. L. Bernstein, "Producing Good Code for the
//! Case Statement", 15(10), 1985: density. R. A. Sayle, "A Superoptimizer Analysis of Multiway Branch Code Generation",
//! GCC Summit 2008: bit tests and when they pay. The tree of minima: P. M. Fenwick, "A New Data Structure for
//! Cumulative Frequency Tables", 24(3), 1994.

use lir_opt::analysis::branches::decision_tree::Run;
use lir_syntax::ir::Block;
use smallvec::SmallVec;
use std::ops::Range;

/// The method of a cluster to distinguish its values.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum ClusterKind {
    /// One run: by comparisons.
    Compare,
    /// By a jump through a table.
    Table,
    /// By a bit for each value, in a word for each target.
    Bits,
}

/// Runs that are decided together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Cluster {
    /// The runs.
    pub(super) runs: Range<usize>,
    /// The method.
    pub(super) kind: ClusterKind,
}

/// The fewest runs of a table.
const TABLE_RUNS: usize = 5;
/// Largest weight of a run in a table.
const RUN_WEIGHT: i128 = 32;
/// The most targets of bit tests.
pub(super) const BIT_TARGETS: usize = 3;
/// For each number of targets the fewest comparisons that make bit tests worthwhile.
const BIT_COMPARISONS: [usize; BIT_TARGETS + 1] = [0, 3, 5, 6];
/// Values that a mask has bits for.
pub(super) const MASK_BITS: i128 = 64;

/// Returns the number of values from one to another.
pub(super) fn span(low: i64, high: i64) -> i128 {
    high as i128 - low as i128 + 1
}

/// True if a table over `span` values, of runs with this weight, is dense.
pub(super) fn is_dense(weight: i128, span: i128) -> bool {
    5 * weight >= 2 * span
}

/// Returns the weight of runs in a table.
pub(super) fn weight(runs: &[Run]) -> i128 {
    runs.iter().map(weight_of).sum()
}

fn weight_of(run: &Run) -> i128 {
    run.values.count().min(RUN_WEIGHT)
}

/// The best division from a run on: this many clusters, the first of which ends before run `end`.
#[derive(Copy, Clone)]
struct Division {
    clusters: u32,
    end: u32,
    kind: ClusterKind,
}

/// Steps 2 and 3.
pub(super) fn divide(runs: &[Run]) -> Vec<Cluster> {
    let n = runs.len();
    let mut tables = DenseTables::new(runs);
    let mut best = vec![Division { clusters: 0, end: 0, kind: ClusterKind::Compare }; n + 1];
    for i in (0..n).rev() {
        let mut choice = Division { clusters: best[i + 1].clusters + 1, end: i as u32 + 1, kind: ClusterKind::Compare };
        let mut take = |end: u32, clusters: u32, kind: ClusterKind| {
            if clusters < choice.clusters {
                choice = Division { clusters, end, kind };
            }
        };
        if i + TABLE_RUNS <= n {
            tables.insert(i + TABLE_RUNS, best[i + TABLE_RUNS].clusters);
        }
        // Of equally many clusters, one or two bit tests are better than a jump that may be mispredicted.
        let table = tables.best_end(i);
        let (few, bits) = bit_end(&runs[i..], |len| best[i + len].clusters).unzip();
        let bits = bits.map(|len| (i + len) as u32);
        let by_bits = bits.map(|end| (end, best[end as usize].clusters + 1, ClusterKind::Bits));
        let by_table = table.map(|(clusters, end)| (end, clusters + 1, ClusterKind::Table));
        let order = if few == Some(true) { [by_bits, by_table] } else { [by_table, by_bits] };
        order.into_iter().flatten().for_each(|(end, clusters, kind)| take(end, clusters, kind));
        best[i] = choice;
    }
    let mut clusters = Vec::new();
    let mut at = 0;
    while at < n {
        let end = best[at].end as usize;
        clusters.push(Cluster { runs: at..end, kind: best[at].kind });
        at = end;
    }
    clusters
}

/// Returns the number of leading runs that bit tests take, chosen so that the fewest clusters follow (`rest` is their
/// number). The flag is true if the runs have at most two targets.
fn bit_end(runs: &[Run], rest: impl Fn(usize) -> u32) -> Option<(bool, usize)> {
    let mut targets: SmallVec<[Block; BIT_TARGETS]> = SmallVec::new();
    let (mut comparisons, mut found) = (0, None::<(u32, bool, usize)>);
    for (k, run) in runs.iter().enumerate() {
        if span(runs[0].values.lo, run.values.hi) > MASK_BITS {
            break;
        }
        if !targets.contains(&run.target) {
            if targets.len() == BIT_TARGETS {
                break;
            }
            targets.push(run.target);
        }
        comparisons += if run.values.lo == run.values.hi { 1 } else { 2 };
        let left = rest(k + 1);
        if comparisons >= BIT_COMPARISONS[targets.len()] && k > 0 && found.is_none_or(|(best, ..)| left <= best) {
            found = Some((left, targets.len() <= 2, k + 1));
        }
    }
    found.map(|(_, few, len)| (few, len))
}

/// The possible ends of tables, for finding the best end of a dense table that begins at a run.
struct DenseTables {
    /// For each end the sum that depends on it. `begins` has for each run the sum that the end must reach.
    ends: Vec<i128>,
    begins: Vec<i128>,
    /// The sums of the ends, descending.
    sorted: Vec<i128>,
    /// A Fenwick tree over them: the fewest clusters after an end, and the end.
    tree: Vec<(u32, u32)>,
}

const NOTHING: (u32, u32) = (u32::MAX, u32::MAX);

impl DenseTables {
    fn new(runs: &[Run]) -> DenseTables {
        // Dense is `5 * weight >= 2 * span`, with the weight as a difference of sums.
        let (mut sum, mut ends, mut begins) = (0, vec![0], Vec::new());
        for run in runs {
            begins.push(5 * sum - 2 * run.values.lo as i128 + 2);
            sum += weight_of(run);
            ends.push(5 * sum - 2 * run.values.hi as i128);
        }
        let mut sorted = ends[1..].to_vec();
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        DenseTables { tree: vec![NOTHING; sorted.len() + 1], ends, begins, sorted }
    }
    /// Adds an end, which is followed by this many clusters.
    fn insert(&mut self, end: usize, clusters: u32) {
        let sum = self.ends[end];
        let mut at = self.sorted.partition_point(|s| *s > sum) + 1;
        while at < self.tree.len() {
            self.tree[at] = self.tree[at].min((clusters, end as u32));
            at += at & at.wrapping_neg();
        }
    }
    /// Returns the fewest clusters after a known end, and the end. Only ends count to which the runs from `begin` are
    /// dense.
    fn best_end(&self, begin: usize) -> Option<(u32, u32)> {
        let least = self.begins[begin];
        let mut at = self.sorted.partition_point(|s| *s >= least);
        let mut best = NOTHING;
        while at > 0 {
            best = best.min(self.tree[at]);
            at &= at - 1;
        }
        (best != NOTHING).then_some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_opt::integers::range::Range as IntRange;
    use lir_syntax::ir::EntityRef;

    fn runs(cases: &[(i64, Block)]) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for &(value, target) in cases {
            match runs.last_mut() {
                Some(run) if run.target == target && run.values.hi + 1 == value => run.values.hi = value,
                _ => runs.push(Run { values: IntRange::point(value), tested: 1, target }),
            }
        }
        runs
    }

    /// Clusters as text: `=` alone, `T` table, `B` bits, each with the number of its runs.
    fn shape(cases: &[(i64, usize)]) -> String {
        let cases: Vec<(i64, Block)> = cases.iter().map(|c| (c.0, Block::new(c.1))).collect();
        let letter = |kind| match kind {
            ClusterKind::Compare => '=',
            ClusterKind::Table => 'T',
            ClusterKind::Bits => 'B',
        };
        divide(&runs(&cases)).iter().map(|p| format!("{}{} ", letter(p.kind), p.runs.len())).collect()
    }
    fn each(values: impl IntoIterator<Item = i64>) -> Vec<(i64, usize)> {
        values.into_iter().enumerate().map(|(k, v)| (v, k)).collect()
    }

    #[test]
    fn dense_cases_are_tables_and_the_others_are_single() {
        assert_eq!(shape(&each(0..5)), "T5 ");
        assert_eq!(shape(&each(0..4)), "=1 =1 =1 =1 ");
        assert_eq!(shape(&each((0..100).map(|k| k * 1000))).matches('=').count(), 100);
        assert_eq!(shape(&each((-3..4).chain([50]).chain(100..110))), "T7 =1 T10 ");
        assert_eq!(shape(&each([i64::MIN, -1, 0, 1, 2, 3, i64::MAX])), "=1 T5 =1 ");
        // Half full is dense, a third is not.
        assert_eq!(shape(&each((0..20).map(|k| k * 2))), "T20 ");
        assert_eq!(shape(&each((0..20).map(|k| k * 3))).matches('=').count(), 20);
    }

    #[test]
    fn values_of_one_target_are_runs_and_few_targets_are_bits() {
        let one = |values: &[i64]| values.iter().map(|v| (*v, 7)).collect::<Vec<_>>();
        assert_eq!(shape(&one(&[3, 4, 5, 6, 7])), "=1 ");
        assert_eq!(shape(&one(&[9, 10, 13, 32])), "B3 ");
        assert_eq!(shape(&one(&[9, 10, 13, 32, 200])), "B3 =1 ");
        let two: Vec<(i64, usize)> = (0..40).map(|k| (k, (k % 2) as usize)).collect();
        assert_eq!(shape(&two), "B40 ");
        let two: Vec<(i64, usize)> = (0..80).map(|k| (k, (k % 2) as usize)).collect();
        assert_eq!(shape(&two), "T80 ");
    }

    #[test]
    fn a_hundred_thousand_cases_take_no_time() {
        let cases: Vec<(i64, usize)> = (0..100_000).map(|k| (k * k % 7 + 4 * k, k as usize % 5000)).collect();
        let mut cases = cases;
        cases.sort_unstable();
        cases.dedup_by_key(|c| c.0);
        assert!(!shape(&cases).is_empty());
    }
}
