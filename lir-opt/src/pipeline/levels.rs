//! The levels: the passes of each, their order, and the reasons for it.

use std::fmt;
use std::str::FromStr;

/// A named pipeline.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Level {
    /// No pass.
    #[default]
    O0,
    /// The passes that pay for themselves in compile time.
    O1,
    /// The passes that make good code.
    O2,
}

impl fmt::Display for Level {
    /// Writes it as on a command line: `-O2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Level::O0 => "-O0",
            Level::O1 => "-O1",
            Level::O2 => "-O2",
        })
    }
}

impl FromStr for Level {
    type Err = String;
    /// Reads `0`, `1` or `2`.
    fn from_str(text: &str) -> Result<Level, String> {
        match text {
            "0" => Ok(Level::O0),
            "1" => Ok(Level::O1),
            "2" => Ok(Level::O2),
            _ => Err("the levels are 0, 1 and 2".to_string()),
        }
    }
}

/// The step at a position of a level, with the reason.
struct Position {
    step: &'static str,
    #[cfg_attr(not(test), expect(dead_code, reason = "written for the reader, and checked to be there"))]
    reason: &'static str,
}

const fn at(step: &'static str, reason: &'static str) -> Position {
    Position { step, reason }
}

const O1: &[Position] = &[
    at("ssa", "the passes below need registers with a single assignment, or see through these only"),
    at("mem2reg", "memory hides values from everything below"),
    at("constfold", "folds the operations that mem2reg exposed, and cuts off unreachable code"),
    at("simplify-cfg", "phis that lost entries become copies, so copy-prop and gvn see through them"),
    at("copy-prop", "copies would make equal operands look different to gvn"),
    at("simplify", "sees through copies, and brings equal values to one form before gvn compares them"),
    at(
        "gvn{sums=off}",
        "needs constants second, copies seen through, and dead paths removed; `sums` would find 136 more of \
         SQLite's 22,139 loads, and take 2 % of this level's instructions",
    ),
    at("phi-simplify", "values that gvn found equal make phis redundant"),
    at("dce", "after all passes that leave results unused"),
    at("simplify-cfg", "blocks are empty, and branches lead to one block, once dead code and dead phis are removed"),
    at("tail-calls", "last: no later pass moves calls away from returns, or merges returns"),
];

/// Three phases: functions are made small, so that `inline` sees their cost; functions are inlined; the inlined code
/// is optimized, loops last. Figures are geometric means of the kernels' run times, measured by leaving the step out.
const O2: &[Position] = &[
    at("ssa", "as at -O1"),
    at("mem2reg", "as at -O1; `sroa` is for objects that inlining brings together; earlier, it makes `structs` slower"),
    at(SCALARS, "as at -O1: callees show their true size; divisions are not expanded yet, for licm and indvars"),
    at(
        "tail-rec{accumulate=off}",
        "a function that calls itself last becomes a loop, and can be inlined; with accumulators, recursion that \
         overflows the stack at other levels would not do so at this one",
    ),
    at("attrs", "`inline` and all passes below use the effects of calls"),
    at("inline", "callees first, so that inlined bodies are already optimised"),
    at("dead-args", "after inlining: arguments of inlined calls keep nothing live"),
    at("global-dce", "callees that were inlined everywhere need no further work"),
    at(
        "const-data",
        "functions that write data, or are passed its address, are inlined or removed by now; removes 31 % of the \
         remaining loads of Csmith's programs, and 2.4, 0.7 and 0.4 % of those of zstd, SQLite and Lua, for 0.9 % of \
         this level's instructions; before inlining it finds less",
    ),
    at(
        "libcalls",
        "once arguments are known from callers, and text is known to be constant; its results are folded below",
    ),
    at("sroa", "aggregates that were passed by address are objects of one function now"),
    at("sccp", "constants that came in as arguments, also around loops"),
    at(SCALARS, "as before, on more; repeating it gains nothing"),
    at("if-changed(jump-threading,simplify-cfg)", "once branches on constants are removed; copies code, so only once"),
    at(
        "if-changed(loop-rotate,phi-simplify,constfold,copy-prop)",
        "the code after the test is then executed in each iteration, so licm may hoist more (3 %); it leaves phis of \
         one value, which hide constant starts from indvars",
    ),
    at("loop-simplify", "preheaders for licm and indvars, on edges that rotation left critical"),
    at(
        UNROLL,
        "counters start at constants by now; before indvars, licm and gvn, which then skip unrolled loops, and see an \
         iteration's stores in the next one (11 %; life 58 %, sha256 35 %, structs 20 %; for 3 % of this level's \
         instructions, since the passes that follow run only on functions with such loops)",
    ),
    at(
        "loop-version",
        "once loops are rotated: in the copy, counters up to `i <= n` and sums with counters are known not to wrap \
         (edit 26 %); loops that were unrolled need no copy",
    ),
    at("if-changed(indvars,copy-prop)", "wide counters without extensions (1.5 %); the copies hide equal values"),
    at("vrp", "once counters are wide: tests give ranges, operations become unsigned; divisions still exist"),
    at("reassociate", "groups loop-invariant operands, for licm, and gives equal sums one form, for gvn (0.7 %)"),
    at(
        "load-phi",
        "before the gvn that uses the same memory SSA, and merges its phis: 229, 54 and 91 loads of SQLite, Lua and \
         zstd, for 1 % of this level's instructions",
    ),
    at(
        "gvn{mem=ssa}",
        "equal invariants are moved once; with memory SSA, this run removes 4.5, 1.2 and 0.9 % of the remaining loads \
         of zstd, SQLite and Lua, for 2 % of this level's instructions; memory SSA in the other runs of gvn would \
         remove no more, for another 1 %",
    ),
    at("phi-simplify", "loads that became equal leave phis of one value, which licm does not hoist"),
    at("licm", "on canonical loops, with equal values merged"),
    at(
        "loop-version,if-changed(indvars,copy-prop)",
        "merged and hoisted values make more bounds and summands loop-invariant (16 % of `knapsack`, whose bounds are \
         loaded)",
    ),
    at(
        "if-changed(loop-idiom,if-changed(loop-idiom,loop-idiom))",
        "once counters are wide, and bounds in memory are loaded before the loop; after loop-unroll, since a call is \
         slow for few iterations (sieve 9 %; 1000 words are cleared in an eighth of the time, 3 to 12 in the same); \
         repeated for loops around a loop that became a block operation",
    ),
    at(
        "loop-unroll-runtime",
        "once invariants are hoisted, so that copies of the body are small; before the passes that fold sums of \
         counters and see an iteration's loads in the next one (knapsack 10 %, sha256 5 %, fannkuch and words 3 %; for \
         1 % of this level's instructions, and of SQLite's text)",
    ),
    at("if-convert", "after the passes that need branches: a select hides them from threading and from loops"),
    at(
        "simplify",
        "divisions by constants become multiplications, expressions that licm could have hoisted are folded, and so \
         are 133, 30 and 178 of 934, 159 and 573 selects of SQLite, Lua and zstd: minima, truth values, conditional \
         increments",
    ),
    at(
        "if-changed(gvn{fold=on,sums=off},constfold)",
        "loads in preheaders and the products of divisions are equal to others; no simplify follows; loads that this gvn \
         finds to be constants leave operations on constants, and decide branches; fields of sums would cost 1.3 % of \
         this level's instructions",
    ),
    at("dse", "once loads are forwarded, stores have lost their readers"),
    at("mem-fold", "late: shared addresses stay in registers (2 %)"),
    at("store-merge", "likewise; the bytes of an integer are stored at once"),
    at("load-merge", "once addresses of neighbours differ by a constant only; dce removes the narrow loads"),
    at("sink", "last of the passes that move code: shortens live ranges (2 %; sha256 30 %)"),
    at("dce", "as at -O1"),
    at("simplify-cfg", "as at -O1; removes empty preheaders again"),
    at("tail-calls", "as at -O1"),
];

/// The passes over values of one function that -O2 repeats, in the order of -O1.
const SCALARS: &str =
    "constfold,simplify-cfg,copy-prop,simplify{expand=off},if-changed(gvn{sums=off},phi-simplify),dce";

/// Loops with known iteration counts, then the loops around them, and then those around these; and the simplifications
/// of objects, branches and operations that constant counters permit.
const UNROLL: &str = "if-changed(loop-unroll,phi-simplify,sccp,simplify-cfg,\
                      if-changed(loop-unroll,phi-simplify,sccp,simplify-cfg,\
                      if-changed(loop-unroll,phi-simplify,sccp,simplify-cfg)),\
                      sroa,sccp,copy-prop,simplify-cfg,loop-simplify,phi-simplify)";

/// Returns the pipeline of a level, as text.
pub(super) fn text(level: Level) -> String {
    let positions = match level {
        Level::O0 => &[],
        Level::O1 => O1,
        Level::O2 => O2,
    };
    let steps: Vec<&str> = positions.iter().map(|p| p.step).collect();
    steps.join(",")
}

/// `first` precedes every `then` of a level that has both; with the reason. Checked by a test.
#[cfg(test)]
const ORDER: &[(&str, &str, &str)] = &[
    ("ssa", "mem2reg", "mem2reg needs SSA form"),
    ("ssa", "gvn", "gvn needs SSA form"),
    ("ssa", "phi-simplify", "phi-simplify needs SSA form"),
    ("mem2reg", "gvn", "loads and stores of stack objects hide equal values"),
    ("constfold", "gvn", "gvn relies on constants standing second"),
    ("constfold", "simplify-cfg", "folded branches leave blocks unreachable and edges single"),
    ("simplify-cfg", "copy-prop", "phis with one entry become copies"),
    ("copy-prop", "gvn", "copies make equal operands look different"),
    ("gvn", "dce", "replaced instructions are unused now"),
    ("copy-prop", "dce", "copies are unused now"),
    ("ssa", "sroa", "sroa needs SSA form"),
    ("ssa", "sccp", "sccp needs SSA form"),
    ("copy-prop", "simplify", "rules look at the definitions of operands"),
    ("simplify", "gvn", "equal values have one form then"),
    ("loop-simplify", "indvars", "indvars needs preheaders"),
    ("loop-rotate", "loop-simplify", "rotation leaves critical edges"),
    ("loop-unroll", "indvars", "no counter is left to be widened or reduced"),
    ("loop-unroll", "mem-fold", "addresses are computed from constants then"),
    ("loop-unroll", "loop-idiom", "a block operation on few words is slower than the words in registers"),
    ("loop-unroll", "loop-version", "a loop that is unrolled needs no copy"),
    ("loop-version", "indvars", "counters that do not wrap are widened"),
    ("indvars", "loop-idiom", "addresses grow with counters of 64 bits"),
    ("licm", "loop-idiom", "bounds are the same in all iterations"),
    ("loop-idiom", "loop-unroll-runtime", "a loop that becomes a block operation is not copied"),
    ("indvars", "vrp", "it knows fewer unsigned counters than signed ones"),
    ("vrp", "reassociate", "sums taken out of extensions are grouped"),
    ("reassociate", "licm", "invariant parts are grouped"),
    ("dce", "inline", "the size of a callee decides"),
    ("attrs", "licm", "calls that read or write nothing do not keep loads in the loop"),
    ("global-dce", "const-data", "functions that are not called any more write data"),
    ("const-data", "sccp", "loads from constant data give constants"),
    ("const-data", "libcalls", "text that nothing writes is known"),
    ("libcalls", "sroa", "objects that calls were passed are accessed by loads and `memcpy`"),
    ("inline", "sroa", "aggregates that are passed by address escape"),
    ("inline", "global-dce", "uncalled callees are removed"),
    ("loop-simplify", "licm", "licm needs preheaders"),
    ("licm", "loop-unroll-runtime", "invariants are not copied"),
    ("loop-unroll-runtime", "mem-fold", "sums of counters become displacements"),
    ("mem-fold", "store-merge", "addresses of neighbours have one form"),
    ("mem-fold", "load-merge", "addresses of neighbours have one form"),
    ("licm", "sink", "sink never moves into a loop"),
    ("gvn", "dse", "loads that were forwarded keep no store live"),
    ("jump-threading", "if-convert", "a select has no edges to thread"),
    ("simplify-cfg", "tail-calls", "it would merge returns again"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::Pipeline;

    #[test]
    fn levels_keep_the_order_constraints() {
        for level in [Level::O0, Level::O1, Level::O2] {
            let names: Vec<_> = Pipeline::of_level(level).passes().map(|p| p.name).collect();
            for (first, then, reason) in ORDER {
                if let Some(at) = names.iter().position(|n| n == then)
                    && names.contains(first)
                {
                    assert!(names[..at].contains(first), "{level:?}: `{first}` before `{then}`: {reason}");
                }
            }
        }
        for position in O1.iter().chain(O2) {
            assert!(!position.reason.is_empty(), "{}", position.step);
        }
    }
}
