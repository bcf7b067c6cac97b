//! Dead code elimination (`dce`).
//!
//! Removes instructions whose results nothing needs, phis that only feed each other included.
//!
//! # Example
//!
//! ```text
//! loop:                                        loop:
//!   %i = phi i32 [0, entry], [%j, loop]          %i = phi i32 [0, entry], [%j, loop]
//!   %u = phi i32 [0, entry], [%v, loop]
//!   %v = add i32 %u, 3                    =>
//!   %t = load i32 [%p]
//!   %j = add i32 %i, 1                           %j = add i32 %i, 1
//!   br slt i32 %j, %n, loop, done                br slt i32 %j, %n, loop, done
//! ```
//!
//! # Algorithm
//!
//! 1. Every instruction either must stay (a root) or is a candidate; candidates are linked to the register they assign.
//! 2. From the roots, each register that is read makes all its assignments needed; then their operands are read.
//!    An `assume` is a candidate, and needed if all its operands are: it is a promise about values that others read.
//! 3. Candidates that were not reached are removed.
//!
//! # Why it is sound
//!
//! A candidate ([`is_removable`]) has no effect except its result: it is pure, a phi, a load that is not volatile (its
//! fault may be removed), a division by a constant that cannot trap, or a call of a function that writes nothing and
//! comes back. An assignment is kept when any kept instruction reads the register, wherever that instruction is; so
//! every read keeps all its assignments, and the form of the function does not matter. Nothing is assumed to terminate
//! or to be reached.
//!
//! # Cost and limits
//!
//! Linear; each instruction is visited at most three times. In a function that is not in SSA form an assignment that is
//! overwritten before it is read stays while another assignment of the register is needed. Branches and blocks stay:
//! see `simplify-cfg`. Stores to memory that is not read stay.
//!
//! # Source
//!
//! R. Cytron, J. Ferrante, B. K. Rosen, M. N. Wegman, F. K. Zadeck, "Efficiently Computing Static Single Assignment
//! Form and the Control Dependence Graph", TOPLAS 13(4), 1991, section 7.1, with all branches taken as needed.

use crate::analysis::Preserved;
use crate::analysis::effects::{callee_attrs, is_removable};
use crate::pass::remarks::events;
use crate::pass::remarks::{Common, Remarks};
use crate::pass::{FunctionPass, Pass, PassContext, PassInfo};
use lir_syntax::ir::{Attrs, Decls, EntitySet, Format, Function, Inst, Opcode, PackedOption, Reg, SecondaryMap};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "dce",
    summary: "remove instructions whose results are not needed",
    options: &[],
    build: |_| Pass::Function(Box::new(Dce)),
};

struct Dce;

impl FunctionPass for Dce {
    fn run(&self, f: &mut Function, cx: &mut PassContext<'_>) -> Preserved {
        let mut scratch = cx.scratch.take::<DeadCodeScratch>();
        scratch.find_candidates(f, cx);
        scratch.reach(f);
        scratch.keep_assumes(f);
        let removed = scratch.remove_the_rest(f, cx.remarks);
        if cx.remarks.on() {
            report_kept_effects(f, cx.decls, cx.remarks);
        }
        cx.scratch.give_back(scratch);
        cx.stats.add("instructions removed", removed);
        Preserved::cfg_if(removed != 0)
    }
}

#[derive(Default)]
struct DeadCodeScratch {
    /// Instructions that may be removed and have not been found to be needed.
    candidates: EntitySet<Inst>,
    /// The candidates that assign a register, as a list. Empty once the register is known to be read.
    first_def: SecondaryMap<Reg, PackedOption<Inst>>,
    /// The next in that list.
    next_def: SecondaryMap<Inst, PackedOption<Inst>>,
    assumes: Vec<Inst>,
    /// Needed instructions whose operands have not been looked at.
    work: Vec<Inst>,
}

impl DeadCodeScratch {
    /// Step 1.
    fn find_candidates(&mut self, f: &Function, cx: &PassContext<'_>) {
        self.candidates.clear();
        self.assumes.clear();
        self.first_def.reset(f.num_regs());
        self.next_def.reset(f.num_insts());
        for b in f.layout().blocks() {
            for i in f.layout().insts(b) {
                if !is_removable(cx.decls, f, i) {
                    self.work.push(i);
                    continue;
                }
                self.candidates.insert(i);
                if f.inst(i).op == Opcode::Assume {
                    self.assumes.push(i);
                }
                if let Some(r) = f.def(i) {
                    self.next_def[i] = std::mem::replace(&mut self.first_def[r], i.into());
                }
            }
        }
    }
    /// Step 2.
    fn reach(&mut self, f: &Function) {
        while let Some(i) = self.work.pop() {
            f.for_each_use(i, |r| {
                let mut at = self.first_def[r].expand();
                if at.is_some() {
                    self.first_def[r] = PackedOption::NONE;
                }
                while let Some(def) = at {
                    self.candidates.remove(def);
                    self.work.push(def);
                    at = self.next_def[def].expand();
                }
            });
        }
    }
    /// Keeps each `assume` whose operands are needed by others: it is a reason to compute nothing.
    fn keep_assumes(&mut self, f: &Function) {
        for &i in &self.assumes {
            let mut is_needed = true;
            f.for_each_use(i, |r| is_needed &= self.first_def[r].is_none());
            if is_needed {
                self.candidates.remove(i);
            }
        }
    }
    /// Step 3. Returns the number of removed instructions.
    fn remove_the_rest(&mut self, f: &mut Function, remarks: &mut Remarks) -> u64 {
        let mut removed = 0;
        for i in self.candidates.iter() {
            remarks.done(f, i, Common::ResultNotUsed);
            f.remove_inst(i);
            removed += 1;
        }
        removed
    }
}

/// Reports why instructions whose results are not read stay.
#[cold]
fn report_kept_effects(f: &Function, decls: &Decls, remarks: &mut Remarks) {
    let all = || f.layout().all_insts();
    let mut read = EntitySet::new();
    all().for_each(|i| f.for_each_use(i, |r| read.extend([r])));
    for i in all().filter(|i| f.def(*i).is_some_and(|r| !read.contains(r)) && !is_removable(decls, f, *i)) {
        remarks.missed(f, i, effect(decls, f, i));
    }
}

/// Returns the effect of an instruction that is not removable.
fn effect(decls: &Decls, f: &Function, i: Inst) -> Event {
    let d = f.inst(i);
    if d.is_volatile() {
        return Event::Volatile;
    }
    match d.op.format() {
        Format::Call => {
            let attrs = callee_attrs(decls, f, i);
            let writes = !attrs.has(Attrs::READNONE) && !attrs.has(Attrs::READONLY);
            if writes { Event::CallWrites } else { Event::CallMayStop }
        }
        Format::Binary => Event::MayTrap,
        _ => Event::HasEffect,
    }
}

events! {
    enum Event {
        Volatile: "has-an-effect", "its result is not used, but it is volatile";
        CallWrites: "has-an-effect", "its result is not used, but the callee may write memory";
        CallMayStop: "has-an-effect", "its result is not used, but the callee may not return";
        MayTrap: "has-an-effect", "its result is not used, but it may trap";
        HasEffect: "has-an-effect", "its result is not used, but it has an effect";
    }
}
