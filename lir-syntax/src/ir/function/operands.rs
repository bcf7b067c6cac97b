//! Reads and rewrites the operands of instructions.

use super::{CALL_HEADER, Function, Use};
use crate::ir::inst::{CallArg, CallInfo, CallResult, InstData};
use crate::ir::opcode::{Format, MemoryOperands, Opcode};
use crate::ir::operand::{Base, Mem, Operand, OperandKind};
use crate::ir::types::{Ext, Type};
use crate::ir::{Agg, Block, Comparison, EntityRef, Inst, Reg, Word};

impl Function {
    /// Returns the register that an instruction assigns.
    #[inline]
    pub fn def(&self, i: Inst) -> Option<Reg> {
        self.insts[i].result()
    }
    /// Returns the payload of a constant operand (see [`Type::constant_payload`]); none for other operands.
    #[inline]
    pub fn constant(&self, o: Operand) -> Option<i64> {
        match o.kind() {
            OperandKind::Small(n) => Some(n as i64),
            OperandKind::Pool(k) => self.consts.get(k as usize).copied(),
            OperandKind::WidePool(_) | OperandKind::Reg(_) => None,
            OperandKind::Sym(_) | OperandKind::Obj(_) | OperandKind::None => None,
        }
    }
    /// Returns the value of a constant operand of type i128; none for other operands.
    pub fn wide_constant(&self, o: Operand) -> Option<i128> {
        match o.kind() {
            OperandKind::WidePool(k) => self.wide_consts.get(k as usize).copied(),
            _ => self.constant(o).map(i128::from),
        }
    }
    /// Returns the bits of a constant operand of this width; none for other operands.
    #[inline]
    pub fn constant_bits(&self, o: Operand, w: Word) -> Option<u64> {
        self.constant(o).map(|payload| w.truncate(payload as u64))
    }
    /// Returns the memory operand of an instruction of format Address, Load, Store, AtomicLoad, AtomicStore, MemOnly or
    /// AggReturn.
    #[inline]
    pub fn mem(&self, i: Inst) -> Mem {
        let d = &self.insts[i];
        if d.flags & InstData::INDEXED != 0 {
            self.mems[d.a.to_bits() as usize]
        } else {
            Mem::base_disp(Base::from_operand(d.a), d.b.to_bits() as i32)
        }
    }
    /// Returns the first memory operand (the destination) of an instruction of format MemCopy, MemFill, MemPair,
    /// AggMemPair, or the only one of AtomicUpdate and AtomicExchange.
    pub fn mem_dst(&self, i: Inst) -> Mem {
        self.mems[self.insts[i].a.to_bits() as usize]
    }
    /// Returns the second memory operand (the source) of an instruction of format MemCopy, MemPair, AggMemPair.
    pub fn mem_src(&self, i: Inst) -> Mem {
        self.mems[self.insts[i].b.to_bits() as usize]
    }
    /// Returns the second and third operand of an instruction of format Ternary or Select, or the expected and the new
    /// value of AtomicExchange.
    #[inline]
    pub fn operands_bc(&self, i: Inst) -> (Operand, Operand) {
        let at = self.insts[i].b.to_bits() as usize;
        (Operand::from_bits(self.lists[at]), Operand::from_bits(self.lists[at + 1]))
    }
    /// Returns the entries of a phi.
    #[inline]
    pub fn phi_entries(&self, i: Inst) -> impl ExactSizeIterator<Item = (Block, Operand)> + '_ {
        debug_assert_eq!(self.insts[i].op, Opcode::Phi);
        let at = self.insts[i].b.to_bits() as usize;
        let n = self.lists[at] as usize;
        self.lists[at + 1..at + 1 + 2 * n].chunks_exact(2).map(|e| (Block::from_u32(e[0]), Operand::from_bits(e[1])))
    }
    /// Returns the case values of a switch, in the order of the successors after the first.
    pub fn switch_cases(&self, i: Inst) -> impl ExactSizeIterator<Item = Operand> + '_ {
        debug_assert_eq!(self.insts[i].op, Opcode::Switch);
        let at = self.insts[i].b.to_bits() as usize;
        let n = self.lists[at] as usize;
        self.lists[at + 1..at + 1 + n].iter().map(|&c| Operand::from_bits(c))
    }
    /// Returns the result of a call.
    #[inline]
    pub fn call_result(&self, i: Inst) -> CallResult {
        let at = self.insts[i].b.to_bits() as usize;
        let (kind, mem) = (self.lists[at + 2], self.lists[at + 3]);
        match kind & 3 {
            0 => CallResult::None,
            1 => CallResult::Scalar(Type::from_u8((kind >> 8) as u8), ext_from(kind >> 4 & 3)),
            _ => CallResult::Agg(Agg::new((kind >> 2) as usize), self.mems[mem as usize]),
        }
    }
    /// Returns the arguments of a call.
    #[inline]
    pub fn call_args(&self, i: Inst) -> impl ExactSizeIterator<Item = CallArg> + '_ {
        debug_assert_eq!(self.insts[i].op, Opcode::Call);
        let at = self.insts[i].b.to_bits() as usize;
        let n = (self.lists[at] >> 1) as usize;
        self.lists[at + CALL_HEADER..at + CALL_HEADER + 2 * n].chunks_exact(2).map(|e| {
            if e[0] & 4 != 0 {
                CallArg::Agg(Agg::new((e[0] >> 3) as usize), self.mems[e[1] as usize])
            } else {
                CallArg::Reg(Reg::from_u32(e[1]), ext_from(e[0]))
            }
        })
    }
    /// Returns the number of fixed arguments of a call, and whether its callee is variadic.
    pub fn call_fixed(&self, i: Inst) -> (usize, bool) {
        let at = self.insts[i].b.to_bits() as usize;
        (self.lists[at + 1] as usize, self.lists[at] & 1 != 0)
    }
    /// Returns a whole call, for passes that make a changed one.
    pub fn call_info(&self, i: Inst) -> CallInfo {
        let (fixed, variadic) = self.call_fixed(i);
        CallInfo { result: self.call_result(i), args: self.call_args(i).collect(), fixed: fixed as u32, variadic }
    }

    /// Calls `f` with every memory operand of an instruction, in operand order.
    #[inline]
    pub fn for_each_mem(&self, i: Inst, mut f: impl FnMut(Mem)) {
        match self.insts[i].op.format().memory() {
            MemoryOperands::None => {}
            MemoryOperands::InLine => f(self.mem(i)),
            MemoryOperands::Pooled => f(self.mem_dst(i)),
            MemoryOperands::TwoPooled => {
                f(self.mem_dst(i));
                f(self.mem_src(i));
            }
            MemoryOperands::OfCall => {
                if let CallResult::Agg(_, m) = self.call_result(i) {
                    f(m);
                }
                for a in self.call_args(i) {
                    if let CallArg::Agg(_, m) = a {
                        f(m);
                    }
                }
            }
        }
    }
    /// Calls `f` with every register that an instruction reads, phi entries included, in operand order.
    #[inline]
    pub fn for_each_use(&self, i: Inst, mut f: impl FnMut(Reg)) {
        let d = &self.insts[i];
        let mut op = |o: Operand| {
            if let Some(r) = o.as_reg() {
                f(r);
            }
        };
        match d.op.format() {
            Format::Const | Format::Nullary | Format::Jump | Format::Stop | Format::Fence => {}
            Format::Unary | Format::Convert | Format::Alloca | Format::Consume | Format::Switch | Format::Return => {
                op(d.a)
            }
            Format::Binary | Format::Compare | Format::Branch | Format::Assume => {
                op(d.a);
                op(d.b);
            }
            Format::Ternary | Format::Select => {
                op(d.a);
                let (b, c) = self.operands_bc(i);
                op(b);
                op(c);
            }
            Format::Address | Format::Load | Format::AtomicLoad | Format::MemOnly | Format::AggReturn => {
                if d.flags & InstData::INDEXED == 0 {
                    op(d.a);
                } else {
                    self.mem(i).regs().for_each(f);
                }
            }
            Format::Store | Format::AtomicStore => {
                if d.flags & InstData::INDEXED == 0 {
                    op(d.a);
                    op(d.dst);
                } else {
                    self.mem(i).regs().chain(d.dst.as_reg()).for_each(f);
                }
            }
            Format::MemCopy => self.mem_dst(i).regs().chain(self.mem_src(i).regs()).chain(d.dst.as_reg()).for_each(f),
            Format::MemFill => self.mem_dst(i).regs().chain(d.b.as_reg()).chain(d.dst.as_reg()).for_each(f),
            Format::MemPair | Format::AggMemPair => self.mem_dst(i).regs().chain(self.mem_src(i).regs()).for_each(f),
            Format::AtomicUpdate => self.mem_dst(i).regs().chain(d.b.as_reg()).for_each(f),
            Format::AtomicExchange => {
                let (expected, new) = self.operands_bc(i);
                self.mem_dst(i).regs().chain(expected.as_reg()).chain(new.as_reg()).for_each(f);
            }
            Format::Call => {
                op(d.a);
                if let CallResult::Agg(_, m) = self.call_result(i) {
                    m.regs().for_each(&mut f);
                }
                for a in self.call_args(i) {
                    match a {
                        CallArg::Reg(r, _) => f(r),
                        CallArg::Agg(_, m) => m.regs().for_each(&mut f),
                    }
                }
            }
            Format::Phi => self.phi_entries(i).for_each(|(_, o)| op(o)),
        }
    }

    /// Sets the memory operands of an instruction: as many as [`Function::for_each_mem`] visits, in that order.
    pub fn set_mems(&mut self, i: Inst, mems: &[Mem]) {
        self.inst_stamp += 1;
        let mut data = self.insts[i];
        let mut mems = mems.iter().copied();
        let mut next = || mems.next().expect("every memory operand is given");
        match data.op.format().memory() {
            MemoryOperands::None => {}
            MemoryOperands::InLine => self.set_mem(&mut data, next()),
            MemoryOperands::Pooled => data.a = self.make_mem(next()),
            MemoryOperands::TwoPooled => {
                data.a = self.make_mem(next());
                data.b = self.make_mem(next());
            }
            MemoryOperands::OfCall => {
                let mut info = self.call_info(i);
                if let CallResult::Agg(_, m) = &mut info.result {
                    *m = next();
                }
                for arg in &mut info.args {
                    if let CallArg::Agg(_, m) = arg {
                        *m = next();
                    }
                }
                data.b = self.make_call(&info);
            }
        }
        self.insts[i] = data;
    }
    /// Replaces the registers that an instruction reads: `f` returns the replacement, a register, or a constant where
    /// [`Use::may_be_const`] allows one.
    pub fn rewrite_uses(&mut self, i: Inst, mut f: impl FnMut(Use) -> Operand) {
        self.inst_stamp += 1;
        let d = self.insts[i];
        let mut reg = |o: Operand, may_be_const: bool| match o.as_reg() {
            Some(reg) => f(Use { reg, may_be_const, phi_pred: None }),
            None => o,
        };
        match d.op.format() {
            Format::Const | Format::Nullary | Format::Jump | Format::Stop | Format::Fence => {}
            Format::Unary | Format::Convert | Format::Consume | Format::Switch => self.insts[i].a = reg(d.a, false),
            Format::Alloca | Format::Return => self.insts[i].a = reg(d.a, true),
            Format::Binary | Format::Compare | Format::Branch | Format::Assume => {
                self.insts[i].a = reg(d.a, false);
                self.insts[i].b = reg(d.b, true);
            }
            Format::Ternary | Format::Select => {
                self.insts[i].a = reg(d.a, false);
                self.rewrite_bc(d.b.to_bits() as usize, &mut reg);
            }
            Format::AtomicUpdate => {
                self.rewrite_pooled(d.a.to_bits(), &mut reg);
                self.insts[i].b = reg(d.b, true);
            }
            Format::AtomicExchange => {
                self.rewrite_pooled(d.a.to_bits(), &mut reg);
                self.rewrite_bc(d.b.to_bits() as usize, &mut reg);
            }
            Format::Address | Format::Load | Format::AtomicLoad | Format::MemOnly | Format::AggReturn => {
                self.rewrite_in_line(i, &mut reg);
            }
            Format::Store | Format::AtomicStore => {
                self.rewrite_in_line(i, &mut reg);
                self.insts[i].dst = reg(d.dst, true);
            }
            Format::MemCopy | Format::MemFill | Format::MemPair | Format::AggMemPair => {
                self.rewrite_pooled(d.a.to_bits(), &mut reg);
                if d.op.format() == Format::MemFill {
                    self.insts[i].b = reg(d.b, true);
                } else {
                    self.rewrite_pooled(d.b.to_bits(), &mut reg);
                }
                if matches!(d.op.format(), Format::MemCopy | Format::MemFill) {
                    self.insts[i].dst = reg(d.dst, true);
                }
            }
            Format::Call => {
                self.insts[i].a = reg(d.a, false);
                self.rewrite_call(d.b.to_bits() as usize, &mut reg);
            }
            Format::Phi => {
                let at = d.b.to_bits() as usize;
                for k in 0..self.lists[at] as usize {
                    let e = at + 1 + 2 * k;
                    if let Some(r) = Operand::from_bits(self.lists[e + 1]).as_reg() {
                        let pred = Block::from_u32(self.lists[e]);
                        self.lists[e + 1] = f(Use { reg: r, may_be_const: true, phi_pred: Some(pred) }).to_bits();
                    }
                }
            }
        }
    }
    /// Replaces the operands of an instruction that may be constants. The cases of a switch stay, which must be
    /// distinct. `to` is given the type of each.
    pub fn rewrite_constants(&mut self, i: Inst, mut to: impl FnMut(&mut Function, Type, Operand) -> Operand) {
        let mut d = self.insts[i];
        match d.op.format() {
            Format::Const | Format::Return => d.a = to(self, d.ty, d.a),
            Format::Alloca => d.a = to(self, Type::I64, d.a),
            Format::Binary | Format::Compare | Format::Branch | Format::Assume | Format::AtomicUpdate => {
                d.b = to(self, d.ty, d.b)
            }
            Format::Store | Format::AtomicStore => d.dst = to(self, d.ty, d.dst),
            Format::MemCopy => d.dst = to(self, Type::I64, d.dst),
            Format::MemFill => {
                d.b = to(self, Type::I8, d.b);
                d.dst = to(self, Type::I64, d.dst);
            }
            Format::Phi => {
                let mut entries: Vec<(Block, Operand)> = self.phi_entries(i).collect();
                entries.iter_mut().for_each(|(_, o)| *o = to(self, d.ty, *o));
                return self.set_phi_entries(i, &entries);
            }
            _ => return,
        }
        self.replace_inst(i, d);
    }
}

impl Function {
    /// Replaces the registers in the record of a call.
    fn rewrite_call(&mut self, at: usize, reg: &mut impl FnMut(Operand, bool) -> Operand) {
        if self.lists[at + 2] & 3 == 2 {
            self.rewrite_pooled(self.lists[at + 3], reg);
        }
        for k in 0..(self.lists[at] >> 1) as usize {
            let e = at + CALL_HEADER + 2 * k;
            if self.lists[e] & 4 != 0 {
                self.rewrite_pooled(self.lists[e + 1], reg);
            } else {
                self.lists[e + 1] = reg(Operand::reg(Reg::from_u32(self.lists[e + 1])), false).to_bits();
            }
        }
    }
    /// Replaces the registers in the memory operand of an instruction that has one in its fields or, with an index, in
    /// the pool.
    fn rewrite_in_line(&mut self, i: Inst, reg: &mut impl FnMut(Operand, bool) -> Operand) {
        let d = self.insts[i];
        if d.flags & InstData::INDEXED == 0 {
            self.insts[i].a = reg(d.a, false);
        } else {
            self.rewrite_pooled(d.a.to_bits(), reg);
        }
    }
    /// Replaces the registers in a pair of operands in the pool.
    fn rewrite_bc(&mut self, at: usize, reg: &mut impl FnMut(Operand, bool) -> Operand) {
        for k in at..at + 2 {
            self.lists[k] = reg(Operand::from_bits(self.lists[k]), false).to_bits();
        }
    }
    /// Replaces the registers in a memory operand of the pool.
    fn rewrite_pooled(&mut self, k: u32, reg: &mut impl FnMut(Operand, bool) -> Operand) {
        let m = &mut self.mems[k as usize];
        if let Base::Reg(r) = m.base {
            m.base = Base::from_operand(reg(Operand::reg(r), false));
        }
        m.index = m.index.map(|r| reg(Operand::reg(r), false).as_reg().expect("an index is a register"));
    }
}

impl Comparison {
    /// Returns the payload of the second operand where that is a constant.
    #[inline]
    pub fn second_constant(self, f: &Function) -> Option<i64> {
        f.constant(self.b)
    }
}

#[inline]
fn ext_from(bits: u32) -> Ext {
    match bits {
        0 => Ext::None,
        1 => Ext::Sext,
        2 => Ext::Zext,
        _ => Ext::Env,
    }
}
