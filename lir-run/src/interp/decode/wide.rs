//! Instructions on i128: two slots for each register, and one operation for both halves where they depend on each
//! other.

use super::{Decoder, EdgeMove, Patch};
use crate::interp::code::{Code, Halves, NO_SLOT, Op, ReturnCode, Slot, WideCode};
use lir_syntax::ir::{Block, Inst, InstData, InstView, IntCC, Mem, Opcode, Operand, Predicate, Type};

/// The bytes of a half.
const HALF: i32 = 8;

impl Decoder<'_> {
    /// Gives the registers of type i128 slots for their high halves, and each function with one a slot for conditions.
    pub(super) fn high_halves(&mut self) {
        let mut next = self.f.num_regs() as Slot;
        for (r, data) in self.f.regs.iter() {
            if data.ty == Type::I128 {
                self.code.high.insert(r.as_u32(), next);
                next += 1;
            }
        }
        self.condition = next;
        next += u32::from(!self.code.high.is_empty());
        self.written = vec![0; next as usize];
        self.code.slots = self.code.slots.max(next as usize);
    }
    pub(super) fn collect_wide_move(&mut self, (pred, succ): (Block, Block), dst: Slot, o: Operand) {
        let (dst, src) = ([dst, self.code.high[&dst]], self.halves(o));
        for k in (0..2).filter(|k| dst[*k] != src[*k]) {
            self.moves.push(EdgeMove { pred, succ, dst: dst[k], src: src[k] });
        }
    }
    /// Returns the slots of the result of an instruction; none if it is not read.
    pub(super) fn result_halves(&self, i: Inst) -> Halves {
        self.f.def(i).map_or([NO_SLOT; 2], |r| self.code.halves(r))
    }
    /// True if an instruction other than a call reads an i128, or gives one.
    pub(super) fn is_wide(&self, i: Inst) -> bool {
        let d = self.f.inst(i);
        match self.f.view(i) {
            InstView::Convert { to, .. } => d.ty == Type::I128 || to == Type::I128,
            InstView::Select { condition, .. } => d.ty == Type::I128 || self.is_wide_register(condition),
            InstView::Call { .. } => false,
            InstView::Return(Some(_)) => self.code.result == ReturnCode::Wide,
            _ => d.ty == Type::I128,
        }
    }
    fn is_wide_register(&self, o: Operand) -> bool {
        o.as_reg().is_some_and(|r| self.code.high.contains_key(&r.as_u32()))
    }
    /// Returns the slots of an operand of type i128.
    fn halves(&mut self, o: Operand) -> Halves {
        match (o.as_reg(), self.f.wide_constant(o)) {
            (Some(r), _) => self.code.halves(r),
            (None, Some(value)) => [value as u64, (value >> 64) as u64].map(|bits| self.constant(bits)),
            (None, None) => [NO_SLOT; 2],
        }
    }

    pub(super) fn wide(&mut self, b: Block, i: Inst) {
        let (d, dst) = (*self.f.inst(i), self.result_halves_of_any(i));
        match self.f.view(i) {
            InstView::Phi => {}
            InstView::Const(a) | InstView::Unary(a) if d.op != Opcode::Neg && d.op != Opcode::Not => {
                let a = self.halves(a);
                (0..2).for_each(|k| self.move_half(dst[k], a[k]));
            }
            InstView::Unary(a) => self.wide_value((d.op, IntCC::Eq), dst, a, a),
            InstView::Binary(a, second) => self.wide_value((d.op, IntCC::Eq), dst, a, second),
            InstView::Compare(c) => self.wide_value((d.op, int_predicate(c.predicate)), dst, c.a, c.b),
            InstView::Select { condition, then, otherwise } => self.wide_select(d, dst, condition, [then, otherwise]),
            InstView::Convert { value, to } => self.wide_conversion(d, dst, value, to),
            InstView::Load(mem) => {
                for (half, k) in dst.into_iter().zip(0..) {
                    self.half_access(mem, k, half, [Code::LoadFrame, Code::LoadReg, Code::LoadMem], 0);
                }
            }
            InstView::Store { mem, value } => {
                for (half, k) in self.halves(value).into_iter().zip(0..) {
                    self.half_access(mem, k, 0, [Code::StoreFrame, Code::StoreReg, Code::StoreMem], half);
                }
            }
            InstView::Branch(c) => {
                let condition = self.condition;
                self.wide_value((Opcode::Icmp, int_predicate(c.predicate)), [condition, NO_SLOT], c.a, c.b);
                self.branch_on_condition(b);
            }
            InstView::Return(_) if self.never_returns() => {
                self.emit(Code::Unreachable, 0, 0, 0, 0);
            }
            InstView::Return(Some(value)) => {
                let [low, high] = self.halves(value);
                self.emit(Code::RetWide, 0, low, high, 0);
            }
            _ => unreachable!("`{}` has no form for i128", d.op.mnemonic()),
        }
    }
    /// Returns the slots of a result, the second one for an i128 alone.
    fn result_halves_of_any(&self, i: Inst) -> Halves {
        match self.f.def(i) {
            Some(r) if self.f.type_of(r) != Type::I128 => [r.as_u32(), NO_SLOT],
            _ => self.result_halves(i),
        }
    }
    /// Emits a copy of a half. Not by [`Code::Move`], which is a phi's on an edge to the one that steps through a
    /// program.
    fn move_half(&mut self, dst: Slot, src: Slot) {
        self.word(InstData::new(Opcode::Copy, Type::I64), dst, [src; 3]);
    }
    fn wide_value(&mut self, (op, predicate): (Opcode, IntCC), dst: Halves, a: Operand, b: Operand) {
        let (a, b) = (self.halves(a), self.halves(b));
        self.code.wides.push(WideCode { op, predicate, dst, a, b });
        self.emit(Code::Wide, 0, 0, 0, self.code.wides.len() as u64 - 1);
    }
    /// Emits an operation on words.
    fn word(&mut self, d: InstData, dst: Slot, [a, b, c]: [Slot; 3]) {
        let (op, ty, aux) = (d.op, d.ty, d.aux());
        self.emit_op(Op { code: Code::Value, op, ty, aux, dst, a, b, imm: c as u64 });
    }
    fn wide_select(&mut self, d: InstData, dst: Halves, condition: Operand, values: [Operand; 2]) {
        let mut tested = self.operand(condition, Type::I64);
        if self.is_wide_register(condition) {
            let [low, high] = self.halves(condition);
            tested = self.condition;
            self.word(InstData::new(Opcode::Or, Type::I64), tested, [low, high, low]);
        }
        if d.ty != Type::I128 {
            let [then, otherwise] = values.map(|o| self.operand(o, d.ty));
            return self.word(d, dst[0], [tested, then, otherwise]);
        }
        let [then, otherwise] = values.map(|o| self.halves(o));
        for k in 0..2 {
            self.word(d.with_type(Type::I64), dst[k], [tested, then[k], otherwise[k]]);
        }
    }
    fn wide_conversion(&mut self, d: InstData, [low, high]: Halves, value: Operand, to: Type) {
        let value = value.as_reg().expect("a converted value is a register").as_u32();
        if to != Type::I128 {
            return match to {
                Type::I64 => self.move_half(low, value),
                _ => self.word(InstData::convert(d.op, Type::I64, to, Operand::NONE), low, [value; 3]),
            };
        }
        match d.ty {
            Type::I64 => self.move_half(low, value),
            from => self.word(InstData::convert(d.op, from, Type::I64, Operand::NONE), low, [value; 3]),
        }
        if d.op == Opcode::Sext {
            let amount = self.constant(63);
            self.word(InstData::new(Opcode::Ashr, Type::I64), high, [low, amount, low]);
        } else {
            self.emit(Code::Const, high, 0, 0, 0);
        }
    }
    /// Emits the load or store of one half.
    fn half_access(&mut self, mem: Mem, half: i32, dst: Slot, codes: [Code; 3], value: Slot) {
        match mem.disp.checked_add(HALF * half) {
            Some(disp) => self.access(Mem { disp, ..mem }, Type::I64, dst, codes, value),
            None => {
                let at = self.mem(mem);
                let offset = &mut self.code.mems[at as usize].offset;
                *offset = offset.wrapping_add((HALF * half) as u64);
                let (op, ty, aux) = (Opcode::Load, Type::I64, HALF as u8);
                self.emit_op(Op { code: codes[2], op, ty, aux, dst, a: 0, b: value, imm: at as u64 });
            }
        }
    }
    fn branch_on_condition(&mut self, b: Block) {
        let (op, ty, aux) = (Opcode::Br, Type::I8, IntCC::Ne as u8);
        let at = self.emit_op(Op { code: Code::BranchImm, op, ty, aux, dst: 0, a: self.condition, b: 0, imm: 0 });
        let succs = self.f.succs(b);
        self.patches.extend([(Patch::Dst(at), b, succs[0]), (Patch::B(at), b, succs[1])]);
    }
}

fn int_predicate(predicate: Predicate) -> IntCC {
    predicate.as_int().expect("integers are compared by integer predicates")
}
