//! Simplification of induction variables (`indvars`).
//!
//! Makes a loop count in 64 bits if it extends a narrower counter in each iteration; merges equal counters; replaces
//! products of counters by sums.
//!
//! # Example
//!
//! ```text
//! loop:                                        loop:
//!   %i = phi i32 [0, before], [%j, loop]         %i.1 = phi i64 [0, before], [%j.1, loop]
//!   %k = phi i32 [0, before], [%l, loop]
//!   %w = sext i32 %i to i64                      %w = copy i64 %i.1
//!   %x = load i32 [%p + %w*4]             =>     %x = load i32 [%p + %w*4]
//!   %j = add i32 %i, 1                           %j.1 = add i64 %i.1, 1
//!   %l = add i32 %k, 1
//!   br slt i32 %j, 100, loop, done               br slt i64 %j.1, 100, loop, done
//! ```
//!
//! # Algorithm
//!
//! 1. The basic induction variables of each loop are found, from the outside in: [`LoopContext::induction`].
//! 2. A loop without loops inside and without effects, whose values are not read outside, is bypassed if the test of a
//!    variable proves that it ends.
//! 3. Of two variables with equal start and step, the first one replaces the other.
//! 4. One walk over the function collects the extensions to i64 of each variable, of its next value, and of sums of it
//!    with a constant. A variable without extensions is not changed, nor is one whose narrow value has other readers,
//!    if a single extension would be removed: a truncation costs as much.
//! 5. If an exit test proves that the increment does not overflow, as signed or as unsigned, a phi and an increment of
//!    64 bits are added to the narrow ones. The extensions that fit become copies of them, or sums with the constant if
//!    the range of the variable shows that the narrow sum does not overflow; a `zext` fits signed numbers that are
//!    never negative, too.
//! 6. Tests of the variable against an invariant bound are made in 64 bits too; the bound is extended before the loop.
//!    The narrow phi and increment are removed, or become truncations of the wide ones if they are still read, for
//!    example by tests of the lower bits.
//! 7. A test of the lower bits of a variable of 64 bits is made in 64 bits, if these equal the variable ([`cut`]).
//! 8. In an innermost loop, a product of a variable and a number, or a register that the loop does not assign, becomes
//!    a variable of its own: its start is multiplied before the loop, and the step is added next to the increment
//!    ([`reduce`]). Factors that a shift or the scale of an address can express are excluded, and a loop has at most
//!    [`MAX_REDUCED`](reduce::MAX_REDUCED), since each takes a register.
//!
//! # Why it is sound
//!
//! The extension of the narrow value, if no increment overflows, is start + iteration * step, as the wide phi counts
//! (which cannot overflow: it holds numbers of at most 32 bits). Sign extension of both operands keeps all comparisons,
//! zero extension all but the signed ones, which stay narrow. Truncation of the wide value gives the narrow one. The
//! wide increment is at the position of the narrow one, so all uses that the narrow ones dominate are dominated by the
//! wide ones. A loop that is bypassed would have ended: a variable of it moves in one direction, does not wrap, and is
//! compared with the same bound in every iteration, which takes finitely many instructions, since there is no cycle
//! inside. A variable that wraps, which is defined, is never widened: see
//! [`induction`](crate::analysis::loops::induction) for the proof. Tests of lower bits have a proof of their own
//! ([`cut`]). Products are sums whether the variable wraps or not: the product of {s, +, d} and m is {s*m, +, d*m}
//! modulo 2^width.
//!
//! # Cost and limits
//!
//! Linear; the variables of one header are compared with each other up to [`MAX_COMPARED`] of them. A loop must have a
//! preheader and one latch (`loop-simplify`). Exit tests are changed only in their width: no number of iterations is
//! computed. `index*scale` is not reduced, since it costs nothing in an address of x86-64, nor are shifts: a sum costs
//! as much. Afterwards `copy-prop` and `dce`.
//!
//! A counter that is only read by its own test, next to the sum that replaced its product, is not replaced by that sum
//! in the test (LLVM's LFTR): none of the 64 loops with counters in the kernels has one left, and 2 of Lua's 242, in
//! loops that run once for each change of a table's size; the tests are ordered, and the sums may wrap.
//!
//! # Source
//!
//! LLVM's `IndVarSimplify` and `SimplifyIndVar::WidenIV`, without their use of overflow flags, which LIR does not have.

mod cut;
mod delete;
mod events;
mod reduce;
mod widen;

use crate::analysis::Preserved;
use crate::analysis::SsaView;
use crate::analysis::loops::induction::{Induction, LoopContext, LoopShape, Sign};
use crate::edit::reads::replace_all_reads;
use crate::pass::remarks::Remarks;
use crate::pass::{OptionInfo, OptionKind, Pass, PassContext, PassInfo, SsaPass};
use crate::passes::indvars::events::Event;
use lir_syntax::ir::{Function, Inst, Operand, PackedOption, Reg, SecondaryMap, Type};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "indvars",
    summary: "widen loop counters to 64 bits, and merge counters that run in step",
    options: &[OptionInfo {
        name: "reduce",
        kind: OptionKind::Flag { default: true },
        summary: "reduce multiplications of a counter to additions (strength reduction)",
    }],
    build: |options| Pass::Ssa(Box::new(IndVars { reduce: options.flag("reduce") })),
};

/// Induction variables of one header that are compared with each other.
const MAX_COMPARED: usize = 32;

struct IndVars {
    reduce: bool,
}

impl SsaPass for IndVars {
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        if cx.analyses.loops_of(f, ssa).is_none() {
            return Preserved::All;
        }
        let mut scratch = cx.scratch.take::<InductionScratch>();
        let deleted = scratch.delete_loops(f, ssa, cx);
        let (merged, widened) = scratch.simplify(f, ssa, cx);
        let reduced = if self.reduce { scratch.reduce_products(f, ssa, cx) } else { 0 };
        scratch.unread.drain(..).for_each(|i| f.remove_inst(i));
        cx.scratch.give_back(scratch);
        cx.stats.add("loops deleted", deleted);
        cx.stats.add("variables merged", merged);
        cx.stats.add("variables widened", widened);
        cx.stats.add("products reduced", reduced);
        Preserved::none_if(deleted != 0).and(Preserved::cfg_if(merged + widened + reduced != 0))
    }
}

#[derive(Default)]
struct InductionScratch {
    variables: Vec<(LoopShape, Induction)>,
    /// The index + 1 of the variable of a register, its value or next value.
    variable_of: SecondaryMap<Reg, u32>,
    /// The variable that replaces a merged one.
    leader: SecondaryMap<Reg, PackedOption<Reg>>,
    extensions: Vec<widen::Extension>,
    /// Number of times the value and the next value of each variable are read.
    reads: Vec<[usize; 2]>,
    /// The register of 64 bits that replaces a register of a variable.
    wide_of: SecondaryMap<Reg, PackedOption<Reg>>,
    /// The register of a variable for one of 64 bits.
    narrow_of: SecondaryMap<Reg, PackedOption<Reg>>,
    /// The numbers that a register of 64 bits keeps.
    sign_of: SecondaryMap<Reg, Sign>,
    /// Truncations that are not read. They are kept until products, which are placed next to increments, are made.
    unread: Vec<Inst>,
}

impl InductionScratch {
    /// Steps 1 and 2. Returns the number of deleted loops.
    fn delete_loops(&mut self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> u64 {
        let Some(loops) = cx.analyses.loops_of(f, ssa) else { return 0 };
        self.find(&loops);
        let deletions = self.find_deletions(&loops, cx.decls, cx.remarks);
        for d in &deletions {
            delete::delete(f, d);
            cx.remarks.done(f, f.terminator(d.preheader), Event::LoopDeleted(d.header));
        }
        if !deletions.is_empty() {
            self.variables.clear();
            cx.analyses.loops_of(f, ssa).inspect(|loops| self.find(loops));
        }
        deletions.len() as u64
    }
    /// Step 1.
    fn find(&mut self, cx: &LoopContext<'_>) {
        self.variables.clear();
        for &header in cx.nest.headers() {
            let Some(shape) = LoopShape::of(cx.f, cx.cfg, cx.dom, header) else { continue };
            let ints = cx.f.phis(header).filter(|phi| cx.f.inst(*phi).ty.is_int());
            self.variables.extend(ints.filter_map(|phi| Some((shape, cx.induction(&shape, phi)?))));
        }
    }
    /// Steps 3 to 7. Returns the number of variables that were merged, and widened or compared so.
    fn simplify(&mut self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> (u64, u64) {
        if self.variables.is_empty() {
            return (0, 0);
        }
        self.variable_of.reset(f.num_regs());
        for (k, (_, iv)) in self.variables.iter().enumerate() {
            self.variable_of[iv.value] = k as u32 + 1;
            self.variable_of[iv.next] = k as u32 + 1;
        }
        let merged = self.merge(f, cx.remarks);
        self.replace_merged(f, merged);
        let Some(context) = cx.analyses.loops_of(f, ssa) else { return (merged, 0) };
        self.extensions.clear();
        if self.variables.iter().any(|(_, iv)| f.type_of(iv.value) != Type::I64) {
            self.collect_extensions(&context);
        }
        let widenings = self.plan(&context, cx.remarks);
        let cut_tests = self.find_cut_tests(&context);
        self.wide_of.reset(f.num_regs());
        self.narrow_of.reset(f.num_regs());
        self.sign_of.reset(f.num_regs());
        for widening in &widenings {
            self.apply(f, widening, cx.remarks);
        }
        cut::widen_tests(f, ssa, &cut_tests, cx.remarks);
        (merged, (widenings.len() + cut_tests.len()) as u64)
    }
    /// Step 8. Returns the number of products that are sums now.
    fn reduce_products(&mut self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> u64 {
        if self.variables.is_empty() {
            return 0;
        }
        let Some(loops) = cx.analyses.loops_of(f, ssa) else { return 0 };
        let products = self.find_products(&loops);
        reduce::reduce(f, &products, cx.remarks)
    }
    /// Step 3. Returns the number of merged variables.
    fn merge(&mut self, f: &Function, remarks: &mut Remarks) -> u64 {
        self.leader.reset(f.num_regs());
        let mut merged = 0;
        for of_header in self.variables.chunk_by(|a, b| a.0.header == b.0.header) {
            let of_header = &of_header[..of_header.len().min(MAX_COMPARED)];
            for (k, (_, iv)) in of_header.iter().enumerate() {
                let alike = |o: &&(LoopShape, Induction)| {
                    let (_, o) = o;
                    (o.start, o.step) == (iv.start, iv.step) && f.type_of(o.value) == f.type_of(iv.value)
                };
                let Some((_, first)) = of_header[..k].iter().find(alike) else { continue };
                self.leader[iv.value] = first.value.into();
                merged += 1;
                remarks.done(f, iv.phi, Event::CountsAs(first.value));
            }
        }
        merged
    }
    /// The end of step 3: readers of merged variables read the remaining ones. Their next values become equal.
    fn replace_merged(&self, f: &mut Function, merged: u64) {
        if merged != 0 {
            replace_all_reads(f, |r| self.leader[r].expand().map(Operand::reg));
        }
    }
}
