//! Emits the checks of promises: about an instruction's operands and result, and about parameters.

use super::super::accesses::derivation::{Derivation, Readers};
use super::super::accesses::{ClaimCode, LimitCode, SetsCode, Writes};
use super::super::code::{Code, NO_SLOT, Op, PromisedValue, Slot};
use super::Decoder;
use lir_syntax::ir::{
    Attrs, CallArg, CallResult, Comparison, Format, Inst, InstData, InstView, Mem, Opcode, Operand, Reg, Type,
    VA_LIST_SIZE, ValuePromises,
};
use lir_syntax::printer::{FunctionPrinter, printed};

/// The bytes of an access.
#[derive(Copy, Clone)]
enum Size {
    Constant(u64),
    Slot(Slot),
}

impl Decoder<'_> {
    /// Emits the checks before an instruction.
    #[inline]
    pub(super) fn checks(&mut self, i: Inst) {
        let d = *self.f.inst(i);
        if !d.promises().is_empty() {
            self.promise(d);
        }
        if self.derivations.is_some() {
            self.note_accesses(i);
        }
        if self.notes_sets {
            self.note_sets(i);
        }
    }

    /// Emits the check of an instruction's promises.
    fn promise(&mut self, d: InstData) {
        let a = self.operand(d.first(), d.ty);
        let b = if d.op.format() == Format::Binary { self.operand(d.second(), d.ty) } else { a };
        let imm = d.promises().to_bits().into();
        self.emit_op(Op { code: Code::Promise, op: d.op, ty: d.ty, aux: 0, dst: 0, a, b, imm });
    }

    /// Emits the check of the promises about the result of an instruction, after it.
    #[inline]
    pub(super) fn result_promises(&mut self, i: Inst) {
        let promises = self.f.value_promises(i);
        if !promises.is_empty()
            && let Some(r) = self.f.def(i)
        {
            let what = format!("the result of `{}`", self.f.inst(i).op.mnemonic());
            self.value_promises(r, promises, what);
        }
    }
    fn value_promises(&mut self, r: Reg, promises: ValuePromises, what: String) {
        let ty = self.f.type_of(r);
        self.code.values.push(PromisedValue { promises, ty, what: what.into() });
        let number = self.code.values.len() as u64 - 1;
        self.emit(Code::ValuePromise, 0, r.as_u32(), 0, number);
    }

    /// Emits the check of an `assume`.
    pub(super) fn assume(&mut self, d: InstData, c: Comparison) {
        let (a, b) = (self.operand(c.a, c.ty), self.operand(c.b, c.ty));
        self.emit_op(Op { code: Code::Assume, op: d.op, ty: c.ty, aux: d.aux(), dst: 0, a, b, imm: 0 });
    }

    /// Emits the checks of the promises about parameters.
    pub(super) fn promises_at_entry(&mut self) {
        let func = String::from_utf8_lossy(&self.decls.syms[self.f.sym].name);
        for r in self.f.param_regs() {
            let promises = self.f.param_promises(r);
            if !promises.is_empty() {
                let param = String::from_utf8_lossy(self.f.names.get(self.f.regs[r].name));
                self.value_promises(r, promises, format!("`%{param}` of `@{func}`"));
            }
        }
        self.claims();
    }
    /// Emits the claims of the function's `noalias` parameters, and its limit.
    fn claims(&mut self) {
        let f = self.f;
        let Some(derivations) = &mut self.derivations else { return };
        let func = String::from_utf8_lossy(&self.decls.syms[f.sym].name);
        let attrs = self.decls.signature(f.sym).map_or(Attrs::NONE, |sig| sig.attrs);
        self.code.limit = LimitCode::of(attrs, &func);
        let params: Vec<Reg> = f.param_regs().filter(|r| f.is_noalias(*r)).collect();
        if params.is_empty() {
            if self.code.limit.is_some() {
                self.emit(Code::Claim, 0, 0, 0, 0);
            }
            return;
        }
        let readers = Readers::new(f);
        derivations.extend(params.into_iter().map(|r| Derivation::of(f, &readers, r)));
        let claim = |d: &Derivation| {
            let param = String::from_utf8_lossy(f.names.get(f.regs[d.param()].name));
            ClaimCode { name: format!("`%{param}` of `@{func}`").into(), escapes: d.escapes }
        };
        self.code.claims = derivations.iter().map(claim).collect();
        self.emit(Code::Claim, 0, 0, 0, 0);
    }

    /// Emits notes of the accesses of an instruction, for the claims of the calls that are active then.
    fn note_accesses(&mut self, i: Inst) {
        let (f, decls) = (self.f, self.decls);
        let d = *f.inst(i);
        let (value, list) = (Size::Constant(d.ty.bytes().into()), Size::Constant(VA_LIST_SIZE));
        let aggregate = |agg: lir_syntax::ir::Agg| Size::Constant(decls.types[agg].size);
        match f.view(i) {
            InstView::Load(m) if d.op == Opcode::VaArg => self.note(m, list, Writes::Yes),
            InstView::Load(m) | InstView::AtomicLoad(m) => self.note(m, value, Writes::No),
            InstView::Store { mem, .. } => self.note(mem, value, Writes::Yes),
            InstView::AtomicStore { mem, .. } | InstView::AtomicUpdate { mem, .. } => {
                self.note(mem, value, Writes::Yes)
            }
            InstView::AtomicExchange { mem, .. } => self.note(mem, value, Writes::Perhaps),
            InstView::MemCopy { to, from, length } => {
                let size = self.size(length);
                self.note(from, size, Writes::No);
                self.note(to, size, Writes::Yes);
            }
            InstView::MemFill { to, length, .. } => {
                let size = self.size(length);
                self.note(to, size, Writes::Yes);
            }
            InstView::MemOnly(m) if d.op == Opcode::VaStart => self.note(m, list, Writes::Yes),
            InstView::MemPair { to, from } => {
                self.note(from, list, Writes::No);
                self.note(to, list, Writes::Yes);
            }
            InstView::AggMemPair { agg, to, from } => {
                self.note(from, list, Writes::Yes);
                self.note(to, aggregate(agg), Writes::Yes);
            }
            InstView::Call { .. } => {
                for arg in f.call_args(i) {
                    if let CallArg::Agg(agg, m) = arg {
                        self.note(m, aggregate(agg), Writes::No);
                    }
                }
                if let CallResult::Agg(agg, m) = f.call_result(i) {
                    self.note(m, aggregate(agg), Writes::Yes);
                }
            }
            InstView::AggReturn { agg, mem } => self.note(mem, aggregate(agg), Writes::No),
            _ => {}
        }
    }
    /// Emits the note of an access that is in sets.
    fn note_sets(&mut self, i: Inst) {
        let (f, decls) = (self.f, self.decls);
        let sets = f.noalias_sets(i);
        let (mem, writes) = match f.view(i) {
            InstView::Load(m) => (m, Writes::No),
            InstView::Store { mem, .. } => (mem, Writes::Yes),
            _ => return,
        };
        if sets.is_empty() {
            return;
        }
        let text = printed(|out| FunctionPrinter::new(decls, f).inst(i, out)).into();
        self.code.sets.push(SetsCode { sets: sets.into(), ty: f.inst(i).ty, writes, text });
        let (a, number) = (self.mem(mem), self.code.sets.len() as u64 - 1);
        self.emit(Code::Sets, 0, a, 0, number);
    }
    fn size(&mut self, length: Operand) -> Size {
        match self.bits(length, Type::I64) {
            Some(bytes) => Size::Constant(bytes),
            None => Size::Slot(self.operand(length, Type::I64)),
        }
    }
    fn note(&mut self, m: Mem, size: Size, writes: Writes) {
        let made = self.derivations.iter().flatten().map(|d| d.made(m)).collect();
        self.code.made.push(made);
        let dst = self.code.made.len() as u32 - 1;
        let a = self.mem(m);
        let (b, imm) = match size {
            Size::Constant(bytes) => (NO_SLOT, bytes),
            Size::Slot(slot) => (slot, 0),
        };
        self.emit_op(Op { code: Code::Note, op: Opcode::Lea, ty: Type::I64, aux: writes as u8, dst, a, b, imm });
    }
}
