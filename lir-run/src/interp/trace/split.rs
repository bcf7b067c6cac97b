//! Splits lifetimes before a trace is assembled.
//!
//! A value that is not read for long gets a copy after its last read, for the later reads. An allocator that gives each
//! value one location may then give it two. One walk along the path.
//!
//! Parameters that exits store through are not copied. In trace form the stores of an exit name these parameters, and
//! [`links`](super::links) finds the values to pass by them.
//!
//! Tamarin Tracing has such a step, guarded by `if (false)`. Here it is off by default (`--trace-split`): it increases
//! the instructions executed, compilation included, by 1.2 % for sha256, 0.6 % for nbody and 1.6 % for matmul, with
//! `bottom-up`, `one-pass` and `linear-scan` alike. These allocators move a value between registers and memory where
//! they need to, so a copy does not help them.

use lir_opt::analysis::trace_form::TraceForm;
use lir_syntax::ir::{
    Base, Block, EntitySet, Format, Function, Inst, InstData, Operand, PackedOption, Param, Reg, SecondaryMap,
};

/// Instructions of the path without a read, beyond which a lifetime is split.
const LONG: u32 = 24;

/// Splits lifetimes in a trace; returns how many.
pub(super) fn split_lifetimes(f: &mut Function) -> u64 {
    let Ok(form) = TraceForm::of(f) else { return 0 };
    let mut splitter = Splitter { addresses: addresses(f, &form), ..Splitter::default() };
    let mut exits = form.exits.iter().peekable();
    for (at, &b) in form.path.iter().enumerate() {
        splitter.at = at;
        let insts: Vec<Inst> = f.layout().insts(b).collect();
        for &i in &insts {
            splitter.position += 1;
            if f.inst(i).op.format() != Format::Phi {
                splitter.visit(f, &form, i);
            }
            if let Some(r) = f.def(i) {
                splitter.note(r, i);
            }
        }
        while let Some(exit) = exits.next_if(|e| e.from == at) {
            if exit.block == b {
                continue;
            }
            let insts: Vec<Inst> = f.layout().insts(exit.block).collect();
            for i in insts {
                let guard = f.terminator(b);
                f.for_each_use(i, |r| splitter.note(r, guard));
                splitter.rename(f, i);
            }
        }
    }
    splitter.copies
}

/// Returns the parameters that exits store through.
fn addresses(f: &Function, form: &TraceForm) -> EntitySet<Reg> {
    let mut found = EntitySet::new();
    for i in form.exits.iter().flat_map(|exit| f.layout().insts(exit.block)) {
        if f.inst(i).op.format() == Format::Store
            && let Base::Reg(base) = f.mem(i).base
            && f.params.contains(&Param::Reg(base))
        {
            found.insert(base);
        }
    }
    found
}

/// An instruction of the path.
#[derive(Copy, Clone)]
struct Last {
    /// The number of instructions before it.
    position: u32,
    /// The index of its block.
    at: usize,
    inst: Inst,
}

#[derive(Default)]
struct Splitter {
    /// Instructions of the path so far.
    position: u32,
    /// The index of the present block in the path.
    at: usize,
    /// The parameters that are not copied.
    addresses: EntitySet<Reg>,
    /// By register of the trace: the last instruction that read or assigned it.
    last: SecondaryMap<Reg, Option<Last>>,
    /// By register of the trace: its present copy.
    now: SecondaryMap<Reg, PackedOption<Reg>>,
    copies: u64,
}

impl Splitter {
    fn note(&mut self, r: Reg, inst: Inst) {
        self.last[r] = Some(Last { position: self.position, at: self.at, inst });
    }
    fn visit(&mut self, f: &mut Function, form: &TraceForm, i: Inst) {
        let mut read = Vec::new();
        f.for_each_use(i, |r| read.push(r));
        for r in read {
            let is_long = |last: &Last| self.position - last.position > LONG && !self.addresses.contains(r);
            if let Some(last) = self.last[r].filter(is_long) {
                self.split(f, form, r, last);
            }
            self.note(r, i);
        }
        self.rename(f, i);
    }
    fn rename(&self, f: &mut Function, i: Inst) {
        f.rewrite_uses(i, |u| Operand::reg(self.now[u.reg].expand().unwrap_or(u.reg)));
    }
    /// Copies a register after an instruction of the path.
    fn split(&mut self, f: &mut Function, form: &TraceForm, r: Reg, after: Last) {
        let first = |b: &Block| f.layout().first_inst(*b);
        let mut before = f.layout().next_inst(after.inst).or_else(|| form.path.get(after.at + 1).and_then(first));
        while let Some(i) = before.filter(|i| f.inst(*i).op.format() == Format::Phi) {
            before = f.layout().next_inst(i);
        }
        let Some(before) = before else { return };
        let (copy, loc) = (f.new_reg_like(r), f.debug_loc(before));
        let source = self.now[r].expand().unwrap_or(r);
        f.insert_before_at(before, InstData::move_of(f.type_of(r), Operand::reg(source)).with_result(copy), loc);
        self.now[r] = copy.into();
        self.copies += 1;
    }
}
