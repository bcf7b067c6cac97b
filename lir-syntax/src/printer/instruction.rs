//! Instructions in canonical text, by the format of their opcode.

use super::literal::{print_constant, print_decimal, print_integer};
use super::{FunctionPrinter, print_agg, print_ext, print_type, separate};
use crate::ir::{
    Agg, Base, Block, CallArg, CallResult, Comparison, Inst, InstData, InstView, IntCC, Mem, Operand, OperandKind,
    Predicate, ResultRule, Type,
};

impl FunctionPrinter<'_> {
    /// Appends an instruction, without indentation and line end.
    pub fn inst(&self, i: Inst, out: &mut Vec<u8>) {
        let d = self.func.inst(i);
        if !matches!(d.op.info().result, ResultRule::None)
            && let Some(r) = d.result()
        {
            self.reg(r, out);
            out.extend_from_slice(b" = ");
        }
        out.extend_from_slice(d.op.mnemonic().as_bytes());
        if d.is_volatile() {
            out.extend_from_slice(b" volatile");
        }
        self.operands(i, d, out);
    }

    fn operands(&self, i: Inst, d: &InstData, out: &mut Vec<u8>) {
        match self.func.view(i) {
            InstView::Const(a) | InstView::Unary(a) => self.typed(d.ty, &[a], out),
            InstView::Binary(a, b) => self.typed(d.ty, &[a, b], out),
            InstView::Ternary(a, b, c) | InstView::Select { condition: a, then: b, otherwise: c } => {
                self.typed(d.ty, &[a, b, c], out)
            }
            InstView::Compare(c) => self.comparison(&c, out),
            InstView::Convert { value, to } => {
                self.typed(d.ty, &[value], out);
                out.extend_from_slice(b" to ");
                print_type(to, out);
            }
            InstView::Address(mem) | InstView::MemOnly(mem) => self.mem_after_blank(mem, out),
            InstView::Load(mem) => {
                self.type_after_blank(d.ty, out);
                self.mem_after_blank(mem, out);
            }
            InstView::Store { mem, value } => {
                self.type_after_blank(d.ty, out);
                self.mem_after_blank(mem, out);
                self.next_operand(value, d.ty, out);
            }
            InstView::Alloca { size, alignment } => {
                out.push(b' ');
                self.operand(size, Type::I64, out);
                out.extend_from_slice(b", ");
                print_decimal(alignment, out);
            }
            InstView::Nullary | InstView::Stop | InstView::Return(None) => {}
            InstView::Consume(a) => {
                out.push(b' ');
                self.operand(a, Type::I64, out);
            }
            InstView::MemCopy { to, from, length } => {
                self.mem_pair(to, from, out);
                self.next_operand(length, Type::I64, out);
            }
            InstView::MemFill { to, byte, length } => {
                self.mem_after_blank(to, out);
                self.next_operand(byte, Type::I8, out);
                self.next_operand(length, Type::I64, out);
            }
            InstView::MemPair { to, from } => self.mem_pair(to, from, out),
            InstView::AggMemPair { agg, to, from } => {
                self.agg_after_blank(agg, out);
                self.mem_pair(to, from, out);
            }
            InstView::AggReturn { agg, mem } => {
                self.agg_after_blank(agg, out);
                self.mem_after_blank(mem, out);
            }
            InstView::Return(Some(value)) => {
                out.push(b' ');
                self.operand(value, d.ty, out);
            }
            InstView::Call { callee } => self.call(i, callee, out),
            InstView::Phi => self.phi(i, d, out),
            InstView::Jump => self.targets(self.succs(i), b" ", out),
            InstView::Branch(c) => self.branch(&c, self.succs(i), out),
            InstView::Switch(a) => self.switch(i, a, d.ty, out),
        }
    }

    fn type_after_blank(&self, t: Type, out: &mut Vec<u8>) {
        out.push(b' ');
        print_type(t, out);
    }

    fn agg_after_blank(&self, agg: Agg, out: &mut Vec<u8>) {
        out.push(b' ');
        print_agg(self.decls, agg, out);
    }

    fn mem_after_blank(&self, mem: Mem, out: &mut Vec<u8>) {
        out.push(b' ');
        self.mem(mem, out);
    }

    fn mem_pair(&self, to: Mem, from: Mem, out: &mut Vec<u8>) {
        self.mem_after_blank(to, out);
        out.push(b',');
        self.mem_after_blank(from, out);
    }

    fn next_operand(&self, o: Operand, t: Type, out: &mut Vec<u8>) {
        out.extend_from_slice(b", ");
        self.operand(o, t, out);
    }

    /// The annotation and the operands; constants among them are of the annotated type.
    fn typed(&self, t: Type, operands: &[Operand], out: &mut Vec<u8>) {
        self.type_after_blank(t, out);
        for (k, o) in operands.iter().enumerate() {
            out.extend_from_slice(if k == 0 { b" " } else { b", " });
            self.operand(*o, t, out);
        }
    }

    fn operand(&self, o: Operand, t: Type, out: &mut Vec<u8>) {
        match o.kind() {
            OperandKind::Reg(r) => self.reg(r, out),
            OperandKind::Small(_) | OperandKind::Pool(_) => {
                print_constant(t, self.func.constant(o).expect("the operand is a constant"), out)
            }
            OperandKind::Sym(s) => self.sym(s, out),
            OperandKind::Obj(o) => self.obj(o, out),
            OperandKind::None => {}
        }
    }

    fn comparison(&self, c: &Comparison, out: &mut Vec<u8>) {
        out.push(b' ');
        out.extend_from_slice(c.predicate.name().as_bytes());
        self.typed(c.ty, &[c.a, c.b], out);
    }

    /// `[base + index*scale + disp]`, absent parts left out. A scale of 1 is not written.
    pub fn mem(&self, mem: Mem, out: &mut Vec<u8>) {
        out.push(b'[');
        match mem.base {
            Base::None => {}
            Base::Reg(r) => self.reg(r, out),
            Base::Sym(s) => self.sym(s, out),
            Base::Obj(o) => self.obj(o, out),
        }
        let mut absent = matches!(mem.base, Base::None);
        if let Some(index) = mem.index {
            if !absent {
                out.extend_from_slice(b" + ");
            }
            self.reg(index, out);
            if mem.scale != 1 {
                out.push(b'*');
                print_decimal(mem.scale as u64, out);
            }
            absent = false;
        }
        if absent {
            print_integer(mem.disp as i64, out);
        } else if mem.disp != 0 {
            out.extend_from_slice(if mem.disp < 0 { b" - " } else { b" + " });
            print_decimal(mem.disp.unsigned_abs() as u64, out);
        }
        out.push(b']');
    }

    /// Argument types are written where no signature gives them: in indirect calls and after `...`.
    fn call(&self, i: Inst, callee: Operand, out: &mut Vec<u8>) {
        match self.func.call_result(i) {
            CallResult::None => {}
            CallResult::Scalar(t, _) => self.type_after_blank(t, out),
            CallResult::Agg(agg, mem) => {
                self.agg_after_blank(agg, out);
                self.mem_after_blank(mem, out);
                out.push(b',');
            }
        }
        out.push(b' ');
        self.operand(callee, Type::I64, out);
        let indirect = callee.is_reg();
        let (fixed, variadic) = self.func.call_fixed(i);
        let args = self.func.call_args(i);
        // A direct call without variable arguments needs no `...`; of an indirect one it is part of the convention.
        let dots = variadic && (indirect || args.len() > fixed);
        out.push(b'(');
        for (k, arg) in args.enumerate() {
            separate(k, out);
            if dots && k == fixed {
                out.extend_from_slice(b"..., ");
            }
            match arg {
                CallArg::Reg(r, ext) => {
                    if indirect || k >= fixed {
                        print_type(self.func.type_of(r), out);
                        print_ext(ext, out);
                        out.push(b' ');
                    }
                    self.reg(r, out);
                }
                CallArg::Agg(agg, mem) => {
                    print_agg(self.decls, agg, out);
                    self.mem_after_blank(mem, out);
                }
            }
        }
        let count = self.func.call_args(i).len();
        if dots && count == fixed {
            separate(count, out);
            out.extend_from_slice(b"...");
        }
        out.push(b')');
    }

    fn phi(&self, i: Inst, d: &InstData, out: &mut Vec<u8>) {
        self.type_after_blank(d.ty, out);
        for (k, (pred, value)) in self.func.phi_entries(i).enumerate() {
            out.extend_from_slice(if k == 0 { b" [" } else { b", [" });
            self.operand(value, d.ty, out);
            out.extend_from_slice(b", ");
            self.block(pred, out);
            out.push(b']');
        }
    }

    /// The targets of a terminator; an instruction that stands in no block prints without them.
    fn succs(&self, i: Inst) -> &[Block] {
        self.func.layout().block_of(i).map_or(&[][..], |b| self.func.succs(b))
    }

    fn targets(&self, blocks: &[Block], before: &[u8], out: &mut Vec<u8>) {
        for b in blocks {
            out.extend_from_slice(before);
            self.block(*b, out);
        }
    }

    fn branch(&self, c: &Comparison, targets: &[Block], out: &mut Vec<u8>) {
        if c.predicate == Predicate::Int(IntCC::Ne) && c.second_constant(self.func) == Some(0) {
            out.push(b' ');
            self.operand(c.a, c.ty, out);
        } else {
            self.comparison(c, out);
        }
        self.targets(targets, b", ", out);
    }

    fn switch(&self, i: Inst, tested: Operand, t: Type, out: &mut Vec<u8>) {
        self.typed(t, &[tested], out);
        let (default, cases) = self.succs(i).split_at(self.succs(i).len().min(1));
        self.targets(default, b", ", out);
        out.extend_from_slice(b" [");
        for (k, (value, target)) in self.func.switch_cases(i).zip(cases).enumerate() {
            separate(k, out);
            self.operand(value, t, out);
            out.extend_from_slice(b": ");
            self.block(*target, out);
        }
        out.push(b']');
    }
}
