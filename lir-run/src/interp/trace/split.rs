//! Splitting of lifetimes before a trace is assembled.
//!
//! A value that is not read for long gets a copy where it was read last, which the later reads read: so an
//! allocator that gives a value one place may give it two. One walk along the path. The addresses of the state and
//! of the slots are not copied: stores to them are recognised by their base ([`links`](super::links)). Tamarin
//! Tracing has such a step, guarded by `if (false)`; here it is off by default (`--trace-split`): instructions
//! executed by sha256 rise by 1.2 %, by nbody 0.6 %, by matmul 1.6 %, compiling included, with `bottom-up` as with
//! `one-pass` and `linear-scan`. These move a value between registers and memory where they need to, so that a copy
//! gives them nothing.

use lir_opt::analysis::trace_form::TraceForm;
use lir_syntax::ir::{Block, Format, Function, Inst, InstData, Operand, PackedOption, Param, Reg, SecondaryMap};

/// Instructions of the path without a read, beyond which a lifetime is split.
const LONG: u32 = 24;

/// Splits lifetimes in a trace; returns how many.
pub(super) fn split_lifetimes(f: &mut Function) -> u64 {
    let Ok(form) = TraceForm::of(f) else { return 0 };
    let params = f.params.iter().filter_map(|p| if let Param::Reg(r) = p { Some(*r) } else { None });
    let mut splitter = Splitter { addresses: params.take(2).collect(), ..Splitter::default() };
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

/// An instruction of the path.
#[derive(Copy, Clone)]
struct Last {
    /// The number of those before it.
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
    /// The state and the slots: the first parameters.
    addresses: Vec<Reg>,
    /// By register of the trace: what read or assigned it last.
    last: SecondaryMap<Reg, Option<Last>>,
    /// The copy that stands for it now.
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
            let is_long = |last: &Last| self.position - last.position > LONG && !self.addresses.contains(&r);
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
    /// Copies a register behind an instruction of the path.
    fn split(&mut self, f: &mut Function, form: &TraceForm, r: Reg, behind: Last) {
        let first = |b: &Block| f.layout().first_inst(*b);
        let mut before = f.layout().next_inst(behind.inst).or_else(|| form.path.get(behind.at + 1).and_then(first));
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
