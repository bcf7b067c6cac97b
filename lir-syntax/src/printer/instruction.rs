//! Instructions in canonical text, by the format of their opcode.

use super::literal::{print_constant, print_decimal, print_integer};
use super::{FunctionPrinter, print_agg, print_ext, print_type, separate};
use crate::ir::{
    Base, CallArg, CallResult, FloatCC, Format, Inst, InstData, IntCC, Mem, Operand, OperandKind, ResultRule, Type,
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
        match d.op.format() {
            Format::Const => self.typed(d.ty, &[d.first()], out),
            Format::Unary => self.typed(d.ty, &[d.first()], out),
            Format::Binary => self.typed(d.ty, &[d.first(), d.second()], out),
            Format::Ternary => {
                let (b, c) = self.func.operands_bc(i);
                self.typed(d.ty, &[d.first(), b, c], out);
            }
            Format::Select => {
                let (a, b) = self.func.operands_bc(i);
                self.typed(d.ty, &[d.first(), a, b], out);
            }
            Format::Compare => {
                self.predicate(d, out);
                self.typed(d.ty, &[d.first(), d.second()], out);
            }
            Format::Convert => {
                self.typed(d.ty, &[d.first()], out);
                out.extend_from_slice(b" to ");
                print_type(d.to_type(), out);
            }
            Format::Address | Format::MemOnly => self.mem_after_blank(self.func.mem(i), out),
            Format::Load => {
                self.type_after_blank(d.ty, out);
                self.mem_after_blank(self.func.mem(i), out);
            }
            Format::Store => {
                self.type_after_blank(d.ty, out);
                self.mem_after_blank(self.func.mem(i), out);
                out.extend_from_slice(b", ");
                self.operand(d.stored(), d.ty, out);
            }
            Format::Alloca => {
                out.push(b' ');
                self.operand(d.first(), Type::I64, out);
                out.extend_from_slice(b", ");
                print_decimal(d.alignment(), out);
            }
            Format::Nullary | Format::Stop => {}
            Format::Consume => {
                out.push(b' ');
                self.operand(d.first(), Type::I64, out);
            }
            Format::MemCopy | Format::MemPair => {
                self.mem_after_blank(self.func.mem_dst(i), out);
                out.push(b',');
                self.mem_after_blank(self.func.mem_src(i), out);
                if d.op.format() == Format::MemCopy {
                    out.extend_from_slice(b", ");
                    self.operand(d.length(), Type::I64, out);
                }
            }
            Format::MemFill => {
                self.mem_after_blank(self.func.mem_dst(i), out);
                out.extend_from_slice(b", ");
                self.operand(d.second(), Type::I8, out);
                out.extend_from_slice(b", ");
                self.operand(d.length(), Type::I64, out);
            }
            Format::AggMemPair => {
                out.push(b' ');
                print_agg(self.decls, d.agg(), out);
                self.mem_after_blank(self.func.mem_dst(i), out);
                out.push(b',');
                self.mem_after_blank(self.func.mem_src(i), out);
            }
            Format::AggReturn => {
                out.push(b' ');
                print_agg(self.decls, d.agg(), out);
                self.mem_after_blank(self.func.mem(i), out);
            }
            Format::Return => {
                if !d.first().is_none() {
                    out.push(b' ');
                    self.operand(d.first(), d.ty, out);
                }
            }
            Format::Call => self.call(i, d, out),
            Format::Phi => self.phi(i, d, out),
            Format::Jump | Format::Branch | Format::Switch => self.branch(i, d, out),
        }
    }

    fn type_after_blank(&self, t: Type, out: &mut Vec<u8>) {
        out.push(b' ');
        print_type(t, out);
    }

    fn mem_after_blank(&self, mem: Mem, out: &mut Vec<u8>) {
        out.push(b' ');
        self.mem(mem, out);
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

    fn predicate(&self, d: &InstData, out: &mut Vec<u8>) {
        out.push(b' ');
        let name = if d.ty.is_int() { IntCC::name(d.int_cc()) } else { FloatCC::name(d.float_cc()) };
        out.extend_from_slice(name.as_bytes());
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
    fn call(&self, i: Inst, d: &InstData, out: &mut Vec<u8>) {
        match self.func.call_result(i) {
            CallResult::None => {}
            CallResult::Scalar(t, _) => self.type_after_blank(t, out),
            CallResult::Agg(agg, mem) => {
                out.push(b' ');
                print_agg(self.decls, agg, out);
                self.mem_after_blank(mem, out);
                out.push(b',');
            }
        }
        out.push(b' ');
        self.operand(d.first(), Type::I64, out);
        let indirect = d.first().is_reg();
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

    /// Terminators with targets; an instruction that stands in no block prints without them.
    fn branch(&self, i: Inst, d: &InstData, out: &mut Vec<u8>) {
        let succs = self.func.layout().block_of(i).map_or(&[][..], |b| self.func.succs(b));
        let cases = if d.op.format() == Format::Switch { &succs[succs.len().min(1)..] } else { &[] };
        match d.op.format() {
            Format::Branch if d.ty.is_int() && d.int_cc() == IntCC::Ne && self.func.constant(d.second()) == Some(0) => {
                out.push(b' ');
                self.operand(d.first(), d.ty, out);
            }
            Format::Branch => {
                self.predicate(d, out);
                self.typed(d.ty, &[d.first(), d.second()], out);
            }
            Format::Switch => self.typed(d.ty, &[d.first()], out),
            _ => {}
        }
        for (k, b) in succs[..succs.len() - cases.len()].iter().enumerate() {
            let first = k == 0 && d.op.format() == Format::Jump;
            out.extend_from_slice(if first { b" " } else { b", " });
            self.block(*b, out);
        }
        if d.op.format() == Format::Switch {
            out.extend_from_slice(b" [");
            for (k, (value, target)) in self.func.switch_cases(i).zip(cases).enumerate() {
                separate(k, out);
                self.operand(value, d.ty, out);
                out.extend_from_slice(b": ");
                self.block(*target, out);
            }
            out.push(b']');
        }
    }
}
