//! Instructions in canonical text, by the format of their opcode.

use super::literal::{print_constant, print_decimal, print_integer, print_wide};
use super::{
    FunctionPrinter, print_access_type, print_agg, print_ext, print_missing, print_promises, print_type, separate,
};
use crate::ir::{
    Agg, Base, Block, CallArg, CallResult, EntityRef, Format, Inst, InstData, IntCC, Mem, NoaliasSet, Operand,
    OperandKind, ResultRule, TailMark, Type,
};

/// Appends the sets of an access.
#[cold]
fn print_noalias_sets(sets: &[NoaliasSet], out: &mut Vec<u8>) {
    out.extend_from_slice(b" noalias ");
    for (k, NoaliasSet { scope, set }) in sets.iter().enumerate() {
        separate(k, out);
        print_decimal(u64::from(*scope), out);
        out.push(b'.');
        print_decimal(u64::from(*set), out);
    }
}

/// Appends the weights of a terminator's targets.
#[cold]
fn print_weights(weights: &[u32], out: &mut Vec<u8>) {
    out.extend_from_slice(b" weights ");
    for (k, weight) in weights.iter().enumerate() {
        separate(k, out);
        print_decimal(u64::from(*weight), out);
    }
}

impl FunctionPrinter<'_> {
    /// Appends an instruction, without indentation and line end.
    pub fn inst(&self, i: Inst, out: &mut Vec<u8>) {
        if !self.func.is_readable(i) {
            return self.unreadable(i, out);
        }
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
        for promise in d.promises().names() {
            out.push(b' ');
            out.extend_from_slice(promise.as_bytes());
        }
        self.orders(d, out);
        self.operands(i, d, out);
        if let Some(access_type) = self.func.access_type(i) {
            out.extend_from_slice(b" as ");
            print_access_type(self.decls, access_type, out);
        }
        if self.func.may_have_noalias_sets() && self.func.noalias_list(i).is_some() {
            print_noalias_sets(self.func.noalias_sets(i), out);
        }
        let promises = self.func.value_promises(i);
        if !promises.is_empty() {
            // A call has the type of its result in its record.
            let ty = d.result().and_then(|r| self.func.regs.get(r)).map_or(d.ty, |r| r.ty);
            print_promises(promises, ty, out);
        }
        if let Some(weights) = self.func.branch_weights(i) {
            print_weights(weights, out);
        }
    }

    /// The words of an atomic operation.
    #[inline]
    fn orders(&self, d: &InstData, out: &mut Vec<u8>) {
        let Some(order) = d.order() else { return };
        let mut word = |name: &str| {
            out.push(b' ');
            out.extend_from_slice(name.as_bytes());
        };
        if d.op.format() == Format::AtomicUpdate {
            word(d.rmw_op().name());
        }
        word(order.name());
        if d.op.format() == Format::AtomicExchange
            && let Some(failure) = d.failure_order()
        {
            word(failure.name());
        }
    }

    /// An instruction whose operands are none of the function's: described as far as possible, not as text.
    #[cold]
    fn unreadable(&self, i: Inst, out: &mut Vec<u8>) {
        if i.index() < self.func.num_insts() {
            out.extend_from_slice(self.func.inst(i).op.mnemonic().as_bytes());
            out.push(b' ');
        }
        print_missing(i, out);
    }

    #[inline]
    fn operands(&self, i: Inst, d: &InstData, out: &mut Vec<u8>) {
        let f = self.func;
        match d.op.format() {
            Format::Const | Format::Unary => self.typed(d.ty, &[d.first()], out),
            Format::Binary => self.typed(d.ty, &[d.first(), d.second()], out),
            Format::Ternary | Format::Select => {
                let (b, c) = f.operands_bc(i);
                self.typed(d.ty, &[d.first(), b, c], out);
            }
            Format::Compare | Format::Assume => self.comparison(d, out),
            Format::Convert => {
                self.typed(d.ty, &[d.first()], out);
                out.extend_from_slice(b" to ");
                print_type(d.to_type(), out);
            }
            Format::Address | Format::MemOnly => self.mem_after_blank(f.mem(i), out),
            Format::Load | Format::AtomicLoad => {
                self.type_after_blank(d.ty, out);
                self.mem_after_blank(f.mem(i), out);
            }
            Format::AtomicUpdate => {
                self.type_after_blank(d.ty, out);
                self.mem_after_blank(f.mem_dst(i), out);
                self.next_operand(d.second(), d.ty, out);
            }
            Format::AtomicExchange => {
                let (expected, new) = f.operands_bc(i);
                self.type_after_blank(d.ty, out);
                self.mem_after_blank(f.mem_dst(i), out);
                self.next_operand(expected, d.ty, out);
                self.next_operand(new, d.ty, out);
            }
            Format::Store | Format::AtomicStore => {
                self.type_after_blank(d.ty, out);
                self.mem_after_blank(f.mem(i), out);
                self.next_operand(d.stored(), d.ty, out);
            }
            Format::Alloca => {
                self.operand_after_blank(d.first(), Type::I64, out);
                out.extend_from_slice(b", ");
                print_decimal(d.alignment(), out);
            }
            Format::Nullary | Format::Stop | Format::Fence => {}
            Format::Consume => self.operand_after_blank(d.first(), Type::I64, out),
            Format::MemCopy => {
                self.mem_pair(i, out);
                self.next_operand(d.length(), Type::I64, out);
            }
            Format::MemFill => {
                self.mem_after_blank(f.mem_dst(i), out);
                self.next_operand(d.second(), Type::I8, out);
                self.next_operand(d.length(), Type::I64, out);
            }
            Format::MemPair => self.mem_pair(i, out),
            Format::AggMemPair => {
                self.agg_after_blank(d.agg(), out);
                self.mem_pair(i, out);
            }
            Format::AggReturn => {
                self.agg_after_blank(d.agg(), out);
                self.mem_after_blank(f.mem(i), out);
            }
            Format::Return if d.first().is_none() => {}
            Format::Return => self.operand_after_blank(d.first(), d.ty, out),
            Format::Call => self.call(i, d, out),
            Format::Phi => self.phi(i, d, out),
            Format::Jump => self.jump(self.succs(i), out),
            Format::Branch => self.branch(d, self.succs(i), out),
            Format::Switch => self.switch(i, d, out),
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

    fn mem_pair(&self, i: Inst, out: &mut Vec<u8>) {
        self.mem_after_blank(self.func.mem_dst(i), out);
        out.push(b',');
        self.mem_after_blank(self.func.mem_src(i), out);
    }

    fn operand_after_blank(&self, o: Operand, t: Type, out: &mut Vec<u8>) {
        out.push(b' ');
        self.operand(o, t, out);
    }

    fn next_operand(&self, o: Operand, t: Type, out: &mut Vec<u8>) {
        out.extend_from_slice(b", ");
        self.operand(o, t, out);
    }

    /// Prints the annotation and the operands; constants among them are of the annotated type.
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
            OperandKind::Small(_) | OperandKind::Pool(_) => match self.func.constant(o) {
                Some(payload) => print_constant(t, payload, out),
                None => print_missing(o, out),
            },
            OperandKind::WidePool(_) => match self.func.wide_constant(o) {
                Some(value) => print_wide(value, out),
                None => print_missing(o, out),
            },
            OperandKind::Sym(s) => self.sym(s, out),
            OperandKind::Obj(o) => self.obj(o, out),
            OperandKind::None => {}
        }
    }

    fn comparison(&self, d: &InstData, out: &mut Vec<u8>) {
        out.push(b' ');
        out.extend_from_slice(d.predicate().name().as_bytes());
        self.typed(d.ty, &[d.first(), d.second()], out);
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

    /// Argument types are written if no signature gives them: in indirect calls and after `...`.
    fn call(&self, i: Inst, d: &InstData, out: &mut Vec<u8>) {
        let callee = d.first();
        if d.tail_mark() != TailMark::None {
            out.push(b' ');
            out.extend_from_slice(d.tail_mark().name().as_bytes());
        }
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
        // A direct call without variable arguments needs no `...`; in an indirect one it is part of the convention.
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
                        if let Some(data) = self.func.regs.get(r) {
                            print_type(data.ty, out);
                        }
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

    /// Returns the targets of a terminator; an instruction that is in no block prints without them.
    fn succs(&self, i: Inst) -> &[Block] {
        self.func.layout().block_of(i).map_or(&[][..], |b| self.func.succs(b))
    }

    fn jump(&self, targets: &[Block], out: &mut Vec<u8>) {
        for b in targets {
            out.push(b' ');
            self.block(*b, out);
        }
    }

    fn branch(&self, d: &InstData, targets: &[Block], out: &mut Vec<u8>) {
        if d.ty.is_int() && d.predicate() == IntCC::Ne.into() && self.func.constant(d.second()) == Some(0) {
            self.operand_after_blank(d.first(), d.ty, out);
        } else {
            self.comparison(d, out);
        }
        self.next_targets(targets, out);
    }

    fn next_targets(&self, targets: &[Block], out: &mut Vec<u8>) {
        for b in targets {
            out.extend_from_slice(b", ");
            self.block(*b, out);
        }
    }

    fn switch(&self, i: Inst, d: &InstData, out: &mut Vec<u8>) {
        self.typed(d.ty, &[d.first()], out);
        let (default, cases) = self.succs(i).split_at(self.succs(i).len().min(1));
        self.next_targets(default, out);
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
